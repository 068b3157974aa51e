// Computes a tolerance for each element of a task's output: a bound of the rounding error that an honest
// (correct) computation can have.
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
  /// Each operator may have the error that arises if its arguments and its value have relative errors of this
  /// many u of f32. This allows fast exponentials and divisions, other formulas, and other orders of
  /// summation.
  static constexpr double computed = 32;
  /// The error of a sum of n terms may be this many standard deviations of the total of n rounding errors of
  /// its partial sums.
  static constexpr double summed = 8;
  /// An operator whose formula uses 1 + exp(x), or a polynomial for erf, may have an absolute error of this
  /// many u, even if its value is much smaller than 1.
  static constexpr double beside_one = 16;
  /// An intermediate value that is rounded to a lower precision than f32 may have a relative error of this
  /// many u of that precision.
  static constexpr double rounded = 4;
  /// Each partial sum of a task in f16 or bf16 may have a relative error of this many u of that dtype.
  static constexpr double accumulated = 2;
  /// The error may be this many times the error of eager PyTorch on the same inputs.
  static constexpr double eager = 4;
};

/// A task's exact value for given inputs, and the largest error that an honest computation may have.
struct HonestValue {
  at::Tensor value;  ///< f64, the result of `reference`
  /// The largest allowed error of each element; f64, ≥ 0. It is infinite for an element for which no bound is
  /// known, since an honest computation may give any value. The tensor is undefined if the values are
  /// integers or booleans that rounding can't change.
  at::Tensor error;
  /// Other values that an honest computation may give in place of the exact value, with the same error
  /// (Known::others).
  std::vector<at::Tensor> others;
};

/// A lower bound of `HonestValue::error` for float values: relative × |v| + absolute for a value v. It
/// doesn't depend on the task's expression, and takes a tenth of the time to compute.
struct LeastError {
  double relative = 0, absolute = 0;
};
/// The error that the dtype and the precision alone allow for an output: `relative` × |v| + `computed` × the
/// typical magnitude of the values + `least`, for a value v.
struct OutputRounding {
  double relative = 0, computed = 0, least = 0;
};
OutputRounding output_rounding(const std::string& dtype, Precision precision);

/// Computes the lower bound. `value` is the exact value; the other arguments are as for `honest_value`.
LeastError least_error(const at::Tensor& value, const std::vector<at::Tensor>& inputs,
                       const std::string& dtype, Precision precision);

/// Computes the exact value, and propagates the error through the expression from operator to operator, like
/// a standard deviation. An operator's error combines two parts: the errors of its arguments, multiplied by
/// the operator's numerical derivatives at these inputs, and its own rounding error (HonestFactors).
/// Operators that don't round (views, comparisons, maxima) have no rounding error. Rounding doesn't take an
/// argument out of an operator's domain (operators::Domain). Integers and booleans may differ from the exact
/// ones only where rounding of the arguments can change them, and values computed from them differ only
/// there. `dtype` is the dtype of the output under the variation. Inputs are as for `reference`. Throws
/// UserError as `reference` does.
HonestValue honest_value(const Task& task, const std::vector<at::Tensor>& inputs, const std::string& dtype,
                         Precision precision);

/// The values that `lowered_value` rounds to a lower precision: the factors of products, rounded to nearest
/// or, as in tensor cores, towards zero (`truncated_products`); the inputs alone; the task's value alone; or
/// all values. `lowered_value` computes the task with these values rounded to `significand` bits (11: TF32
/// and f16, 8: bf16). It shows whether the tolerances refuse this precision, and whether a candidate computed
/// in it.
enum class Lowered { products, truncated_products, inputs, output, everything };
at::Tensor lowered_value(const Task& task, const std::vector<at::Tensor>& inputs, Lowered what,
                         int significand);

/// Whether the expression has a product of matrices, a convolution, or attention.
bool uses_products(const Expression& expression);

}  // namespace trl::runtime
