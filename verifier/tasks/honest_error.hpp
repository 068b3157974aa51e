// Bounds the rounding error of an honest computation of a task, element by element.
#pragma once

#include <ATen/core/TensorBody.h>

#include <string>
#include <vector>

#include "verifier/tasks/precision.hpp"
#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// The factors of the error bound. The unit roundoff u is half a unit in the last place: 2^-24 for f32, 2^-11
/// for f16 and TF32, 2^-8 for bf16. docs/decisions.md has the measurements behind the factors.
struct HonestFactors {
  /// Every operator may err as if its arguments and its value were wrong by this many u of f32. This allows
  /// fast exponentials and divisions, other formulas and other orders of summation.
  static constexpr double computed = 32;
  /// A sum of n terms may err by this many standard deviations of n roundings of its partial sums.
  static constexpr double summed = 8;
  /// A formula that uses 1 + exp(x), or a polynomial for erf, may err by this many u of 1, however small its
  /// value.
  static constexpr double beside_one = 16;
  /// A value that is rounded to less than f32 in between may err by this many u of that precision.
  static constexpr double rounded = 4;
  /// Each partial sum of a task in f16 or bf16 may err by this many u of that dtype.
  static constexpr double accumulated = 2;
  /// An honest computation may err by this many times the error of eager PyTorch on the same inputs.
  static constexpr double eager = 4;
};

/// A task's exact value for given inputs, and how far an honest computation may be from it.
struct HonestValue {
  at::Tensor value;  ///< f64, as `reference` gives it
  /// f64, ≥ 0. Infinite where an honest computation may give any value, or no finite one. Undefined where the
  /// value is of integers or conditions that no rounding can change.
  at::Tensor error;
};

/// The error that every honest computation of a float value v may have, whatever its expression: relative ×
/// |v| + absolute. `HonestValue::error` is never less, and takes ten times as long to compute.
struct LeastError {
  double relative = 0, absolute = 0;
};
/// Takes the arguments of `honest_value`; `value` is the exact value.
LeastError least_error(const at::Tensor& value, const std::vector<at::Tensor>& inputs,
                       const std::string& dtype, Precision precision);

/// Computes the value and propagates the error through the expression, from operator to operator, like a
/// standard deviation. Each operator passes on the errors of its arguments, scaled by its own differences at
/// these inputs, and adds an error of its own (HonestFactors); operators that round nothing (views,
/// comparisons, maxima) add none. Integers and conditions may differ only where the rounding of their
/// arguments decides. `dtype` is the output's under the variation. Inputs are as for `reference`. Throws
/// UserError as `reference` does.
HonestValue honest_value(const Task& task, const std::vector<at::Tensor>& inputs, const std::string& dtype,
                         Precision precision);

/// Computes the task with the factors of products, or all values, rounded to a lower precision with
/// `significand` bits (11: TF32 and f16, 8: bf16). It shows what a tolerance refuses.
enum class Lowered { products, everything };
at::Tensor lowered_value(const Task& task, const std::vector<at::Tensor>& inputs, Lowered what,
                         int significand);

/// Whether the expression has a product of matrices, a convolution, or attention.
bool uses_products(const Expression& expression);

}  // namespace trl::runtime
