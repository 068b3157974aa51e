// One matrix of the model and its product.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>

#include "runtime/model/quantise.hpp"

namespace trl::runtime {

/// y = x Wᵀ + b in the type of x.
///
/// A frozen f32 matrix on the CPU is packed for oneDNN in advance, which is about twice as fast as ATen's own
/// product on processors where MKL avoids AVX-512 (measured: 217 against 102 GFLOP/s per core).
class Linear {
 public:
  Linear() = default;

  /// weight [out, in], bias [out] or undefined. Differentiable in x, weight and bias.
  Linear(at::Tensor weight, at::Tensor bias) : weight_(std::move(weight)), bias_(std::move(bias)) {}

  /// A matrix that is not trained; `rows` is the usual number of rows of x. With `differentiable`, gradients
  /// flow to x, which takes a second copy of the matrix.
  static Linear frozen(at::Tensor weight, at::Tensor bias, std::int64_t rows, bool differentiable);

  /// A frozen matrix of few bits. Gradients flow to x by the numbers that the matrix stands for
  /// (bitsandbytes' backward pass), through llm_int8's rounding of x as if it weren't there. The matrix is
  /// dequantised when it is used, and no copy is kept.
  static Linear quantised(QuantisedMatrix matrix, at::Tensor bias);

  /// x [..., in] → [..., out].
  at::Tensor operator()(const at::Tensor& x) const;

  /// x [rows, in] → [rows, out], where a row's result doesn't depend on how many others there are. `rows` is
  /// a multiple of 16, and the matrix is frozen. Not differentiable.
  at::Tensor each_row(const at::Tensor& x) const;

  /// [out, in]; a matrix of few bits is dequantised in f32 at each call.
  at::Tensor weight() const;
  const at::Tensor& bias() const { return bias_; }
  /// How many rows the matrix has.
  std::int64_t out() const { return quantised_ ? quantised_->out : weight_.size(0); }
  /// How many columns it has.
  std::int64_t in() const { return quantised_ ? quantised_->in : weight_.size(1); }

  /// The matrix of few bits; null where it isn't.
  const QuantisedMatrix* quantised() const { return quantised_.get(); }

 private:
  at::Tensor weight_, bias_;
  std::shared_ptr<const QuantisedMatrix> quantised_;
  at::Tensor packed_, packed_transpose_;
};

}  // namespace trl::runtime
