#include "runtime/train/optimiser.hpp"

#include "base/support/error.hpp"

namespace trl::runtime {

AdamW::AdamW(std::vector<at::Tensor> parameters, double beta1, double beta2, double weight_decay)
    : parameters_(std::move(parameters)), beta1_(beta1), beta2_(beta2), weight_decay_(weight_decay) {
  const at::NoGradGuard no_grad;
  for (const auto& parameter : parameters_) {
    first_.push_back(at::zeros_like(parameter));
    second_.push_back(at::zeros_like(parameter));
    steps_.push_back(at::zeros({}, parameter.options()));
  }
}

void AdamW::step(const std::vector<at::Tensor>& gradients, double learning_rate) {
  const at::NoGradGuard no_grad;
  for (const bool matrices : {true, false}) {
    std::vector<at::Tensor> parameters, grads, first, second, steps;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if ((parameters_[i].dim() >= 2) != matrices) continue;
      parameters.push_back(parameters_[i]);
      grads.push_back(gradients[i]);
      first.push_back(first_[i]);
      second.push_back(second_[i]);
      steps.push_back(steps_[i]);
    }
    if (parameters.empty()) continue;
    at::_foreach_add_(steps, 1);
    at::_fused_adamw_(parameters, grads, first, second, {}, steps, learning_rate, beta1_, beta2_,
                      matrices ? weight_decay_ : 0.0, 1e-8, /*amsgrad=*/false, /*maximize=*/false);
  }
}

std::vector<at::Tensor> AdamW::state() const {
  std::vector<at::Tensor> all;
  for (const auto* of : {&first_, &second_, &steps_}) all.insert(all.end(), of->begin(), of->end());
  return all;
}

void AdamW::set_state(const std::vector<at::Tensor>& state) {
  const at::NoGradGuard no_grad;
  const auto own = this->state();
  bool fits = own.size() == state.size();
  for (std::size_t i = 0; fits && i < own.size(); ++i) fits = own[i].sizes() == state[i].sizes();
  if (!fits)
    throw UserError("the optimiser's stored state is that of another adapter",
                    "go on with the same adapter settings, or write `optimiser_state = fresh`");
  for (std::size_t i = 0; i < own.size(); ++i) own[i].copy_(state[i]);
}

at::Tensor clip_gradients(const std::vector<at::Tensor>& gradients, double limit) {
  const at::NoGradGuard no_grad;
  if (gradients.empty()) return at::zeros({});
  const auto norm = at::linalg_vector_norm(at::stack(at::_foreach_norm(gradients)));
  if (limit > 0) at::_foreach_mul_(gradients, (limit / (norm + 1e-6)).clamp_max(1.0));
  return norm;
}

}  // namespace trl::runtime
