// One matrix of the model and its product.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>

#include "runtime/model/quantise.hpp"

namespace trl::runtime {

/// A linear layer y = x Wᵀ + b, computed in the type of x.
///
/// A frozen f32 matrix on the CPU is packed for oneDNN in advance, which is about twice as fast as ATen's own
/// product on processors where MKL avoids AVX-512 (measured: 217 against 102 GFLOP/s per core).
class Linear {
 public:
  Linear() = default;

  /// Makes a Linear from a weight [out, in] and a bias, which is [out] or undefined. It is differentiable in
  /// x, weight and bias.
  Linear(at::Tensor weight, at::Tensor bias) : weight_(std::move(weight)), bias_(std::move(bias)) {}

  /// Makes a Linear whose matrix is not trained. `rows` is the usual number of rows of x. With
  /// `differentiable`, gradients flow to x; this takes a second copy of the matrix.
  static Linear frozen(at::Tensor weight, at::Tensor bias, std::int64_t rows, bool differentiable);

  /// Makes a Linear with a quantised matrix, which is not trained. Gradients flow to x through the
  /// dequantised matrix, as in bitsandbytes; the backward pass ignores that llm_int8 rounds x. The matrix is
  /// dequantised at each use, and no copy is kept.
  static Linear quantised(QuantisedMatrix matrix, at::Tensor bias);

  /// Computes [..., out] from x [..., in].
  at::Tensor operator()(const at::Tensor& x) const;

  /// Computes [rows, out] from x [rows, in]. The result of a row doesn't depend on the number of rows, which
  /// must be a multiple of 16. The matrix must be frozen. Not differentiable.
  at::Tensor each_row(const at::Tensor& x) const;

  /// Returns the matrix [out, in]. A quantised matrix is dequantised to f32 at each call.
  at::Tensor weight() const;
  const at::Tensor& bias() const { return bias_; }
  /// The number of rows of the matrix.
  std::int64_t out() const { return quantised_ ? quantised_->out : weight_.size(0); }
  /// The number of columns of the matrix.
  std::int64_t in() const { return quantised_ ? quantised_->in : weight_.size(1); }

  /// The quantised matrix; null if the matrix isn't quantised.
  const QuantisedMatrix* quantised() const { return quantised_.get(); }

 private:
  at::Tensor weight_, bias_;
  std::shared_ptr<const QuantisedMatrix> quantised_;
  at::Tensor packed_, packed_transpose_;
};

}  // namespace trl::runtime
