// AdamW and gradient clipping.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace trl::runtime {

/// AdamW (Loshchilov and Hutter, 2019). Weight decay applies to matrices alone, not to norms and biases.
class AdamW {
 public:
  AdamW(std::vector<at::Tensor> parameters, double beta1, double beta2, double weight_decay);

  /// One update from gradients in the order of the parameters.
  void step(const std::vector<at::Tensor>& gradients, double learning_rate);

  /// Both moments of each parameter and the number of steps that they are of, in the order of the parameters:
  /// with them another AdamW of the same parameters goes on as this one would.
  std::vector<at::Tensor> state() const;
  /// Throws UserError where numbers or shapes differ from the parameters'.
  void set_state(const std::vector<at::Tensor>& state);

 private:
  std::vector<at::Tensor> parameters_, first_, second_, steps_;
  double beta1_, beta2_, weight_decay_;
};

/// Scales the gradients so that their joint Euclidean norm is at most `limit` (nothing when limit <= 0).
/// Returns the norm that they had, a scalar on their device whose computation may still be under way; 0 for
/// no gradients.
at::Tensor clip_gradients(const std::vector<at::Tensor>& gradients, double limit);

}  // namespace trl::runtime
