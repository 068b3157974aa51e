// AdamW and gradient clipping.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace trl::runtime {

/// AdamW (Loshchilov and Hutter, 2019). Weight decay applies to matrices alone, not to norms and biases.
class AdamW {
 public:
  AdamW(std::vector<at::Tensor> parameters, double beta1, double beta2, double weight_decay);

  /// Updates the parameters once. `gradients` are in the order of the parameters.
  void step(const std::vector<at::Tensor>& gradients, double learning_rate);

  /// Returns the two moments of each parameter and the number of steps, in the order of the parameters.
  /// `set_state` makes another AdamW with the same parameters continue from them.
  std::vector<at::Tensor> state() const;
  /// Sets the state that `state` returned. Throws UserError when the number or the shapes of the tensors
  /// don't match the parameters.
  void set_state(const std::vector<at::Tensor>& state);

 private:
  std::vector<at::Tensor> parameters_, first_, second_, steps_;
  double beta1_, beta2_, weight_decay_;
};

/// Scales the gradients so that their joint Euclidean norm is at most `limit` (does nothing if limit <= 0).
/// Returns their norm before scaling, a scalar on their device whose computation may still be running; 0 if
/// there are no gradients.
at::Tensor clip_gradients(const std::vector<at::Tensor>& gradients, double limit);

}  // namespace trl::runtime
