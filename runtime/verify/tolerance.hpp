#pragma once
// How far a candidate's value may lie from the reference.
#include <cmath>
#include <string_view>

namespace trl::runtime {

/// |got − reference| ≤ absolute + relative·|reference|.
struct Tolerance {
  double absolute = 0;
  double relative = 0;

  /// NaN is right only where the reference is NaN, an infinity only where it is the same one.
  bool accepts(double got, double reference) const {
    if (std::isnan(reference)) return std::isnan(got);
    if (std::isinf(reference) || std::isinf(got)) return got == reference;
    return std::abs(got - reference) <= absolute + relative * std::abs(reference);
  }
};

/// The tolerance of a task's dtype: "f32", "f16", "bf16". The reference is f64, of inputs as rounded to it.
constexpr Tolerance tolerance(std::string_view dtype) {
  if (dtype == "f16") return {1e-2, 1e-2};
  if (dtype == "bf16") return {2e-2, 2e-2};
  return {1e-4, 1e-4};
}

}  // namespace trl::runtime
