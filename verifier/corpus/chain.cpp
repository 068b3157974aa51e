#include "verifier/corpus/chain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "base/operators/operator_ids.hpp"
#include "verifier/corpus/probe.hpp"

namespace trl::runtime {
namespace {

/// Bounds of a value under every variation (inputs may be doubled). Operators are chosen by them.
struct Range {
  double low, high;
  double magnitude() const { return std::max(std::abs(low), std::abs(high)); }
};

constexpr Range input_range{-9, 9};
constexpr Range product_range{-350, 350};

// The probabilities of the parts of a chain.
constexpr double share_with_product = 0.4, share_with_bias = 0.6, share_scaled_product = 0.8;
constexpr double share_with_tail = 0.5, share_with_tail_after_product = 0.3;
constexpr double share_constant = 0.2, share_two_tensors = 0.25;

Expression constant(double number) {
  Expression node;
  node.constant = number;
  return node;
}

class Chain {
  using enum Operator;

 public:
  Chain(RandomStream& random, const ChainShape& shape) : random_(random), shape_(shape) {}

  Task draw() {
    int left =
        shape_.shortest +
        static_cast<int>(random_.below(static_cast<std::uint64_t>(shape_.longest - shape_.shortest + 1)));
    task_.dtype = "f32";
    const bool product = random_.uniform() < share_with_product;
    const bool tail = random_.uniform() < (product ? share_with_tail_after_product : share_with_tail);
    if (product) {
      task_.dims = {{"M", 64}, {"K", 256}, {"N", 256}};
      const Expression x = input("x", {{"M", 0}, {"K", 0}}), w = input("w", {{"K", 0}, {"N", 0}});
      value_ = apply(matmul, x, w);
      range_ = product_range;
      --left;
      if (left > 0 && random_.uniform() < share_with_bias) {
        value_ = apply(add, value_, input("b", {{"N", 0}}));
        --left;
      }
      if (left > 0 && random_.uniform() < share_scaled_product) {
        static constexpr std::array factors = {0.0625, 0.1, 0.05, 0.03125};
        const double factor = pick(factors);
        const bool divides = random_.uniform() < 0.3;
        value_ = divides ? apply(div, value_, constant(std::round(1 / factor)))
                         : apply(mul, value_, constant(factor));
        range_ = {range_.low * factor, range_.high * factor};
        last_ = mul;
        --left;
      }
    } else {
      task_.dims = {{"M", 64}, {"N", 256}};
      value_ = input("x", {{"M", 0}, {"N", 0}});
      range_ = input_range;
    }
    for (const int body = left - (tail ? 1 : 0), first = left; first - left < body; --left) step();
    if (tail && left > 0) end();
    task_.value = value_;
    infer_shapes(task_);
    task_.key = task_key(task_);
    task_.name = chain_name(task_);
    return std::move(task_);
  }

 private:
  template <typename Items>
  typename Items::value_type pick(const Items& items) {
    return items[random_.below(items.size())];
  }

  Expression input(const std::string& name, const Shape& shape) {
    Expression node;
    node.kind = Expression::Kind::Input;
    node.input = task_.inputs.size();
    task_.inputs.push_back({name, "f32", shape});
    return node;
  }

  static Expression apply(Operator op, Expression x) {
    Expression node;
    node.kind = Expression::Kind::Operator;
    node.op = op;
    node.args.push_back(std::move(x));
    return node;
  }

  static Expression apply(Operator op, Expression x, Expression y) {
    Expression node = apply(op, std::move(x));
    node.args.push_back(std::move(y));
    return node;
  }

  /// Appends one elementwise operator.
  void step() {
    for (int attempt = 0; attempt < 50; ++attempt) {
      const double kind = random_.uniform();
      if (kind < share_constant                       ? with_constant()
          : kind < share_constant + share_two_tensors ? with_tensor()
                                                      : unary())
        return;
    }
  }

  bool accept(Operator op, Expression value, Range range) {
    if (op == last_ || range.magnitude() > 2000) return false;
    last_ = op;
    value_ = std::move(value);
    range_ = range;
    return true;
  }

  bool with_constant() {
    static constexpr std::array numbers = {0.1, 0.2, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0};
    const double c = pick(numbers);
    struct Way {
      Operator op;
      bool constant_first = false;
    };
    static constexpr std::array ways = {Way{add}, Way{mul},       Way{mul}, Way{sub},
                                        Way{div}, Way{sub, true}, Way{add}};
    const auto [op, constant_first] = pick(ways);
    const Range r = range_;
    if (op == add) return accept(op, apply(op, value_, constant(c)), {r.low + c, r.high + c});
    if (constant_first) return accept(op, apply(op, constant(c), value_), {c - r.high, c - r.low});
    if (op == sub) return accept(op, apply(op, value_, constant(c)), {r.low - c, r.high - c});
    if (c == 1) return false;
    const double factor = op == mul ? c : 1 / c;
    return accept(mul, apply(op, value_, constant(c)), {r.low * factor, r.high * factor});
  }

