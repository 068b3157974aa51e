// How far an honest computation of a task may come from its exact value, element by element.
#pragma once

#include <ATen/core/TensorBody.h>

#include <string>
#include <vector>

#include "runtime/tasks/precision.hpp"
#include "runtime/tasks/task.hpp"

namespace trl::runtime {

/// The one place where the stated factors stand. The unit roundoff u is half a unit in the last place: 2^-24
/// for f32, 2^-11 for f16 and TF32, 2^-8 for bf16. docs/decisions.md has the measurements behind them.
struct HonestFactors {
  /// Every operator may err as if its arguments and its value were off by so many u of f32: fast exponentials
  /// and divisions, other formulas, other orders.
  static constexpr double computed = 32;
  /// A sum of n terms may err by so many standard deviations' worth of n roundings of its partial sums.
  static constexpr double summed = 8;
  /// A formula through 1 + exp(x) or a polynomial for erf errs by so many u of 1, however small its value.
  static constexpr double beside_one = 16;
  /// A value that is rounded to less than f32 on the way may err by so many of that precision's u.
  static constexpr double rounded = 4;
  /// Partial sums in the precision of a task in f16 or bf16 may err by so many of its u each.
  static constexpr double accumulated = 2;
  /// What eager PyTorch errs by on the same inputs, others may so many times over.
  static constexpr double eager = 4;
};

/// A task's exact value of given inputs, and how far an honest computation may come from it.
struct HonestValue {
  at::Tensor value;  ///< f64, as `reference` gives it
  /// f64, ≥ 0. Infinite where an honest computation may come to anything, or to nothing finite. Undefined
  /// where the value is of integers or conditions that no rounding can change.
  at::Tensor error;
};

/// What every honest computation of a value v of floats may err by, whatever its expression:
/// relative × |v| + absolute. `HonestValue::error` is never less, and takes ten times as long.
struct LeastError {
  double relative = 0, absolute = 0;
};
/// Arguments as those of `honest_value`; `value` is the exact one.
LeastError least_error(const at::Tensor& value, const std::vector<at::Tensor>& inputs,
                       const std::string& dtype, Precision precision);

/// The error is followed through the expression from operator to operator as a standard deviation would be:
/// each operator passes on what its arguments err by, as its own differences at these inputs say, and adds
/// what it errs by itself (HonestFactors); operators that round nothing (views, comparisons, maxima) add
/// nothing. What is integral or a condition may differ only where rounding of what it is made of decides.
/// `dtype` is that of the output, as the variation has it.
/// Inputs are as `reference` takes them. Throws UserError as it does.
HonestValue honest_value(const Task& task, const std::vector<at::Tensor>& inputs, const std::string& dtype,
                         Precision precision);

/// A variant that computes as somebody does who rounds factors of products, or all values, to a lower
/// precision with `significand` bits (11: TF32 and f16, 8: bf16). For showing what a tolerance refuses.
enum class Lowered { products, everything };
at::Tensor lowered_value(const Task& task, const std::vector<at::Tensor>& inputs, Lowered what,
                         int significand);

/// Whether the expression has a product of matrices, a convolution, or attention.
bool uses_products(const Expression& expression);

}  // namespace trl::runtime
