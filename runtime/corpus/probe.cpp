#include "runtime/corpus/probe.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace trl::runtime {
namespace {

constexpr int rows = 8, columns = 32, cells = rows * columns;
/// Sums run over this many times fewer elements than at the suites' sizes (64 × 256).
constexpr double shrink = 8;
/// Standard deviation of the f32 rounding error of a product of normal matrices at K = 256.
constexpr double product_error = 8e-6;
/// Standard deviation of such a product at sizes of 4.
constexpr double tiny_product = 2;

/// The inverse of the normal distribution function, by bisection of erfc.
double normal_quantile(double p) {
  double low = -9, high = 9;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (0.5 * std::erfc(-middle / std::sqrt(2.0)) < p ? low : high) = middle;
  }
  return low;
}

/// Sorted normal quantiles; the ends are what 16,384 draws reach.
const std::array<double, cells>& quantiles() {
  static const std::array<double, cells> table = [] {
    std::array<double, cells> values{};
    for (int i = 0; i < cells; ++i) values[i] = normal_quantile((i + 0.5) / cells);
    values.front() = -4.4;
    values.back() = 4.4;
    return values;
  }();
  return table;
}

/// A fixed permutation of the quantiles for each stream; odd multipliers permute modulo a power of two.
double drawn(int stream, int cell) {
  static constexpr int multipliers[] = {77, 149, 205, 57, 113, 181, 37, 229};
  const int mixed = cell * multipliers[stream % 8] + 41 * stream + (cell >> 3) * (cell >> 3) % 7 * 2;
  return quantiles()[static_cast<std::size_t>(mixed & (cells - 1))];
}

template <typename Real>
class Evaluation {
 public:
  Evaluation(const Task& task, double factor, double product_deviation)
      : task_(task), factor_(factor), product_deviation_(product_deviation) {}

  struct Block {
    int height = 1, width = 1;
    std::vector<Real> values;  // [height, width]
    Real at(int r, int c) const {
      return values[static_cast<std::size_t>((height == 1 ? 0 : r) * width + (width == 1 ? 0 : c))];
    }
  };

  double largest = 0;
  bool idle = false;

  Block value(const Expression& node) {
    Block out = fresh(node);
    for (const Real number : out.values) {
      if (!std::isfinite(number)) largest = std::numeric_limits<double>::infinity();
      largest = std::max(largest, std::abs(static_cast<double>(number)));
    }
    return out;
  }

 private:
  Block fresh(const Expression& node) {
    if (node.kind == Expression::Kind::Constant) return {1, 1, {static_cast<Real>(node.constant)}};
    if (node.kind == Expression::Kind::Input) return input(node.input);
    if (node.op == "matmul") return product();
    if (form_of(node.op) == Form::Stated) unknown(node.op);
    const Block x = value(node.args[0]);
    if (node.args.size() == 2) return binary(node, x, value(node.args[1]));
    const Form form = form_of(node.op);
    if (form == Form::Transpose) return x;
    if (form == Form::Elementwise) {
      Block out = x;
      int changed = 0;
      for (Real& number : out.values) {
        const Real before = number;
        number = elementwise(node, number);
        changed += std::abs(number - before) > 1e-3 * (1 + std::abs(before));
      }
      idle |= changed * 20 < static_cast<int>(out.values.size());
      return out;
    }
    return along(node, x);
  }

  Block input(std::size_t index) const {
    const Shape& shape = task_.inputs[index].shape;
    Block out;
    out.width = !shape.empty() && !shape.back().is_one() ? columns : 1;
    out.height = shape.size() > 1 && !shape[shape.size() - 2].is_one() ? rows : 1;
    for (int r = 0; r < out.height; ++r)
      for (int c = 0; c < out.width; ++c)
        out.values.push_back(static_cast<Real>(
            drawn(static_cast<int>(index), r * columns + c * (out.height == 1 ? 8 : 1)) * factor_));
    return out;
  }

  Block product() const {
    Block out{rows, columns, {}};
    const double deviation = product_deviation_ * factor_ * factor_;
    for (int i = 0; i < cells; ++i) {
      const double exact = drawn(5, i) * deviation;
      const double error = std::is_same_v<Real, float> ? drawn(6, i) * product_error * factor_ * factor_ : 0;
      out.values.push_back(static_cast<Real>(exact + error));
    }
    return out;
  }