  bool with_tensor() {
    struct Kind {
      std::array<const char*, 2> names;
      Shape shape;
    };
    static const std::array kinds = {Kind{{"y", "z"}, {{"M", 0}, {"N", 0}}}, Kind{{"b", "d"}, {{"N", 0}}},
                                     Kind{{"c", "e"}, {{"M", 0}, {"", 1}}},
                                     Kind{{"y", "z"}, {{"M", 0}, {"N", 0}}}};
    const Kind kind = pick(kinds);
    const auto free = std::find_if(kind.names.begin(), kind.names.end(), [&](const char* name) {
      return std::none_of(task_.inputs.begin(), task_.inputs.end(),
                          [&](const auto& i) { return i.name == name; });
    });
    if (free == kind.names.end()) return false;
    static constexpr std::array ops = {add,     add,     mul, mul,   sub,       sub,
                                       maximum, minimum, div, hypot, logaddexp, lerp};
    const Operator op = pick(ops);
    const Range r = range_, y = input_range;
    if (op == div) {  // divides the new input by the chain, if its values stay away from 0
      if (r.low < 0.2) return false;
      const Range quotient{y.low / r.low, y.high / r.low};
      if (last_ == op || quotient.magnitude() > 2000) return false;
      return accept(op, apply(op, input(*free, kind.shape), value_), quotient);
    }
    const double corner = r.magnitude() * y.magnitude();
    if (op == hypot || op == logaddexp || op == lerp) return with_function(op, *free, kind.shape);
    const Range range = op == add || op == sub ? Range{r.low + y.low, r.high + y.high}
                        : op == mul            ? Range{-corner, corner}
                        : op == maximum        ? Range{std::max(r.low, y.low), std::max(r.high, y.high)}
                                               : Range{std::min(r.low, y.low), std::min(r.high, y.high)};
    if (last_ == op || range.magnitude() > 2000) return false;
    const bool swapped = op == sub && random_.uniform() < 0.25;
    Expression other = input(*free, kind.shape);
    if (swapped) return accept(op, apply(op, other, value_), {y.low - r.high, y.high - r.low});
    return accept(op, apply(op, value_, other), range);
  }

  bool with_function(Operator op, const std::string& name, const Shape& shape) {
    const Range r = range_, y = input_range;
    const Range range = op == hypot       ? Range{0, r.magnitude() + y.magnitude()}
                        : op == logaddexp ? Range{std::max(r.low, y.low), std::max(r.high, y.high) + 0.7}
                                          : Range{std::min(r.low, y.low), std::max(r.high, y.high)};
    if (last_ == op || range.magnitude() > 2000) return false;
    Expression node = apply(op, value_, input(name, shape));
    static constexpr std::array weights = {0.1, 0.25, 0.5, 0.75};
    if (op == lerp) node.attributes["weight"] = pick(weights);
    return accept(op, node, range);
  }

  /// Whether no operator has been applied to the input yet.
  bool is_first() const { return value_.kind == Expression::Kind::Input; }

