#include "verifier/compare/wrong_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace trl::runtime {
namespace {

bool all_accepted(const Expected& expected, const std::vector<double>& output) {
  for (std::size_t i = 0; i < expected.values.size(); ++i)
    if (!expected.accepts(i, output[i])) return false;
  return true;
}

// A cheap test before tolerances are computed again: whether no value is off by more than a tenth of the
// largest value.
bool nearly_right(const Expected& expected, const std::vector<double>& output) {
  double largest = 0;
  for (const double value : expected.values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < expected.values.size(); ++i)
    if (!expected.accepts(i, output[i]) && !(std::abs(output[i] - expected.values[i]) <= 0.1 * largest))
      return false;
  return true;
}

bool only_overflows(const Expected& expected, const std::vector<double>& output) {
  for (std::size_t i = 0; i < expected.values.size(); ++i)
    if (!expected.accepts(i, output[i]) && (std::isfinite(output[i]) || !std::isfinite(expected.values[i])))
      return false;
  return true;
}

/// Small errors of an output, which rounding alone would spread evenly.
class ErrorPattern {
 public:
  ErrorPattern(const Expected& expected, const std::vector<double>& output) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double value = expected.values[i], error = output[i] - value;
      if (!std::isfinite(value) || !std::isfinite(error) || !expected.demands(i)) continue;
      errors_.emplace_back(value, error);
      wrong_ += !expected.accepts(i, output[i]);
      if (expected.accepts(i, output[i])) continue;
      above_ += error > 0;
      away_ += error * value > 0;
    }
  }

  /// Whether nearly all values are off by one factor.
  bool proportional() const {
    if (wrong_ < fewest || 2 * wrong_ < errors_.size()) return false;
    double products = 0, squares = 0, all = 0, left = 0;
    for (const auto& [value, error] : errors_) products += value * error, squares += value * value;
    const double factor = products / squares;
    for (const auto& [value, error] : errors_)
      all += error * error, left += (error - factor * value) * (error - factor * value);
    constexpr double most_left = 0.01;
    return left <= most_left * most_left * all;
  }

  /// Whether the errors have one sign, or follow the value: neither does what rounds to nearest.
  bool one_sided_or_smooth() const {
    if (wrong_ < fewest || 2 * wrong_ < errors_.size()) return false;
    return above_ == 0 || above_ == wrong_ || away_ == 0 || away_ == wrong_ || smooth();
  }

 private:
  static constexpr std::size_t fewest = 16, samples = 64;

  // Whether errors of values next to each other mostly have the same sign. Only some values are compared, so
  // that there are many numbers of a half type between two of them.
  bool smooth() const {
    if (errors_.size() < samples) return false;
    std::vector<std::pair<double, double>> sorted = errors_;
    std::sort(sorted.begin(), sorted.end());
    const auto error = [&](std::size_t i) { return sorted[i * (sorted.size() - 1) / (samples - 1)].second; };
    std::size_t alike = 0;
    for (std::size_t i = 1; i < samples; ++i) alike += error(i) * error(i - 1) > 0;
    constexpr double least = 0.85;  // independent errors give a half, with a deviation of a sixteenth
    return static_cast<double>(alike) >= least * static_cast<double>(samples - 1);
  }

  std::vector<std::pair<double, double>> errors_;  // the value, and by how much it is off
  std::size_t wrong_ = 0, above_ = 0, away_ = 0;   // above the value; further from 0 than it
};

// Whether a wrong value belongs to a result of integers or conditions: an index, a count.
bool wrong_integers(const std::vector<TensorShape>& results, const Expected& expected,
                    const std::vector<double>& output) {
  std::size_t end = 0;
  for (const TensorShape& result : results) {
    const std::size_t begin = std::exchange(end, end + static_cast<std::size_t>(result.elements()));
    const bool floats = result.dtype[0] == 'f' || result.dtype == "bf16";
    for (std::size_t i = begin; !floats && i < std::min(end, expected.size()); ++i)
      if (!expected.accepts(i, output[i])) return true;
  }
  return false;
}

}  // namespace

void explain_values(ReplayFinding& wrong, const Task& task, const Variation& variation,
                    const std::vector<InputData>& inputs, const Expected& expected,
                    const std::vector<double>& output, Precision allowed) {
  if (wrong.kind != "wrong_values") return;
  if (variation.kind == Variation::Kind::Extreme && only_overflows(expected, output)) {
    wrong.kind = "overflow";
    wrong.message +=
        "; the kernel overflows for large inputs, where neither the reference nor PyTorch's own arithmetic "
        "does";
    return;
  }
  const std::vector<TensorShape> results = output_shapes(task, variation);
  const bool half_already = std::any_of(results.begin(), results.end(), [](const TensorShape& one) {
    return one.dtype == "f16" || one.dtype == "bf16";
  });
  if (allowed == Precision::half || half_already || expected.exact() || !nearly_right(expected, output) ||
      wrong_integers(results, expected, output))
    return;
  const ErrorPattern pattern(expected, output);
  const auto systematic = [&](const char* how) {
    wrong.message += fmt::format(
        "; the errors are small and {}: look for a wrong constant, an approximation that ends too early, or "
        "a sum "
        "that loses its small terms",
        how);
  };
  if (pattern.proportional()) {
    systematic("all of one proportion");
  } else if (allowed == Precision::task &&
             all_accepted(expect(task, variation, inputs, Precision::tf32), output)) {
    wrong.kind = "low_precision";
    wrong.message +=
        "; they err as products in TF32 do: `input_precision=\"ieee\"` in tl.dot is the task's precision, "
        "and "
        "`precision = tf32` allows TF32";
  } else if (pattern.one_sided_or_smooth()) {
    systematic("systematic, not those of rounding");
  } else if (all_accepted(expect(task, variation, inputs, Precision::half), output)) {
    wrong.kind = "low_precision";
    wrong.message +=
        "; they err as half precision does, which the task doesn't ask for and `precision = half` allows";
  }
}

}  // namespace trl::runtime
