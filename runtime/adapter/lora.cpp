#include "runtime/adapter/lora.hpp"

#include <cmath>

#include "runtime/adapter/dropout.hpp"
#include "runtime/worker/rows.hpp"

namespace trl::runtime {

LoraSettings lora_settings(const nlohmann::json& adapter) {
  LoraSettings settings;
  settings.rank = field<std::int64_t>(adapter, "rank");
  settings.alpha = field<double>(adapter, "alpha");
  settings.dropout = field_or(adapter, "dropout", 0.0);
  if (settings.rank < 1)
    throw StageError(fmt::format("the adapter's rank is {}", settings.rank), "use 1 or more");
  if (!(settings.dropout >= 0 && settings.dropout < 1)) {
    throw StageError(fmt::format("the adapter's dropout is {}", settings.dropout),
                     "use a fraction in [0, 1)");
  }
  auto targets = adapter.value("targets", nlohmann::json("all_linear"));
  if (targets.is_string()) targets = nlohmann::json::array({targets});
  for (const auto& target : targets) {
    const auto name = target.is_string() ? target.get<std::string>() : target.dump();
    bool known = name == "all_linear";
    for (int p = 0; p < 7; ++p) {
      if (name == "all_linear" || name == kProjectionNames[p]) {
        settings.targets.insert(static_cast<Projection>(p));
        known = true;
      }
    }
    if (!known) {
      throw StageError(fmt::format("the adapter's target `{}` is no module of the model", name),
                       fmt::format("use all_linear or some of {}", fmt::join(kProjectionNames, ", ")));
    }
  }
  if (settings.targets.empty()) throw StageError("the adapter has no targets", "use targets = all_linear");
  return settings;
}

Lora Lora::fresh(const Qwen2Config& config, const LoraSettings& settings, std::int64_t seed) {
  Pairs pairs;
  for (std::int64_t layer = 0; layer < config.layers; ++layer) {
    for (const auto projection : settings.targets) {
      const auto [out, in] = projection_shape(config, projection);
      auto a = at::empty({settings.rank, in});
      RandomStream stream(fmt::format("{}/adapter/{}", seed, module_path(layer, projection)));
      const double bound = 1 / std::sqrt(static_cast<double>(in));
      float* values = a.mutable_data_ptr<float>();
      for (std::int64_t i = 0; i < a.numel(); ++i)
        values[i] = static_cast<float>((2 * stream.uniform() - 1) * bound);
      pairs[{layer, projection}] = {a, at::zeros({out, settings.rank})};
    }
  }
  return {settings, std::move(pairs)};
}

at::Tensor Lora::apply(std::int64_t layer, Projection projection, const at::Tensor& x,
                       const at::Tensor& y) const {
  const auto found = pairs_.find({layer, projection});
  if (found == pairs_.end()) return y;
  const auto& [a, b] = found->second;
  auto input = x;
  if (!dropout_keys_.empty() && settings_.dropout > 0) {
    const auto module = static_cast<std::uint64_t>(layer * 7 + static_cast<int>(projection) + 1);
    std::vector<RandomKey> keys;
    for (const auto key : dropout_keys_) keys.push_back({key.value ^ module * 0x9E3779B97F4A7C15});
    input = x * dropout_mask(keys, x.size(1), x.size(2), settings_.dropout, x.device()).to(x.scalar_type());
  }
  const auto type = x.scalar_type();
  const auto low = at::matmul(input, a.t().to(type));  // [batch, sequence, rank]
  return y + at::matmul(low, (b.t() * settings_.scale()).to(type));
}

std::vector<at::Tensor> Lora::parameters() const {
  std::vector<at::Tensor> tensors;
  for (const auto& [module, pair] : pairs_) {
    tensors.push_back(pair.a);
    tensors.push_back(pair.b);
  }
  return tensors;
}

void Lora::prepare_training(const c10::Device& device) {
  for (auto& [module, pair] : pairs_) {
    for (auto* tensor : {&pair.a, &pair.b}) {
      *tensor = tensor->detach().to(device, at::kFloat, false, /*copy=*/true).set_requires_grad(true);
    }
  }
}

Lora Lora::copy_for_thread() const {
  Lora copy = *this;
  for (auto& [module, pair] : copy.pairs_) {
    for (auto* tensor : {&pair.a, &pair.b}) *tensor = tensor->detach().set_requires_grad(true);
  }
  return copy;
}

Weights Lora::merged(const Weights& weights) const {
  const at::NoGradGuard no_grad;
  Weights result = weights;
  for (const auto& [module, pair] : pairs_) {
    auto& weight = result.at(module_path(module.first, module.second) + ".weight");
    const auto delta = at::matmul(pair.b.to(weight.device()), pair.a.to(weight.device())) * settings_.scale();
    weight = (weight.to(at::kFloat) + delta).to(weight.scalar_type());
  }
  return result;
}

}  // namespace trl::runtime
