#include "runtime/verify/compare/wrong_values.hpp"

#include <algorithm>
#include <cmath>

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
  if (allowed == Precision::half || half_already || expected.exact() || !nearly_right(expected, output))
    return;
  if (allowed == Precision::task && all_accepted(expect(task, variation, inputs, Precision::tf32), output)) {
    wrong.kind = "low_precision";
    wrong.message +=
        "; they err as products in TF32 do: `input_precision=\"ieee\"` in tl.dot is the task's precision, "
        "and "
        "`precision = tf32` allows TF32";
  } else if (all_accepted(expect(task, variation, inputs, Precision::half), output)) {
    wrong.kind = "low_precision";
    wrong.message +=
        "; they err as half precision does, which the task doesn't ask for and `precision = half` allows";
  }
}

}  // namespace trl::runtime
