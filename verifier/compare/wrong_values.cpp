#include "verifier/compare/wrong_values.hpp"

#include <ATen/core/TensorBody.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "verifier/compare/input_tensors.hpp"
#include "verifier/tasks/honest_error.hpp"

namespace trl::runtime {
namespace {

// A cheap test before the task is computed again: whether no value is wrong by more than a tenth of the
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

/// The pattern of an output's small errors. Rounding alone would spread errors evenly.
class ErrorPattern {
 public:
  ErrorPattern(const Expected& expected, const std::vector<double>& output) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double value = expected.values[i], error = output[i] - value;
      if (!std::isfinite(value) || !std::isfinite(error) || !expected.demands(i)) continue;
      errors_.emplace_back(value, error);
      wrong_ += !expected.accepts(i, output[i]);
      if (expected.accepts(i, output[i])) continue;
      if (std::abs(error) > largest_error_)
        largest_error_ = std::abs(error), largest_allowed_ = expected.tolerance(i);
      above_ += error > 0;
      away_ += error * value > 0;
    }
  }

  /// Whether nearly all values are wrong by the same factor.
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

  /// Says how large the errors are, compared with the errors that rounding may make.
  std::string largest() const {
    return fmt::format("; the largest error is {:.3g}, where rounding may make {:.3g}", largest_error_,
                       largest_allowed_);
  }

  /// Whether the errors have one sign or follow the value. Errors of rounding to nearest do neither.
  bool one_sided_or_smooth() const {
    if (wrong_ < fewest || 2 * wrong_ < errors_.size()) return false;
    return above_ == 0 || above_ == wrong_ || away_ == 0 || away_ == wrong_ || smooth();
  }

 private:
  static constexpr std::size_t fewest = 16, samples = 64;

  // Whether the errors of values next to each other in ascending order mostly have the same sign. Only some
  // of the values are compared, so that many numbers of a half type lie between two of them.
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

  std::vector<std::pair<double, double>> errors_;  // each value, and its error
  std::size_t wrong_ = 0, above_ = 0, away_ = 0;   // wrong values: all, too large, too far from 0
  double largest_error_ = 0, largest_allowed_ = 0;
};

/// The task's values in lower precisions, which show whether a candidate computed in one.
class LowerPrecision {
 public:
  LowerPrecision(const Task& task, const Variation& variation, const std::vector<InputData>& inputs,
                 const Expected& expected, const std::vector<double>& output)
      : tasks_(single_results(task)),
        inputs_(input_tensors(task, variation, inputs)),
        expected_(expected),
        output_(output) {}

  bool in_tf32() const {
    return explains(Lowered::truncated_products, tf32) || explains(Lowered::products, tf32);
  }

  /// Says, in a phrase for the message, how rounding to a half type explains the values; empty if none does.
  std::string in_half() const {
    constexpr std::pair<const char*, int> types[] = {{"bf16", 8}, {"f16", 11}};
    constexpr std::pair<const char*, Lowered> roundings[] = {
        {"inputs", Lowered::inputs},
        {"factors of products", Lowered::products},
        {"values between operators", Lowered::everything}};
    for (const auto& [type, bits] : types) {
      if (has_numbers_of(bits)) return fmt::format("all values are numbers of {}", type);
      for (const auto& [what, rounding] : roundings)
        if (explains(rounding, bits)) return fmt::format("they err as with {} rounded to {}", what, type);
    }
    return "";
  }

 private:
  static constexpr int tf32 = 11;
  static constexpr std::size_t fewest = 8;

  // Whether the output is much nearer to the task's value in a lower precision than to its exact value. By
  // chance, few outputs would be.
  bool explains(Lowered what, int bits) const {
    constexpr double most_left = 0.25;
    if (output_.size() < fewest) return false;
    double all = 0, left = 0;
    std::size_t at = 0;
    for (const Task& one : tasks_) {
      const at::Tensor lowered = lowered_value(one, inputs_, what, bits).contiguous();
      const auto* const values = lowered.const_data_ptr<double>();
      for (std::int64_t i = 0; i < lowered.numel(); ++i, ++at) {
        const double error = output_[at] - expected_.values[at], rest = output_[at] - values[i];
        if (!std::isfinite(error) || !std::isfinite(rest)) continue;
        all += error * error, left += rest * rest;
      }
    }
    return all > 0 && left <= most_left * most_left * all;
  }

  // Whether all values are numbers of a half type and near the right values (within `as_rounded` units of the
  // type), although most right values aren't numbers of that type.
  bool has_numbers_of(int bits) const {
    constexpr double as_rounded = 16;  // units of the type
    std::size_t rounded = 0;
    std::set<double> distinct;  // a sum in f32 that stands still at a large number is one number many times
    for (std::size_t i = 0; i < output_.size(); ++i) {
      const double right = expected_.values[i];
      if (!std::isfinite(right) || !std::isfinite(output_[i])) continue;
      if (!is_number_of(output_[i], bits) ||
          std::abs(output_[i] - right) > std::ldexp(as_rounded * std::abs(right), -bits))
        return false;
      rounded += !is_number_of(right, bits);
      if (distinct.size() < fewest && !is_number_of(right, bits)) distinct.insert(output_[i]);
    }
    return 2 * rounded > output_.size() && distinct.size() >= fewest;
  }

  static bool is_number_of(double x, int bits) {
    int exponent = 0;
    const double significand = std::ldexp(std::frexp(x, &exponent), bits);
    return significand == std::rint(significand);
  }

  std::vector<Task> tasks_;
  std::vector<at::Tensor> inputs_;
  const Expected& expected_;
  const std::vector<double>& output_;
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
        "; what is wrong isn't finite, where the reference is, and PyTorch's own arithmetic in f32 doesn't "
        "fail";
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
        "a sum that loses its small terms",
        how);
  };
  if (pattern.proportional()) return systematic("all of one proportion");
  const LowerPrecision lower(task, variation, inputs, expected, output);
  if (allowed == Precision::task && lower.in_tf32()) {
    wrong.kind = "low_precision";
    wrong.message +=
        "; they err as products in TF32 do, with which the task gives nearly the same values: "
        "`input_precision=\"ieee\"` in tl.dot is the task's precision, and `precision = tf32` allows TF32";
  } else if (const std::string half = lower.in_half(); !half.empty()) {
    wrong.kind = "low_precision";
    wrong.message += fmt::format("; {}, which the task doesn't ask for and `precision = half` allows", half);
  } else if (pattern.one_sided_or_smooth()) {
    systematic("systematic, not those of rounding");
  } else {
    wrong.message += pattern.largest();
  }
}

}  // namespace trl::runtime