  Block binary(const Expression& node, const Block& x, const Block& y) {
    const std::string& op = node.op;
    const Real share = op == "lerp" ? static_cast<Real>(attribute(node, "weight")) : Real{0};
    Block out{std::max(x.height, y.height), std::max(x.width, y.width), {}};
    int changed = 0;
    for (int r = 0; r < out.height; ++r)
      for (int c = 0; c < out.width; ++c) {
        const Real a = x.at(r, c), b = y.at(r, c);
        const Real z = op == "add"         ? a + b
                       : op == "sub"       ? a - b
                       : op == "mul"       ? a * b
                       : op == "div"       ? a / b
                       : op == "hypot"     ? std::sqrt(a * a + b * b)
                       : op == "lerp"      ? a + share * (b - a)
                       : op == "logaddexp" ? std::max(a, b) + std::log(1 + std::exp(-std::abs(a - b)))
                       : op == "maximum"   ? std::max(a, b)
                       : op == "minimum"   ? std::min(a, b)
                                           : unknown(op);
        changed += std::abs(z - a) > 1e-3 * (1 + std::abs(a)) && std::abs(z - b) > 0;
        out.values.push_back(z);
      }
    if (op == "maximum" || op == "minimum") idle |= changed * 20 < static_cast<int>(out.values.size());
    return out;
  }

  static Real elementwise(const Expression& node, Real x) {
    const std::string& op = node.op;
    const auto number = [&](const char* name) { return static_cast<Real>(attribute(node, name)); };
    const auto sigmoid = [](Real v) { return 1 / (1 + std::exp(-v)); };
    const auto softplus = [](Real v) { return v > 20 ? v : std::log(1 + std::exp(v)); };
    const auto kept = [](Real v, Real low, Real high) { return std::min(std::max(v, low), high); };
    if (op == "relu") return std::max(x, Real(0));
    if (op == "sigmoid") return sigmoid(x);
    if (op == "tanh") return 2 * sigmoid(2 * x) - 1;
    if (op == "silu") return x * sigmoid(x);
    if (op == "gelu") return Real(0.5) * x * (1 + std::erf(x * Real(0.70710678118654752)));
    if (op == "exp") return std::exp(x);
    if (op == "log") return std::log(x);
    if (op == "sqrt") return std::sqrt(x);
    if (op == "rsqrt") return 1 / std::sqrt(x);
    if (op == "abs") return std::abs(x);
    if (op == "neg") return -x;
    if (op == "square") return x * x;
    if (op == "softplus") return softplus(x);
    if (op == "elu") return x > 0 ? x : std::exp(x) - 1;
    if (op == "leaky_relu") return x > 0 ? x : number("negative_slope") * x;
    if (op == "hardswish") return x * kept(x + 3, 0, 6) / 6;
    if (op == "hardsigmoid") return kept(x + 3, 0, 6) / 6;
    if (op == "relu6") return kept(x, 0, 6);
    if (op == "mish") return x * (2 * sigmoid(2 * softplus(x)) - 1);
    if (op == "softsign") return x / (1 + std::abs(x));
    if (op == "clamp") {
      const Real low = node.attributes.contains("min") ? number("min") : Real(-1e30);
      return kept(x, low, node.attributes.contains("max") ? number("max") : Real(1e30));
    }
    if (op == "hardtanh") return kept(x, number("min_val"), number("max_val"));
    if (op == "celu") {
      const Real alpha = number("alpha");
      return x > 0 ? x : alpha * (std::exp(x / alpha) - 1);
    }
    if (op == "hardshrink") return std::abs(x) > number("lambd") ? x : 0;
    if (op == "softshrink") return x - kept(x, -number("lambd"), number("lambd"));
    if (op == "ceil") return std::ceil(x);
    if (op == "floor") return std::floor(x);
    if (op == "sign") return x > 0 ? Real(1) : x < 0 ? Real(-1) : Real(0);
    if (op == "cosh") return Real(0.5) * (std::exp(x) + std::exp(-x));
    if (op == "sinh") return Real(0.5) * (std::exp(x) - std::exp(-x));
    if (op == "erf") return std::erf(x);
    if (op == "exp2") return std::exp2(x);
    if (op == "expm1") return std::exp(x) - 1;
    if (op == "log1p") return std::log(1 + x);
    if (op == "log2") return std::log2(x);
    if (op == "logsigmoid") return std::min(x, Real(0)) - std::log(1 + std::exp(-std::abs(x)));
    if (op == "selu") return Real(1.0507) * (x > 0 ? x : Real(1.67326) * (std::exp(x) - 1));
    if (op == "tanhshrink") return x - 2 * sigmoid(2 * x) + 1;
    if (op == "sin") return std::sin(x);
    if (op == "cos") return std::cos(x);
    if (op == "reciprocal") return 1 / x;
    return unknown(op);
  }

  [[noreturn]] static Real unknown(const std::string& op) {
    throw std::invalid_argument("the probe can't compute the operator " + op);
  }

