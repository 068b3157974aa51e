#include "verifier/corpus/probe.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "base/operators/operator_ids.hpp"

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

/// The quantiles of the normal distribution in ascending order. The smallest and the largest are what 16,384
/// draws reach.
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
    if (node.op == Operator::matmul) return product();
    if (!operators::row(node.op).written_answers) unknown(node.op);
    const Block x = value(node.args[0]);
    if (node.args.size() == 2) return binary(node, x, value(node.args[1]));
    const Form form = form_of(node.op);
    if (form == Form::Transpose) return x;
    if (form == Form::Elementwise) {
      Block out = x;
      int changed = 0;
      for (Real& number : out.values) {
        const Real before = number;
        number = formula(node, number, 0);
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
    Block out{std::max(x.height, y.height), std::max(x.width, y.width), {}};
    int changed = 0;
    for (int r = 0; r < out.height; ++r)
      for (int c = 0; c < out.width; ++c) {
        const Real a = x.at(r, c), b = y.at(r, c);
        const Real z = formula(node, a, b);
        changed += std::abs(z - a) > 1e-3 * (1 + std::abs(a)) && std::abs(z - b) > 0;
        out.values.push_back(z);
      }
    if (node.op == Operator::maximum || node.op == Operator::minimum)
      idle |= changed * 20 < static_cast<int>(out.values.size());
    return out;
  }

  /// Applies an elementwise operator; y is the second argument, if it takes two.
  static Real formula(const Expression& node, Real x, Real y) {
    const auto number = [&](const char* name) { return static_cast<Real>(attribute(node, name)); };
    const auto sigmoid = [](Real v) { return 1 / (1 + std::exp(-v)); };
    const auto softplus = [](Real v) { return v > 20 ? v : std::log(1 + std::exp(v)); };
    const auto kept = [](Real v, Real low, Real high) { return std::min(std::max(v, low), high); };
    switch (node.op) {
      case Operator::abs:
        return std::abs(x);
      case Operator::ceil:
        return std::ceil(x);
      case Operator::celu:
        return x > 0 ? x : number("alpha") * (std::exp(x / number("alpha")) - 1);
      case Operator::clamp: {
        const Real low = node.attributes.contains("min") ? number("min") : Real(-1e30);
        return kept(x, low, node.attributes.contains("max") ? number("max") : Real(1e30));
      }
      case Operator::cos:
        return std::cos(x);
      case Operator::cosh:
        return Real(0.5) * (std::exp(x) + std::exp(-x));
      case Operator::deg2rad:
        return x * Real(0.017453292519943295);
      case Operator::elu:
        return x > 0 ? x : std::exp(x) - 1;
      case Operator::erf:
        return std::erf(x);
      case Operator::exp:
        return std::exp(x);
      case Operator::exp2:
        return std::exp2(x);
      case Operator::expm1:
        return std::exp(x) - 1;
      case Operator::floor:
        return std::floor(x);
      case Operator::gelu:
        return Real(0.5) * x * (1 + std::erf(x * Real(0.70710678118654752)));
      case Operator::hardshrink:
        return std::abs(x) > number("lambd") ? x : 0;
      case Operator::hardsigmoid:
        return kept(x + 3, 0, 6) / 6;
      case Operator::hardswish:
        return x * kept(x + 3, 0, 6) / 6;
      case Operator::hardtanh:
        return kept(x, number("min_val"), number("max_val"));
      case Operator::leaky_relu:
        return x > 0 ? x : number("negative_slope") * x;
      case Operator::log:
        return std::log(x);
      case Operator::log1p:
        return std::log(1 + x);
      case Operator::log2:
        return std::log2(x);
      case Operator::logsigmoid:
        return std::min(x, Real(0)) - std::log(1 + std::exp(-std::abs(x)));
      case Operator::mish:
        return x * (2 * sigmoid(2 * softplus(x)) - 1);
      case Operator::neg:
        return -x;
      case Operator::reciprocal:
        return 1 / x;
      case Operator::relu:
        return std::max(x, Real(0));
      case Operator::relu6:
        return kept(x, 0, 6);
      case Operator::rsqrt:
        return 1 / std::sqrt(x);
      case Operator::selu:
        return Real(1.0507) * (x > 0 ? x : Real(1.67326) * (std::exp(x) - 1));
      case Operator::sigmoid:
        return sigmoid(x);
      case Operator::sign:
        return x > 0 ? Real(1) : x < 0 ? Real(-1) : Real(0);
      case Operator::silu:
        return x * sigmoid(x);
      case Operator::sin:
        return std::sin(x);
      case Operator::sinh:
        return Real(0.5) * (std::exp(x) - std::exp(-x));
      case Operator::softplus:
        return softplus(x);
      case Operator::softshrink:
        return x - kept(x, -number("lambd"), number("lambd"));
      case Operator::softsign:
        return x / (1 + std::abs(x));
      case Operator::sqrt:
        return std::sqrt(x);
      case Operator::square:
        return x * x;
      case Operator::tanh:
        return 2 * sigmoid(2 * x) - 1;
      case Operator::tanhshrink:
        return x - 2 * sigmoid(2 * x) + 1;
      case Operator::add:
        return x + y;
      case Operator::div:
        return x / y;
      case Operator::hypot:
        return std::sqrt(x * x + y * y);
      case Operator::lerp:
        return x + number("weight") * (y - x);
      case Operator::logaddexp:
        return std::max(x, y) + std::log(1 + std::exp(-std::abs(x - y)));
      case Operator::maximum:
        return std::max(x, y);
      case Operator::minimum:
        return std::min(x, y);
      case Operator::mul:
        return x * y;
      case Operator::sub:
        return x - y;
#define TRL_LINE(name, ...) case Operator::name:
#define TRL_OPERATOR(name, ...) case Operator::name:
#define TRL_UNWRITTEN(name, ...) case Operator::name:
#define TRL_ALIAS(name, ...) case Operator::name:
#include "base/operators/operators.def"
        break;
    }
    unknown(node.op);
  }

  [[noreturn]] static void unknown(Operator op) {
    throw std::invalid_argument("the probe can't compute the operator " + name_of(op));
  }

  /// The totals of the elements of one row or column.
  struct Line {
    Real sum = 0, mean = 0, squares = 0, high, low, exponentials = 0, length;
    Real running = 0;  // the sum so far
  };

  /// The value of an operator along an axis for the element v of a line; a reduction's value doesn't depend
  /// on v.
  static Real in_line(Operator op, Real v, const Line& line) {
    const Real norm = 1 / std::sqrt(line.squares / line.length + Real(1e-5));
    switch (op) {
      case Operator::amax:
        return line.high;
      case Operator::amin:
        return line.low;
      case Operator::logsumexp:
        return line.high + std::log(line.exponentials);
      case Operator::mean:
        return line.mean;
      case Operator::std:
        return std::sqrt(line.squares / (line.length - 1));
      case Operator::sum:
        return line.sum * Real(shrink);
      case Operator::var:
        return line.squares / (line.length - 1);
      case Operator::vector_norm:
        return std::sqrt(line.squares * Real(shrink));
      case Operator::cumsum:
        return line.running;
      case Operator::layer_norm:
        return (v - line.mean) * norm;
      case Operator::log_softmax:
        return v - line.high - std::log(line.exponentials);
      case Operator::normalize:
        return v / std::sqrt(line.squares * Real(shrink));
      case Operator::rms_norm:
        return v * norm;
      case Operator::softmax:
        return std::exp(v - line.high) / line.exponentials / Real(shrink);
      case Operator::softmin:
        return std::exp(line.low - v) / line.exponentials / Real(shrink);
#define TRL_ELEMENT(name, ...) case Operator::name:
#define TRL_OPERATOR(name, ...) case Operator::name:
#define TRL_UNWRITTEN(name, ...) case Operator::name:
#define TRL_ALIAS(name, ...) case Operator::name:
#include "base/operators/operators.def"
        break;
    }
    unknown(op);
  }

  static Block along(const Expression& node, const Block& x) {
    // A vector's only axis is its columns.
    const bool across = node.axis == 1 || node.args[0].shape.size() == 1;
    const int lines = across ? x.height : x.width, length = across ? x.width : x.height;
    const bool reduces = form_of(node.op) == Form::Reduction;
    Block out = x;
    if (reduces) {
      out = {across ? x.height : 1, across ? 1 : x.width, {}};
      // Without keepdim, the column of results becomes a vector.
      if (across && !node.keepdim) out = {1, x.height, {}};
      out.values.resize(static_cast<std::size_t>(lines));
    }
    for (int line = 0; line < lines; ++line) {
      const auto cell = [&](int i) { return across ? x.at(line, i) : x.at(i, line); };
      Line own{};
      own.high = own.low = cell(0);
      own.length = static_cast<Real>(length);
      for (int i = 0; i < length; ++i) {
        own.sum += cell(i);
        own.high = std::max(own.high, cell(i));
        own.low = std::min(own.low, cell(i));
      }
      own.mean = own.sum / own.length;
      using enum Operator;
      const bool centres = node.op == layer_norm || node.op == var || node.op == std;
      for (int i = 0; i < length; ++i) {
        const Real centred = centres ? cell(i) - own.mean : cell(i);
        own.squares += centred * centred;
        own.exponentials += std::exp(node.op == softmin ? own.low - cell(i) : cell(i) - own.high);
      }
      if (reduces) {
        out.values[static_cast<std::size_t>(line)] = in_line(node.op, 0, own);
        continue;
      }
      for (int i = 0; i < length; ++i) {
        own.running += cell(i) * Real(shrink);
        const auto place = static_cast<std::size_t>(across ? line * x.width + i : i * x.width + line);
        out.values[place] = in_line(node.op, cell(i), own);
      }
    }
    return out;
  }

  const Task& task_;
  double factor_, product_deviation_;
};

/// The share of the values whose distance from `centre` is above `distance` · (1 + |centre|).
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

/// Whether no constant is a right answer at sizes of 4, at which products are small.
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
      // The limit is a tenth of f32's tolerance, because real shapes have more elements than the sample.
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
