#include <fmt/format.h>

#include <set>

#include "runtime/corpus/chain.hpp"
#include "runtime/corpus/suites.hpp"

namespace trl::runtime {
namespace {

/// A task of one operator on x[M, N] and its other operand.
struct Item {
  Operator op;
  // the other operand: "" for none, "matrix", "row", "column", "constant", "from constant"
  const char* with = "";
  double number = 0;
  int axis = -1;
  bool keepdim = false;
};

// The families are mixed, so that any range of ids has all of them. log, sqrt and the like are left out,
// because part of their values for normal numbers are NaN and can't be compared; they occur in chains.
const auto& items() {
  using enum Operator;
  static constexpr Item listed[] = {
      {relu},
      {add, "matrix"},
      {softmax, "", 0, 1},
      {sum, "", 0, 1, true},
      {sigmoid},
      {mul, "row"},
      {amax, "", 0, 1},
      {tanh},
      {matmul},
      {sub, "column"},
      {mul, "constant", 0.5},
      {gelu},
      {var, "", 0, 1},
      {abs},
      {maximum, "matrix"},
      {rms_norm, "", 0, 1},
      {silu},
      {sum, "", 0, 0},
      {logsigmoid},
      {clamp},
      {mul, "matrix"},
      {logsumexp, "", 0, 1, true},
      {square},
      {add, "row"},
      {leaky_relu},
      {mean, "", 0, 1},
      {div, "constant", 3},
      {exp},
      {amin, "", 0, 1},
      {sub, "matrix"},
      {softplus},
      {log_softmax, "", 0, 1},
      {hypot, "matrix"},
      {sin},
      {vector_norm, "", 0, 1},
      {hardswish},
      {selu},
      {elu},
      {softmax, "", 0, 0},
      {tanhshrink},
      {minimum, "matrix"},
      {mish},
      {add, "column"},
      {layer_norm, "", 0, 1},
      {std, "", 0, 1, true},
      {neg},
      {sub, "from constant", 1},
      {transpose},
      {hardsigmoid},
      {amax, "", 0, 0},
      {erf},
      {cos},
      {lerp, "row"},
      {relu6},
      {softmin, "", 0, 1},
      {cumsum, "", 0, 1},
      {normalize, "", 0, 1},
      {softsign},
      {expm1},
      {logaddexp, "matrix"},
  };
  return listed;
}

std::string title(const Item& item) {
  const std::string with = item.with;
  std::string name = name_of(item.op);
  if (with == "constant") name += "_constant";
  if (with == "from constant") name = "constant_minus";
  if (with == "row" || with == "column") name += "_" + with;
  if (item.axis >= 0) name += item.axis == 1 ? "_rows" : "_columns";
  return item.keepdim ? name + "_keepdim" : name;
}

}  // namespace

std::vector<Task> operators_alone() {
  std::vector<Task> tasks;
  for (const Item& item : items()) {
    const Extent m{"M", 0}, n{"N", 0}, k{"K", 0}, one{"", 1};
    Task task;
    task.suite = "level1";
    task.id = static_cast<std::int64_t>(tasks.size()) + 1;
    task.dtype = "f32";
    const auto input = [&](const char* name, const Shape& shape) {
      Expression node;
      node.kind = Expression::Kind::Input;
      node.input = task.inputs.size();
      task.inputs.push_back({name, "f32", shape});
      return node;
    };
    const std::string with = item.with;
    const Operator op = item.op;
    Expression constant;
    constant.constant = item.number;
    Expression& value = task.value;
    value.kind = Expression::Kind::Operator;
    value.op = op;
    if (op == Operator::matmul) {
      task.dims = {{"M", 64}, {"K", 256}, {"N", 256}};
      value.args = {input("x", {m, k}), input("w", {k, n})};
    } else {
      task.dims = {{"M", 64}, {"N", 256}};
      if (with == "from constant") value.args.push_back(constant);
      value.args.push_back(input("x", {m, n}));
    }
    if (with == "matrix") value.args.push_back(input("y", {m, n}));
    if (with == "row") value.args.push_back(input("b", {n}));
    if (with == "column") value.args.push_back(input("c", {m, one}));
    if (with == "constant") value.args.push_back(constant);
    value.axis = item.axis;
    value.keepdim = item.keepdim;
    if (op == Operator::clamp) value.attributes = {{"min", -0.5}, {"max", 1}};
    if (op == Operator::leaky_relu) value.attributes = {{"negative_slope", 0.1}};
    if (op == Operator::lerp) value.attributes = {{"weight", 0.25}};
    if (op == Operator::normalize) value.attributes = {{"eps", 1e-12}};
    if (op == Operator::rms_norm || op == Operator::layer_norm) value.attributes = {{"eps", 1e-5}};
    infer_shapes(task);
    task.key = task_key(task);
    task.name = title(item);
    task.doc = chain_doc(task);
    tasks.push_back(std::move(task));
  }
  return tasks;
}

std::vector<Task> pair_suite() {
  constexpr std::size_t size = 40;
  // These operators can't be kept from the model, because hardly any chain does without two of them in a row.
  static const std::set<Operator> everyday = {Operator::add, Operator::sub, Operator::mul, Operator::div,
                                              Operator::matmul};
  std::vector<Task> tasks;
  OperatorPairs kept;
  std::set<std::string> names;
  RandomStream random("wind tunnel pairs");
  while (tasks.size() < size) {
    Task task = random_chain(random, {2, 3, kept});
    OperatorPairs pairs = neighbours(task.value);
    const bool common = std::any_of(pairs.begin(), pairs.end(), [](const auto& pair) {
      return everyday.contains(pair.first) && everyday.contains(pair.second);
    });
    if (common || !names.insert(task.name).second) continue;
    kept.merge(pairs);
    task.suite = "pairs";
    task.id = static_cast<std::int64_t>(tasks.size()) + 1;
    task.doc = chain_doc(task);
    tasks.push_back(std::move(task));
  }
  return tasks;
}

std::vector<Task> chain_suite() {
  constexpr std::size_t size = 100, longest_name = 64;
  ChainShape shape{2, 8, {}};
  for (const Task& task : pair_suite()) shape.unseen.merge(neighbours(task.value));
  std::vector<Task> tasks;
  std::set<std::string> keys, names;
  RandomStream random("wind tunnel level 2");
  while (tasks.size() < size) {
    Task task = random_chain(random, shape);
    if (task.name.size() > longest_name || keys.contains(task.key) || !names.insert(task.name).second)
      continue;
    keys.insert(task.key);
    task.suite = "level2";
    task.id = static_cast<std::int64_t>(tasks.size()) + 1;
    task.doc = chain_doc(task);
    tasks.push_back(std::move(task));
  }
  return tasks;
}

std::vector<Task> every_suite() {
  std::vector<Task> tasks;
  for (const auto& suite : {operators_alone(), chain_suite(), pair_suite()})
    tasks.insert(tasks.end(), suite.begin(), suite.end());
  return tasks;
}

std::string windtunnel_source() {
  std::string text =
      "## The wind tunnel: suites of small tasks on which a whole study runs in minutes, without GPU or "
      "downloads.\n"
      "##\n"
      "## Level 1 has one operator a task, level 2 chains of two to eight, pairs short chains whose "
      "neighbours\n"
      "## neither the other suites nor the model's pretraining have side by side. x, y and z are matrices "
      "[M, N] (x "
      "is [M, K]\n"
      "## where a matrix product comes first), b and d rows [N], c and e columns [M, 1]. None is "
      "numerically\n"
      "## degenerate, and none occurs in the pretraining of the embedded model.\n"
      "##\n"
      "## Written by windtunnel-suites (runtime/corpus): change the generator, not this file.\n"
      "\n";
  const auto suite = [&](const char* name, const char* doc, const std::vector<Task>& tasks) {
    text += fmt::format("## {}\nsuite {} {{\n", doc, name);
    for (const Task& task : tasks)
      text += fmt::format("{}  ## {}\n  {}\n", task.id == 1 ? "" : "\n", task.doc, task_source(task));
    text += "}\n";
  };
  suite("level1", "Sixty tasks of one operator each.", operators_alone());
  text += "\n";
  suite("level2", "A hundred chains of operators.", chain_suite());
  text += "\n";
  suite("pairs", "Forty short chains of operators that nothing else here has next to each other.",
        pair_suite());
  return text;
}

}  // namespace trl::runtime