  bool unary() {
    static constexpr std::array ops = {
        relu,       sigmoid,    tanh,       silu,     gelu, exp,        log,       sqrt,        rsqrt,
        abs,        neg,        square,     softplus, elu,  leaky_relu, hardswish, hardsigmoid, relu6,
        mish,       softsign,   clamp,      sin,      cos,  reciprocal, selu,      celu,        softshrink,
        hardshrink, tanhshrink, logsigmoid, hardtanh, erf,  expm1,      log1p,     log2,        exp2,
        sinh,       cosh,       floor,      ceil,     sign};
    const Operator op = pick(ops);
    Expression node = apply(op, value_);
    const Range r = range_;
    const auto both = [&](double (*f)(double)) { return Range{f(r.low), f(r.high)}; };
    if (op == relu) return r.low < 0 && accept(op, node, {std::max(0.0, r.low), std::max(0.0, r.high)});
    if (op == sigmoid || op == hardsigmoid) return accept(op, node, {0, 1});
    if (op == tanh || op == softsign) return accept(op, node, {std::max(-1.0, r.low), std::min(1.0, r.high)});
    if (op == silu || op == gelu || op == mish || op == hardswish)
      return accept(op, node, {r.low < 0 ? -0.4 : 0, std::max(r.high, 0.0)});
    if (op == exp) return r.high < 6 && accept(op, node, both(std::exp));
    if (op == log) return r.low > 0.05 && accept(op, node, both(std::log));
    if (op == sqrt) return r.low > 0.01 && accept(op, node, both(std::sqrt));
    if (op == rsqrt) return r.low > 0.05 && accept(op, node, {1 / std::sqrt(r.high), 1 / std::sqrt(r.low)});
    if (op == reciprocal) return r.low > 0.1 && accept(op, node, {1 / r.high, 1 / r.low});
    if (op == abs) return r.low < 0 && accept(op, node, {0, r.magnitude()});
    if (op == neg) return accept(op, node, {-r.high, -r.low});
    if (op == square) return r.magnitude() < 40 && accept(op, node, {0, r.magnitude() * r.magnitude()});
    if (op == softplus) return accept(op, node, {0, std::max(r.high, 0.0) + 0.7});
    if (op == elu) return r.low < 0 && accept(op, node, {-1, std::max(r.high, 0.0)});
    if (op == leaky_relu) {
      static constexpr std::array slopes = {0.01, 0.1, 0.2, 0.25};
      const double slope = pick(slopes);
      node.attributes["negative_slope"] = slope;
      return r.low < 0 && accept(op, node, {slope * r.low, std::max(r.high, 0.0)});
    }
    if (op == relu6) return r.low < 0 && accept(op, node, {0, std::min(6.0, std::max(r.high, 0.0))});
    if (op == clamp) {
      static constexpr std::array lows = {-2.0, -1.5, -1.0, -0.5, 0.0, 0.1};
      static constexpr std::array highs = {0.5, 1.0, 2.0, 3.0, 4.0};
      const double low = pick(lows), high = pick(highs);
      node.attributes = {{"min", low}, {"max", high}};
      return accept(op, node, {std::max(low, r.low), std::min(high, r.high)});
    }
    if (op == selu || op == celu) {
      static constexpr std::array alphas = {0.5, 1.0, 1.5, 2.0};
      const double alpha = op == celu ? pick(alphas) : 1.76;
      if (op == celu) node.attributes["alpha"] = alpha;
      return r.low < 0 && accept(op, node, {-alpha, 1.06 * std::max(r.high, 0.0)});
    }
    if (op == softshrink || op == hardshrink) {
      // A jump in the middle of a chain makes rounding errors large: hardshrink comes first, like floor.
      static constexpr std::array lambds = {0.25, 0.5, 0.75, 1.0};
      node.attributes["lambd"] = pick(lambds);
      return r.low < 0 && (op == softshrink || is_first()) && accept(op, node, r);
    }
    if (op == floor || op == ceil) return is_first() && accept(op, node, {r.low - 1, r.high + 1});
    if (op == sign) return is_first() && accept(op, node, {-1, 1});
    if (op == hardtanh) {
      static constexpr std::array bounds = {0.5, 1.0, 1.5, 2.0};
      const double bound = pick(bounds);
      node.attributes = {{"min_val", -bound}, {"max_val", bound}};
      return r.low < 0 && accept(op, node, {std::max(-bound, r.low), std::min(bound, r.high)});
    }
    if (op == erf) return accept(op, node, both(std::erf));
    if (op == expm1) return r.high < 6 && accept(op, node, both(std::expm1));
    if (op == exp2) return r.high < 9 && accept(op, node, both(std::exp2));
    if (op == log1p) return r.low > -0.9 && accept(op, node, both(std::log1p));
    if (op == log2) return r.low > 0.05 && accept(op, node, both(std::log2));
    if (op == sinh || op == cosh) {
      const double high = std::cosh(r.magnitude());
      return r.magnitude() < 6 && accept(op, node, {op == sinh ? -high : 1, high});
    }
    if (op == logsigmoid) return accept(op, node, {std::min(r.low, 0.0) - 0.7, 0});
    if (op == tanhshrink) return accept(op, node, {std::min(r.low, 0.0), std::max(r.high, 0.0)});
    // sin and cos lose accuracy for large arguments.
    return r.magnitude() < 20 && accept(op, node, {-1, 1});
  }

  /// Appends the last operator: an operator along an axis, a reduction, or a transposition.
  void end() {
    static constexpr std::array ops = {
        softmax, softmax, rms_norm, layer_norm, log_softmax, softmin, normalize, cumsum,      sum,      sum,
        mean,    mean,    amax,     amin,       logsumexp,   var,     std,       vector_norm, transpose};
    const Operator op = pick(ops);
    value_ = apply(op, value_);
    if (op == transpose) return;
    const bool reduces = form_of(op) == Form::Reduction;
    value_.axis = random_.uniform() < (reduces ? 0.3 : 0.12) ? 0 : 1;
    value_.keepdim = reduces && random_.uniform() < 0.5;
    if (op == rms_norm || op == layer_norm) value_.attributes["eps"] = 1e-5;
    if (op == normalize) value_.attributes["eps"] = 1e-12;
  }

  RandomStream& random_;
  ChainShape shape_;
  Task task_;
  Expression value_;
  Range range_{};
  std::optional<Operator> last_;
};

int count(const Expression& node) {
  int total = node.kind == Expression::Kind::Operator;
  for (const Expression& argument : node.args) total += count(argument);
  return total;
}

}  // namespace

Task random_chain(RandomStream& random, const ChainShape& shape) {
  for (;;) {
    Task task = Chain(random, shape).draw();
    const int length = count(task.value);
    const OperatorPairs pairs = neighbours(task.value);
    if (std::any_of(pairs.begin(), pairs.end(),
                    [&](const auto& pair) { return shape.unseen.contains(pair); }))
      continue;
    if (length >= shape.shortest && length <= shape.longest && is_sane(task)) return task;
  }
}

}  // namespace trl::runtime
