#include "runtime/model/qwen2.hpp"

#include <cmath>

#include "ground/error.hpp"
#include "ground/random.hpp"

namespace trl::runtime {

std::string module_path(std::int64_t layer, Projection projection) {
  const auto index = static_cast<std::size_t>(projection);
  return fmt::format("model.layers.{}.{}.{}", layer, projection <= Projection::o ? "self_attn" : "mlp",
                     kProjectionNames[index]);
}

std::array<std::int64_t, 2> projection_shape(const Qwen2Config& config, Projection projection) {
  const auto kv = config.kv_heads * config.head_size();
  switch (projection) {
    case Projection::q:
    case Projection::o:
      return {config.hidden, config.hidden};
    case Projection::k:
    case Projection::v:
      return {kv, config.hidden};
    case Projection::gate:
    case Projection::up:
      return {config.intermediate, config.hidden};
    case Projection::down:
      return {config.hidden, config.intermediate};
  }
  return {0, 0};
}

std::map<std::string, std::vector<std::int64_t>> weight_shapes(const Qwen2Config& config) {
  std::map<std::string, std::vector<std::int64_t>> shapes;
  shapes["model.embed_tokens.weight"] = {config.vocabulary, config.hidden};
  shapes["model.norm.weight"] = {config.hidden};
  if (!config.tied_embeddings) shapes["lm_head.weight"] = {config.vocabulary, config.hidden};
  for (std::int64_t layer = 0; layer < config.layers; ++layer) {
    for (int p = 0; p < 7; ++p) {
      const auto projection = static_cast<Projection>(p);
      const auto [out, in] = projection_shape(config, projection);
      const auto path = module_path(layer, projection);
      shapes[path + ".weight"] = {out, in};
      if (projection <= Projection::v) shapes[path + ".bias"] = {out};
    }
    shapes[fmt::format("model.layers.{}.input_layernorm.weight", layer)] = {config.hidden};
    shapes[fmt::format("model.layers.{}.post_attention_layernorm.weight", layer)] = {config.hidden};
  }
  return shapes;
}

Weights random_weights(const Qwen2Config& config, std::int64_t seed) {
  Weights weights;
  for (const auto& [name, shape] : weight_shapes(config)) {
    if (name.ends_with("norm.weight")) {
      weights[name] = at::ones(shape);
    } else if (name.ends_with(".bias")) {
      weights[name] = at::zeros(shape);
    } else {
      auto tensor = at::empty(shape);
      RandomStream stream(fmt::format("{}/initial weights/{}", seed, name));
      float* values = tensor.mutable_data_ptr<float>();
      for (std::int64_t i = 0; i < tensor.numel(); ++i)
        values[i] = static_cast<float>(0.02 * stream.normal());
      weights[name] = tensor;
    }
  }
  return weights;
}

Qwen2::Qwen2(const Qwen2Config& config, Weights weights, at::ScalarType compute, Use use)
    : config_(config), weights_(std::move(weights)), compute_(compute) {
  for (const auto& [name, shape] : weight_shapes(config_)) {
    const auto found = weights_.find(name);
    if (found == weights_.end())
      throw UserError(fmt::format("the model lacks the tensor {}", name),
                      "the weights and config.json belong to different models: download the folder again");
    if (found->second.sizes() != at::IntArrayRef(shape)) {
      throw UserError(fmt::format("the tensor {} has the shape [{}], config.json asks for [{}]", name,
                                  fmt::join(found->second.sizes(), ", "), fmt::join(shape, ", ")),
                      "the weights and config.json belong to different models: download the folder again");
    }
  }
  constexpr std::int64_t kUsualRows = 2048;
  const auto linear = [&](const std::string& path) {
    const auto bias = weights_.find(path + ".bias");
    const auto& weight = weights_.at(path + ".weight");
    const auto b = bias == weights_.end() ? at::Tensor() : bias->second;
    return use == Use::trained ? Linear(weight, b)
                               : Linear::frozen(weight, b, kUsualRows, use == Use::frozen_differentiable);
  };
  embedding_ = weights_.at("model.embed_tokens.weight");
  const auto norm = [&](const std::string& path) {
    const auto& weight = weights_.at(path + ".weight");
    return use == Use::trained ? weight : weight.to(at::kFloat);
  };
  final_norm_ = norm("model.norm");
  head_ = linear(config_.tied_embeddings ? "model.embed_tokens" : "lm_head");
  for (std::int64_t i = 0; i < config_.layers; ++i) {
    Layer layer;
    layer.input_norm = norm(fmt::format("model.layers.{}.input_layernorm", i));
    layer.attention_norm = norm(fmt::format("model.layers.{}.post_attention_layernorm", i));
    for (int p = 0; p < 7; ++p) layer.projections[p] = linear(module_path(i, static_cast<Projection>(p)));
    layers_.push_back(std::move(layer));
  }

  const auto tables = rotation_tables(config_);
  cosine_ = tables.cosine.to(embedding_.device());
  sine_ = tables.sine.to(embedding_.device());
}

RotationTables rotation_tables(const Qwen2Config& config) {
  const at::NoGradGuard no_grad;
  const auto exponent =
      at::arange(0, config.head_size(), 2, at::kFloat) / static_cast<double>(config.head_size());
  const auto frequency = 1.0 / at::pow(at::scalar_tensor(config.rope_theta, at::kFloat), exponent);
  const auto angle = at::arange(config.context, at::kFloat).unsqueeze(1) * frequency;
  return {angle.cos(), angle.sin()};
}

at::Tensor rotate(const at::Tensor& x, const at::Tensor& cosine, const at::Tensor& sine) {
  const auto halves = x.chunk(2, -1);
  return at::cat({halves[0] * cosine - halves[1] * sine, halves[1] * cosine + halves[0] * sine}, -1);
}

at::Tensor Qwen2::project(std::int64_t layer, Projection p, const at::Tensor& x,
                          const ProjectionHook* hook) const {
  const auto y = layers_[layer][p](x);
  return hook ? hook->apply(layer, p, x, y) : y;
}

at::Tensor Qwen2::attention(std::int64_t layer, const at::Tensor& x, const ProjectionHook* hook) const {
  const auto batch = x.size(0), sequence = x.size(1);
  const auto size = config_.head_size(), groups = config_.heads / config_.kv_heads;
  const auto cosine = cosine_.narrow(0, 0, sequence), sine = sine_.narrow(0, 0, sequence);
  const auto split = [&](const at::Tensor& y, std::int64_t heads) {  // [batch, heads, sequence, head_size]
    return y.view({batch, sequence, heads, size}).transpose(1, 2);
  };
  const auto share = [&](const at::Tensor& y) {  // each key-value head serves `groups` query heads
    return groups == 1 ? y
                       : y.unsqueeze(2)
                             .expand({batch, config_.kv_heads, groups, sequence, size})
                             .reshape({batch, config_.heads, sequence, size});
  };
  const auto q =
      rotate(split(project(layer, Projection::q, x, hook), config_.heads), cosine, sine).to(compute_);
  const auto k =
      rotate(split(project(layer, Projection::k, x, hook), config_.kv_heads), cosine, sine).to(compute_);
  const auto v = split(project(layer, Projection::v, x, hook), config_.kv_heads);
  const auto mixed = at::scaled_dot_product_attention(q, share(k), share(v), {}, 0.0, /*is_causal=*/true);
  return project(layer, Projection::o, mixed.transpose(1, 2).reshape({batch, sequence, config_.hidden}),
                 hook);
}

at::Tensor Qwen2::feed_forward(std::int64_t layer, const at::Tensor& x, const ProjectionHook* hook) const {
  const auto gate = project(layer, Projection::gate, x, hook);  // [batch, sequence, intermediate]
  const auto up = project(layer, Projection::up, x, hook);
  return project(layer, Projection::down, at::silu(gate) * up, hook);
}

at::Tensor Qwen2::hidden(const at::Tensor& tokens, const ProjectionHook* hook) const {
  TORCH_CHECK(tokens.size(1) <= config_.context, "sequence longer than the model's context");
  const auto norm = [&](const at::Tensor& x, const at::Tensor& weight) {
    return at::rms_norm(x, {config_.hidden}, weight.to(at::kFloat), config_.norm_epsilon);
  };
  auto x = at::embedding(embedding_, tokens).to(at::kFloat);  // [batch, sequence, hidden]
  for (std::int64_t i = 0; i < config_.layers; ++i) {
    x = x + attention(i, norm(x, layers_[i].input_norm).to(compute_), hook);
    x = x + feed_forward(i, norm(x, layers_[i].attention_norm).to(compute_), hook);
  }
  return norm(x, final_norm_);
}

at::Tensor Qwen2::logits(const at::Tensor& hidden) const { return head_(hidden.to(compute_)).to(at::kFloat); }

}  // namespace trl::runtime