  static Block along(const Expression& node, const Block& x) {
    // A vector's only axis is its columns.
    const bool across = node.axis == 1 || node.args[0].shape.size() == 1;
    const int lines = across ? x.height : x.width, length = across ? x.width : x.height;
    const bool reduces = form_of(node.op) == Form::Reduction;
    Block out = x;
    if (reduces) {
      out = {across ? x.height : 1, across ? 1 : x.width, {}};
      // Without keepdim a column of results becomes a vector.
      if (across && !node.keepdim) out = {1, x.height, {}};
      out.values.resize(static_cast<std::size_t>(lines));
    }
    for (int line = 0; line < lines; ++line) {
      const auto cell = [&](int i) { return across ? x.at(line, i) : x.at(i, line); };
      Real sum = 0, squares = 0, high = cell(0), low = cell(0), exponentials = 0;
      for (int i = 0; i < length; ++i) {
        sum += cell(i);
        high = std::max(high, cell(i));
        low = std::min(low, cell(i));
      }
      const Real mean = sum / length;
      for (int i = 0; i < length; ++i) {
        const bool centres = node.op == "layer_norm" || node.op == "var" || node.op == "std";
        const Real centred = centres ? cell(i) - mean : cell(i);
        squares += centred * centred;
        exponentials += std::exp(node.op == "softmin" ? low - cell(i) : cell(i) - high);
      }
      const Real norm = 1 / std::sqrt(squares / length + Real(1e-5));
      if (reduces) {
        out.values[static_cast<std::size_t>(line)] = node.op == "sum"    ? sum * Real(shrink)
                                                     : node.op == "mean" ? mean
                                                     : node.op == "amax" ? high
                                                     : node.op == "amin" ? low
                                                     : node.op == "var"  ? squares / (length - 1)
                                                     : node.op == "std"  ? std::sqrt(squares / (length - 1))
                                                     : node.op == "vector_norm"
                                                         ? std::sqrt(squares * Real(shrink))
                                                     : node.op == "logsumexp" ? high + std::log(exponentials)
                                                                              : unknown(node.op);
        continue;
      }
      Real running = 0;
      for (int i = 0; i < length; ++i) {
        running += cell(i) * Real(shrink);
        const auto place = static_cast<std::size_t>(across ? line * x.width + i : i * x.width + line);
        const Real v = cell(i);
        out.values[place] = node.op == "softmax"       ? std::exp(v - high) / exponentials / Real(shrink)
                            : node.op == "softmin"     ? std::exp(low - v) / exponentials / Real(shrink)
                            : node.op == "cumsum"      ? running
                            : node.op == "normalize"   ? v / std::sqrt(squares * Real(shrink))
                            : node.op == "log_softmax" ? v - high - std::log(exponentials)
                            : node.op == "rms_norm"    ? v * norm
                            : node.op == "layer_norm"  ? (v - mean) * norm
                                                       : unknown(node.op);
      }
    }
    return out;
  }

  const Task& task_;
  double factor_, product_deviation_;
};

/// Share of the values that are further than `distance` · (1 + |centre|) from a centre.
double share_beyond(const std::vector<double>& values, double centre, double distance) {
  std::size_t beyond = 0;
  for (const double value : values) beyond += std::abs(value - centre) > distance * (1 + std::abs(centre));
  return static_cast<double>(beyond) / static_cast<double>(values.size());
}

}  // namespace

ProbeValues probe(const Task& task, double factor, double product_deviation) {
  Evaluation<double> exact(task, factor, product_deviation);
  Evaluation<float> single(task, factor, product_deviation);
  ProbeValues values;
  values.exact = exact.value(task.value).values;
  values.single = single.value(task.value).values;
  values.largest = std::max(exact.largest, single.largest);
  values.idle = exact.idle;
  return values;
}

namespace {

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Would no constant do as an answer at sizes of 4, where products are small?
bool varies_when_tiny(const Task& task) {
  const std::vector<double> values = probe(task, 1, tiny_product).exact;
  return share_beyond(values, median_of(values), 3e-3) > 0.4 && share_beyond(values, 0, 3e-3) > 0.4;
}

}  // namespace

bool is_sane(const Task& task) {
  if (!varies_when_tiny(task)) return false;
  for (const double factor : {1.0, 2.0}) {
    const ProbeValues values = probe(task, factor);
    if (!(values.largest < 2e5)) return false;
    for (std::size_t i = 0; i < values.exact.size(); ++i) {
      if (!(std::abs(values.exact[i]) < 1.5e4)) return false;
      // A tenth of the tolerance of f32: real shapes have more elements than the sample.
      if (!(std::abs(values.single[i] - values.exact[i]) < 1e-5 * (1 + std::abs(values.exact[i]))))
        return false;
    }
    const double median = median_of(values.exact);
    if (factor == 1 && (values.idle || share_beyond(values.exact, median, 2e-3) < 0.3 ||
                        share_beyond(values.exact, 0, 2e-3) < 0.3))
      return false;
    if (share_beyond(values.exact, median, 5e-3) < 0.3) return false;
  }
  return true;
}

bool differ(const Task& a, const Task& b) {
  const auto one = probe(a, 1).exact, other = probe(b, 1).exact;
  if (one.size() != other.size()) return true;
  std::size_t apart = 0;
  for (std::size_t i = 0; i < one.size(); ++i)
    apart += !(std::abs(one[i] - other[i]) < 3e-2 * (1 + std::abs(one[i])));
  return apart * 20 >= one.size();
}

}  // namespace trl::runtime
