// Overlap keys of tasks: spellings of one function have one, and tasks that have one have the same values.
#include <ATen/ATen.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/operators/operator_ids.hpp"
#include "base/operators/overlap.hpp"
#include "base/support/random.hpp"
#include "verifier/corpus/chain.hpp"
#include "verifier/corpus/suites.hpp"
#include "verifier/tasks/reference.hpp"

namespace trl::runtime {
namespace {

using operators::Constants;
using operators::overlap_key;
using enum Operator;

std::string of(const char* key) { return overlap_key(key); }

TEST(Overlap, IsOneKeyForSpellingsOfOneFunction) {
  const std::vector<std::vector<const char*>> functions = {
      {"add(x0:f32[d0,d1],x1:f32[d0,1])", "add(x0:f32[d0,1],x1:f32[d0,d1])",
       "sub(x0:f32[d0,d1],neg(x1:f32[d0,1]))"},
      {"sub(x0:f32[d0],#)", "add(x0:f32[d0],#)", "add(add(x0:f32[d0],#),#)", "sub(#,sub(#,x0:f32[d0]))"},
      {"sub(#,x0:f32[d0])", "add(neg(x0:f32[d0]),#)", "neg(sub(x0:f32[d0],#))"},
      {"div(x0:f32[d0],#)", "mul(x0:f32[d0],#)", "mul(div(mul(#,x0:f32[d0]),#),#)", "mul(neg(x0:f32[d0]),#)"},
      {"mul(add(x0:f32[d0],#),#)", "add(mul(x0:f32[d0],#),#)"},
      {"neg(neg(tanh(x0:f32[d0])))", "tanh(x0:f32[d0])", "neg(tanh(neg(x0:f32[d0])))"},
      {"square(x0:f32[d0])", "mul(x0:f32[d0],x0)", "square(neg(x0:f32[d0]))"},
      {"reciprocal(x0:f32[d0])", "div(#,x0:f32[d0])"},
      {"rsqrt(x0:f32[d0])", "div(#,sqrt(x0:f32[d0]))"},
      {"silu(add(x0:f32[d0],#))", "mul(add(x0:f32[d0],#),sigmoid(add(x0,#)))"},
      {"logaddexp(logaddexp(x0:f32[d0],x1:f32[d0]),x2:f32[])",
       "logaddexp(x0:f32[],logaddexp(x1:f32[d0],x2:f32[d0]))"},
      {"maximum(maximum(x0:f32[d0],#),x1:f32[d1,d0])", "maximum(x0:f32[d0,d1],maximum(#,x1:f32[d1]))"},
      {"hypot(neg(x0:f32[d0]),x1:f32[d0])", "hypot(x0:f32[d0],x1:f32[d0])"},
      {"lerp(x0:f32[d0],x1:f32[d0])", "lerp(x0:f32[d0],x1:f32[d0])",
       "add(mul(x0:f32[d0],#),mul(#,x1:f32[d0]))"},
      {"sum[axis=1,keepdim=false](div(x0:f32[d0,d1],#))", "mul(sum[axis=1,keepdim=false](x0:f32[d0,d1]),#)"},
      {"softmax[axis=1](sub(x0:f32[d0,d1],#))", "softmax[axis=1](x0:f32[d0,d1])"},
      {"mul(add(matmul(x0:f32[d0,d1],x1:f32[d1,d2]),x2:f32[d2]),#)",
       "add(div(matmul(mul(x0:f32[d0,d1],#),x1:f32[d1,d2]),#),mul(#,x2:f32[d2]))"},
      {"relu(div(square(x0:f32[d0]),x0))", "relu(x0:f32[d0])", "maximum(x0:f32[d0],#)",
       "maximum(#,x0:f32[d0])", "threshold(x0:f32[d0])", "relu(add(sub(tanh(x0:f32[d0]),tanh(x0)),x0))"},
      {"div(x0:f32[d0],sqrt(x1:f32[d0]))", "mul(rsqrt(x0:f32[d0]),x1:f32[d0])"},
      {"gt(x0:f32[d0],x1:f32[])", "lt(x0:f32[],x1:f32[d0])"},
      // Where a constant's sign may be turned, so may that of an odd function's value.
      {"relu(tanh(mul(x0:f32[d0],#)))", "relu(neg(tanh(mul(x0:f32[d0],#))))",
       "relu(tanh(neg(div(x0:f32[d0],#))))"},
      {"relu(sin(erf(mul(x0:f32[d0],#))))", "relu(neg(sin(neg(erf(mul(x0:f32[d0],#))))))"},
  };
  std::map<std::string, const char*> known;
  for (const auto& spellings : functions) {
    for (const char* spelling : spellings) EXPECT_EQ(of(spelling), of(spellings.front())) << spelling;
    EXPECT_TRUE(known.emplace(of(spellings.front()), spellings.front()).second) << spellings.front();
  }
}

TEST(Overlap, TellsFunctionsApart) {
  const std::vector<std::pair<const char*, const char*>> functions = {
      {"sub(x0:f32[d0],x1:f32[d0])", "add(x0:f32[d0],x1:f32[d0])"},
      {"sub(x0:f32[d0,d1],x1:f32[d1])", "sub(x0:f32[d0],x1:f32[d1,d0])"},
      {"neg(x0:f32[d0])", "mul(x0:f32[d0],#)"},
      {"add(x0:f32[d0,d1],x1:f32[d1])", "add(x0:f32[d0,d1],x1:f32[d0,1])"},
      {"softmax[axis=1](x0:f32[d0,d1])", "softmax[axis=0](x0:f32[d0,d1])"},
      {"softmax[axis=1](mul(x0:f32[d0,d1],#))", "softmax[axis=1](x0:f32[d0,d1])"},
      {"relu(neg(x0:f32[d0]))", "neg(relu(x0:f32[d0]))"},
      {"maximum(x0:f32[d0],x1:f32[d0])", "minimum(x0:f32[d0],x1:f32[d0])"},
      {"matmul(x0:f32[d0,d0],transpose(x0))", "matmul(transpose(x0:f32[d0,d0]),x0)"},
      {"div(x0:f32[d0],x1:f32[d0])", "mul(x0:f32[d0],x1:f32[d0])"},
      {"relu(x0:f32[d0])", "relu(x0:f16[d0])"},
      {"relu(tanh(x0:f32[d0]))", "relu(neg(tanh(x0:f32[d0])))"},
      {"relu(tanh(sub(mul(x0:f32[d0],#),x1:f32[d0])))", "relu(neg(tanh(sub(mul(x0:f32[d0],#),x1:f32[d0]))))"},
      {"mul(sub(x0:f32[d0],x1:f32[d0]),x0)", "mul(sub(x0:f32[d0],x1:f32[d0]),x1)"},
  };
  for (const auto& [one, other] : functions) {
    // (x - y) * x is (x - y) * y with the names of inputs exchanged and the sign turned.
    EXPECT_NE(of(one), of(other)) << one << " and " << other;
  }
  EXPECT_EQ(of("no key"), "no key");
  EXPECT_EQ(of("KernelBench/level2/7"), "KernelBench/level2/7");
  EXPECT_EQ(of("relu(x0:f32[d0]"), "relu(x0:f32[d0]");
  EXPECT_EQ(of("relu(x0)"), "relu(x0)") << "an input that nothing declares";
}

TEST(Overlap, CountsThePartsOfTwoOperatorsAndMore) {
  operators::SharedParts shared({"tanh(sub(#,relu(x0:f32[d0])))"});
  EXPECT_EQ(shared.counts().front().parts, 2u);
  shared.see("relu(x0:f32[d0])");
  EXPECT_EQ(shared.counts().front().seen, 0u);
  shared.see("sub(#,relu(x0:f32[d0]))");
  EXPECT_EQ(shared.counts().front().seen, 1u);
  shared.see("tanh(sub(#,relu(x0:f32[d0])))");
  EXPECT_EQ(shared.counts().front().seen, 2u);
}

TEST(Overlap, CountsPartsThatOtherExpressionsHave) {
  operators::SharedParts shared({"tanh(sub(exp(x0:f32[d0,d1]),#))", "relu(x0:f32[d0,d1])", "no key",
                                 "mul(sub(exp(x0:f32[d0,d1]),#),x1:f32[d1])"});
  const auto counts = [&] {
    std::vector<std::pair<std::size_t, std::size_t>> all;
    for (const auto& [parts, seen] : shared.counts()) all.emplace_back(parts, seen);
    return all;
  };
  using Counts = decltype(counts());
  EXPECT_EQ(counts(), (Counts{{2, 0}, {0, 0}, {0, 0}, {2, 0}}));
  shared.see("tanh(exp(x0:f32[d0,d1]))");
  shared.see("no key");
  EXPECT_EQ(counts(), (Counts{{2, 0}, {0, 0}, {0, 0}, {2, 0}}));
  shared.see("relu(mul(x0:f32[d0,1],add(exp(x1:f32[d0,d1]),#)))");
  EXPECT_EQ(counts(), (Counts{{2, 1}, {0, 0}, {0, 0}, {2, 1}}));
  shared.see("abs(mul(x0:f32[d1],add(#,exp(x1:f32[d0,d1]))))");
  EXPECT_EQ(counts(), (Counts{{2, 1}, {0, 0}, {0, 0}, {2, 2}}));
}

/// The text of a task's expression with its constants, as `Constants::said` wants it.
std::string said(const Task& task, const Expression& node, std::set<std::size_t>& declared) {
  if (node.kind == Expression::Kind::Constant) return fmt::format("#{}", node.constant);
  if (node.kind == Expression::Kind::Input) {
    std::string text = fmt::format("x{}", node.input);
    if (!declared.insert(node.input).second) return text;
    std::string extents;
    for (const Extent& extent : task.inputs[node.input].shape) {
      const std::string name = extent.is_one()      ? "1"
                               : extent.name == "M" ? "d0"
                               : extent.name == "N" ? "d1"
                                                    : "d2";
      extents += (extents.empty() ? "" : ",") + name;
    }
    return text + ":f32[" + extents + "]";
  }
  std::string text = name_of(node.op), args;
  if (node.axis >= 0) text += fmt::format("[axis={},keepdim={}]", node.axis, node.keepdim);
  if (node.op == lerp) text += fmt::format("[weight={}]", node.attributes.at("weight"));
  for (const Expression& argument : node.args)
    args += (args.empty() ? "" : ",") + said(task, argument, declared);
  return text + "(" + args + ")";
}
std::string said(const Task& task) {
  std::set<std::size_t> declared;
  return overlap_key(said(task, task.value, declared), Constants::said);
}

std::vector<at::Tensor> draw(const Task& task) {
  std::vector<at::Tensor> inputs;
  for (const TaskInput& input : task.inputs) {
    std::vector<std::int64_t> shape;
    for (const Extent& extent : input.shape)
      shape.push_back(extent.is_one() ? 1 : extent.name == "M" ? 5 : extent.name == "N" ? 7 : 3);
    inputs.push_back(at::randn(shape, at::kDouble));
  }
  return inputs;
}

bool agree(const at::Tensor& a, const at::Tensor& b) {
  return a.sizes() == b.sizes() && at::allclose(a, b, 1e-5, 1e-6, /*equal_nan=*/true);
}

/// A chain whose numbers are arbitrary, but for attributes, which all have one value.
Task chain(RandomStream& random, const ChainShape& shape) {
  Task task = random_chain(random, shape);
  const auto vary = [&](auto& self, Expression& node) -> void {
    if (node.kind == Expression::Kind::Constant) node.constant = 0.3 + random.uniform();
    for (auto& [name, value] : node.attributes) {
      if (node.op == lerp) value = 0.2 + 0.6 * random.uniform();
      if (name == "alpha" || name == "lambd" || name == "negative_slope") value = 0.5;
      if (name == "min" || name == "min_val") value = -1;
      if (name == "max" || name == "max_val") value = 1;
    }
    for (Expression& argument : node.args) self(self, argument);
  };
  vary(vary, task.value);
  return task;
}

Expression number(double value) {
  Expression node;
  node.constant = value;
  return node;
}
Expression call(Operator op, std::vector<Expression> args) {
  Expression node;
  node.kind = Expression::Kind::Operator;
  node.op = op;
  node.args = std::move(args);
  return node;
}

/// Another spelling of the expression: each node is written anew, or not, by a draw.
Expression respelt(RandomStream& random, Expression node) {
  if (node.kind != Expression::Kind::Operator) return node;
  for (Expression& argument : node.args) argument = respelt(random, std::move(argument));
  const auto is_number = [](const Expression& e) { return e.kind == Expression::Kind::Constant; };
  const bool left = node.args.size() == 2 && is_number(node.args[0]),
             right = node.args.size() == 2 && is_number(node.args[1]);
  switch (random.below(4)) {
    case 0:
      return node;
    case 1:
      return call(neg, {call(neg, {node})});
    default:
      break;
  }
  switch (node.op) {
    case add:
      if (right && random.below(2) == 0)  // x + c = (x - 0.7) + (c + 0.7)
        return call(add, {call(sub, {node.args[0], number(0.7)}), number(node.args[1].constant + 0.7)});
      if (!left && !right && random.below(2) == 0)
        return call(sub, {node.args[1], call(neg, {node.args[0]})});
      std::swap(node.args[0], node.args[1]);
      return node;
    case mul:
      if (right && random.below(2) == 0)  // x * c = (x / 4) * (4 * c)
        return call(mul, {call(div, {node.args[0], number(4)}), number(node.args[1].constant * 4)});
      std::swap(node.args[0], node.args[1]);
      return node;
    case sub:
      if (right) return call(add, {number(-node.args[1].constant), node.args[0]});
      if (random.below(2) == 0) return call(neg, {call(sub, {node.args[1], node.args[0]})});
      return call(add, {call(neg, {node.args[1]}), node.args[0]});
    case div:
      if (right) return call(mul, {number(1 / node.args[1].constant), node.args[0]});
      return call(mul, {call(reciprocal, {node.args[1]}), node.args[0]});
    case lerp: {  // x + w (y - x)
      const double weight = node.attributes.at("weight");
      return call(add, {node.args[0], call(mul, {number(weight), call(sub, {node.args[1], node.args[0]})})});
    }
    case maximum:
    case minimum:
    case hypot:
    case logaddexp:
      std::swap(node.args[0], node.args[1]);
      return node;
    case square:
      return call(mul, {node.args[0], node.args[0]});
    case silu:
      return call(mul, {call(sigmoid, {node.args[0]}), node.args[0]});
    case hardswish:
      return call(mul, {node.args[0], call(hardsigmoid, {node.args[0]})});
    case tanhshrink:
      return call(sub, {node.args[0], call(tanh, {node.args[0]})});
    case expm1:
      return call(sub, {call(exp, {node.args[0]}), number(1)});
    case log1p:
      return call(log, {call(add, {number(1), node.args[0]})});
    case rsqrt:
      return call(reciprocal, {call(sqrt, {node.args[0]})});
    case logsigmoid:
      return call(neg, {call(softplus, {call(neg, {node.args[0]})})});
    case tanh:
    case erf:
    case sin:
    case sinh:
    case softsign:
      node.args[0] = call(neg, {node.args[0]});
      return call(neg, {node});
    case abs:
    case cos:
    case cosh:
      node.args[0] = call(neg, {node.args[0]});
      return node;
    default:
      return node;
  }
}

TEST(Overlap, RandomSpellingsOfATaskHaveItsKeyAndItsValues) {
  RandomStream random("spellings");
  at::manual_seed(1);
  int respelt_tasks = 0;
  for (int i = 0; i < 600; ++i) {
    const Task task = chain(random, {2, 8});
    Task other = task;
    other.value = respelt(random, task.value);
    infer_shapes(other);
    other.key = task_key(other);
    respelt_tasks += other.key != task.key;
    EXPECT_EQ(overlap_key(other.key), overlap_key(task.key)) << task.key << "\n" << other.key;
    EXPECT_EQ(said(other), said(task)) << task.key << "\n" << other.key;
    EXPECT_EQ(operators::lasting_operators(other.key), operators::lasting_operators(task.key)) << other.key;
    const auto inputs = draw(task);
    EXPECT_TRUE(agree(reference(task, inputs), reference(other, inputs))) << task.key << "\n" << other.key;
  }
  EXPECT_GT(respelt_tasks, 400);
}

/// Whether some order of the second task's inputs gives it the values of the first.
bool have_the_same_values(const Task& one, const Task& other) {
  if (one.inputs.size() != other.inputs.size()) return false;
  const auto inputs = draw(one);
  const at::Tensor value = reference(one, inputs);
  std::vector<std::size_t> order(inputs.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  do {
    std::vector<at::Tensor> permuted;
    bool fits = true;
    for (std::size_t i = 0; i < order.size(); ++i) {
      permuted.push_back(inputs[order[i]]);
      fits = fits && one.inputs[order[i]].shape == other.inputs[i].shape;
    }
    if (fits && agree(value, reference(other, permuted))) return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

TEST(Overlap, TasksWithOtherValuesHaveOtherKeys) {
  RandomStream random("other values");
  at::manual_seed(2);
  std::map<std::string, Task> by_said, without_constants;
  int met = 0;
  for (int i = 0; i < 6000; ++i) {
    Task task = chain(random, {2, 3});
    // Numbers of a few values, so that different tasks meet.
    const auto round = [&](auto& self, Expression& node) -> void {
      if (node.kind == Expression::Kind::Constant) node.constant = node.constant < 0.8 ? 0.5 : 2;
      if (node.op == lerp && node.kind == Expression::Kind::Operator) node.attributes["weight"] = 0.5;
      for (Expression& argument : node.args) self(self, argument);
    };
    round(round, task.value);
    if (random.below(2) == 0) {
      task.value = respelt(random, task.value);
      infer_shapes(task);
      task.key = task_key(task);
    }
    const auto check = [&](std::map<std::string, Task>& known, const std::string& key) {
      const auto [place, fresh] = known.emplace(key, task);
      if (fresh || place->second.key == task.key) return;
      ++met;
      EXPECT_TRUE(have_the_same_values(place->second, task)) << key << "\n"
                                                             << place->second.key << "\n"
                                                             << task.key;
    };
    check(by_said, said(task));
    const std::string key = overlap_key(task.key);
    if (task.key.find('#') == std::string::npos && key.find('#') == std::string::npos)
      check(without_constants, key);
  }
  EXPECT_GT(met, 300) << "pairs of different texts and one key";
}

/// An expression of x and y with numbers, as text with X and Y for the inputs, and its values.
struct Small {
  std::string text;
  std::vector<double> values;
  bool has_x = false, has_y = false;
};

/// Every expression of the operators below with at most `most` of them.
std::vector<Small> small_expressions(int most) {
  // The second half of the places is the first with x and y exchanged.
  const std::vector<double> x = {0.31, -1.27, 2.09, -0.55, 0.83, 1.91, -0.37, -1.13},
                            y = {0.83, 1.91, -0.37, -1.13, 0.31, -1.27, 2.09, -0.55};
  std::vector<std::vector<Small>> made(static_cast<std::size_t>(most) + 1);
  made[0] = {{"X", x, true, false}, {"Y", y, false, true}};
  const auto unary = [](const Small& a, const char* before, const char* after, auto&& f) {
    Small out{before + a.text + after, {}, a.has_x, a.has_y};
    for (const double v : a.values) out.values.push_back(f(v));
    return out;
  };
  for (std::size_t n = 1; n < made.size(); ++n) {
    for (const Small& a : made[n - 1]) {
      made[n].push_back(unary(a, "neg(", ")", [](double v) { return -v; }));
      made[n].push_back(unary(a, "tanh(", ")", [](double v) { return std::tanh(v); }));
      made[n].push_back(unary(a, "sigmoid(", ")", [](double v) { return 1 / (1 + std::exp(-v)); }));
      made[n].push_back(unary(a, "cosh(", ")", [](double v) { return std::cosh(v); }));
      made[n].push_back(unary(a, "add(", ",#3)", [](double v) { return v + 3; }));
      made[n].push_back(unary(a, "sub(", ",#3)", [](double v) { return v - 3; }));
      made[n].push_back(unary(a, "sub(#3,", ")", [](double v) { return 3 - v; }));
      made[n].push_back(unary(a, "mul(", ",#5)", [](double v) { return v * 5; }));
      made[n].push_back(unary(a, "div(", ",#5)", [](double v) { return v / 5; }));
    }
    for (std::size_t i = 0; i < n; ++i)
      for (const Small& a : made[i])
        for (const Small& b : made[n - 1 - i])
          for (const bool plus : {true, false}) {
            Small out{(plus ? "add(" : "sub(") + a.text + "," + b.text + ")",
                      {},
                      a.has_x || b.has_x,
                      a.has_y || b.has_y};
            for (std::size_t v = 0; v < x.size(); ++v)
              out.values.push_back(plus ? a.values[v] + b.values[v] : a.values[v] - b.values[v]);
            // A number such as tanh(x - x), of which the key knows nothing, is left out.
            const auto [low, high] = std::minmax_element(out.values.begin(), out.values.end());
            if (*high - *low > 1e-9) made[n].push_back(std::move(out));
          }
  }
  std::vector<Small> all;
  for (auto& of_size : made) all.insert(all.end(), of_size.begin(), of_size.end());
  return all;
}

/// The text with its inputs named and declared as in a key.
std::string as_key(const Small& expression) {
  std::map<char, std::string> names;
  std::string out;
  for (const char c : expression.text) {
    if (c != 'X' && c != 'Y') {
      out += c;
      continue;
    }
    const auto [name, fresh] = names.emplace(c, "x" + std::to_string(names.size()));
    out += name->second + (fresh ? ":f32[d0]" : "");
  }
  return out;
}

TEST(Overlap, OfSmallExpressionsIsEqualityOfTheirValues) {
  std::map<std::string, std::string> key_of_values, values_of_key;
  std::size_t met = 0;
  const auto all = small_expressions(3);
  for (const Small& expression : all) {
    const auto text = [&](bool exchanged) {
      std::string out;
      for (std::size_t i = 0; i < expression.values.size(); ++i) {
        const double v =
            expression
                .values[(i + (exchanged ? expression.values.size() / 2 : 0)) % expression.values.size()];
        out += fmt::format("{:.7f} ", v + (std::abs(v) < 1e-9 ? 1e-12 : 0));
      }
      return out;
    };
    // Which of its inputs an expression has is part of the task, even where its values don't depend on it.
    const std::string inputs = expression.has_x && expression.has_y ? "two: " : "one: ";
    const std::string values = inputs + std::min(text(false), text(true));
    const std::string key = overlap_key(as_key(expression), Constants::said);
    met += !key_of_values.emplace(values, key).second;
    EXPECT_EQ(key_of_values[values], key) << expression.text;
    values_of_key.emplace(key, values);
    EXPECT_EQ(values_of_key[key], values) << expression.text;
    if (::testing::Test::HasFailure()) break;
  }
  EXPECT_GT(met, all.size() / 2) << "of " << all.size();
  EXPECT_GT(key_of_values.size(), 1000u);
}

}  // namespace
}  // namespace trl::runtime
