#include "runtime/model/language_model.hpp"

#include <cmath>

#include "base/support/error.hpp"
#include "base/support/random.hpp"

namespace trl::runtime {

void check_weights(const ModelConfig& config, const Weights& weights, const QuantisedWeights& quantised) {
  constexpr const char* help =
      "the weights and config.json belong to different models: download the folder again";
  const auto shapes = weight_shapes(config);
  for (const auto& [name, shape] : shapes) {
    std::vector<std::int64_t> sizes;
    if (const auto found = weights.find(name); found != weights.end())
      sizes = found->second.sizes().vec();
    else if (const auto few = quantised.find(name); few != quantised.end())
      sizes = {few->second.out, few->second.in};
    else
      throw UserError(fmt::format("the model lacks the tensor {}", name), help);
    if (sizes != shape) {
      throw UserError(fmt::format("the tensor {} has the shape [{}], config.json asks for [{}]", name,
                                  fmt::join(sizes, ", "), fmt::join(shape, ", ")),
                      help);
    }
  }
  for (const auto& [name, tensor] : weights) {
    if (!shapes.contains(name) && !is_ignored_tensor(config, name)) {
      throw UserError(fmt::format("the tensor {} belongs to no module of a {} model with this config.json",
                                  name, name_of(config.family)),
                      help);
    }
  }
}

std::vector<std::string> quantised_names(const ModelConfig& config) {
  std::vector<std::string> names;
  for (std::int64_t layer = 0; layer < config.layers; ++layer)
    for (const auto projection : projections(config.family))
      names.push_back(module_path(config.family, layer, projection) + ".weight");
  return names;
}

Weights random_weights(const ModelConfig& config, std::int64_t seed) {
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

LanguageModel::LanguageModel(const ModelConfig& config, Weights weights, at::ScalarType compute, Use use)
    : config_(config), weights_(std::move(weights)), compute_(compute) {
  build(use, {});
}

LanguageModel::LanguageModel(const ModelConfig& config, Weights weights, QuantisedWeights quantised,
                             at::ScalarType compute)
    : config_(config), weights_(std::move(weights)), compute_(compute) {
  if (!quantised.empty()) storage_ = quantised.begin()->second.storage;
  build(Use::frozen_differentiable, quantised);
}

void LanguageModel::join_weights() {
  const at::NoGradGuard no_grad;
  const auto join = [&](std::int64_t layer, std::initializer_list<Projection> members) {
    std::vector<at::Tensor> parts;
    for (const auto p : members)
      parts.push_back(weights_.at(module_path(config_.family, layer, p) + ".weight"));
    const auto whole = at::cat(parts);
    std::int64_t first = 0;
    for (const auto p : members) {
      auto& weight = weights_.at(module_path(config_.family, layer, p) + ".weight");
      const auto rows = weight.size(0);
      weight = whole.narrow(0, first, rows);
      first += rows;
    }
  };
  for (std::int64_t i = 0; i < config_.layers; ++i) {
    join(i, {Projection::q, Projection::k, Projection::v});
    if (config_.feed_forward == FeedForwardKind::gated_silu) join(i, {Projection::gate, Projection::up});
  }
}

at::Tensor LanguageModel::joined(std::int64_t layer, std::initializer_list<Projection> members) const {
  const auto& own = layers_[static_cast<std::size_t>(layer)];
  const auto first = own[*members.begin()].weight();
  const auto in = first.size(1);
  std::int64_t rows = 0;
  for (const auto p : members) {
    const auto weight = own[p].weight();
    if (!weight.is_contiguous() || weight.storage().data() != first.storage().data() ||
        weight.storage_offset() != first.storage_offset() + rows * in)
      return {};
    rows += weight.size(0);
  }
  return first.as_strided({rows, in}, {in, 1});
}

void LanguageModel::build(Use use, const QuantisedWeights& quantised) {
  check_weights(config_, weights_, quantised);
  if (use == Use::frozen && quantised.empty() && weights_.begin()->second.is_cuda()) join_weights();
  constexpr std::int64_t kUsualRows = 2048;
  const auto linear = [&](const std::string& path) {
    const auto bias = weights_.find(path + ".bias");
    const auto b = bias == weights_.end() ? at::Tensor() : bias->second;
    if (const auto few = quantised.find(path + ".weight"); few != quantised.end())
      return Linear::quantised(few->second, b);
    const auto& weight = weights_.at(path + ".weight");
    return use == Use::trained ? Linear(weight, b)
                               : Linear::frozen(weight, b, kUsualRows, use == Use::frozen_differentiable);
  };
  embedding_ = weights_.at(fmt::format("{}.weight", kEmbedding));
  const auto norm = [&](const std::string& path) {
    const auto tensor = [&](const std::string& name) {
      const auto found = weights_.find(name);
      if (found == weights_.end()) return at::Tensor();
      return use == Use::trained ? found->second : found->second.to(at::kFloat);
    };
    return Norm{tensor(path + ".weight"), tensor(path + ".bias")};
  };
  final_norm_ = norm(kFinalNorm);
  head_ = linear(config_.tied_embeddings ? kEmbedding : kHead);
  for (std::int64_t i = 0; i < config_.layers; ++i) {
    Layer layer;
    layer.input_norm = norm(input_norm_path(i));
    layer.attention_norm = norm(attention_norm_path(i));
    layer.query_norm = norm(query_norm_path(i));
    layer.key_norm = norm(key_norm_path(i));
    for (const auto p : projections(config_.family))
      layer.projections[static_cast<std::size_t>(p)] = linear(module_path(config_.family, i, p));
    layers_.push_back(std::move(layer));
  }

  const auto tables = rotation_tables(config_);
  cosine_ = tables.cosine.to(embedding_.device());
  sine_ = tables.sine.to(embedding_.device());
}

at::Tensor Norm::operator()(const at::Tensor& x, double epsilon) const {
  const auto w = weight.to(at::kFloat), y = x.to(at::kFloat);
  if (!bias.defined()) return at::rms_norm(y, w.sizes(), w, epsilon);
  return at::layer_norm(y, w.sizes(), w, bias.to(at::kFloat), epsilon);
}

at::Tensor activation(FeedForwardKind kind, const at::Tensor& gate, const at::Tensor& up) {
  return kind == FeedForwardKind::gelu_tanh ? at::gelu(up, "tanh") : at::silu(gate) * up;
}

namespace {

// Scales frequencies by the formulas of transformers' modeling_rope_utils.py, in f32 like there.
at::Tensor scaled(const at::Tensor& frequency, const RopeScaling& scaling) {
  if (scaling.kind == RopeScaling::Kind::none) return frequency;
  const auto slow = frequency / scaling.factor;
  if (scaling.kind == RopeScaling::Kind::linear) return slow;
  const auto context = static_cast<double>(scaling.original_context);
  const auto wavelength = 2 * M_PI / frequency;  // positions
  const auto share = (context / wavelength - scaling.low_frequency_factor) /
                     (scaling.high_frequency_factor - scaling.low_frequency_factor);
  const auto between = (1 - share) * slow + share * frequency;
  return at::where(wavelength > context / scaling.low_frequency_factor, slow,
                   at::where(wavelength < context / scaling.high_frequency_factor, frequency, between));
}

}  // namespace

RotationTables rotation_tables(const ModelConfig& config) {
  const at::NoGradGuard no_grad;
  const auto exponent =
      at::arange(0, config.head_size, 2, at::kFloat) / static_cast<double>(config.head_size);
  const auto frequency =
      scaled(1.0 / at::pow(at::scalar_tensor(config.rope_theta, at::kFloat), exponent), config.rope_scaling);
  const auto angle = at::arange(config.context, at::kFloat).unsqueeze(1) * frequency;
  return {angle.cos(), angle.sin()};
}

at::Tensor rotate(const at::Tensor& x, const at::Tensor& cosine, const at::Tensor& sine) {
  const auto halves = x.chunk(2, -1);
  return at::cat({halves[0] * cosine - halves[1] * sine, halves[1] * cosine + halves[0] * sine}, -1);
}

at::Tensor LanguageModel::project(std::int64_t layer, Projection p, const at::Tensor& x,
                                  const ProjectionHook* hook) const {
  const auto y = layers_[layer][p](x);
  return hook ? hook->apply(layer, p, x, y) : y;
}

at::Tensor LanguageModel::attention(std::int64_t layer, const at::Tensor& x,
                                    const ProjectionHook* hook) const {
  const auto batch = x.size(0), sequence = x.size(1);
  const auto size = config_.head_size, groups = config_.heads / config_.kv_heads;
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
  const auto head = [&](Projection p, std::int64_t heads, const Norm& norm) {
    auto y = split(project(layer, p, x, hook), heads);
    if (norm.defined()) y = norm(y, config_.norm_epsilon);
    return rotate(y, cosine, sine).to(compute_);
  };
  const auto q = head(Projection::q, config_.heads, layers_[layer].query_norm);
  const auto k = head(Projection::k, config_.kv_heads, layers_[layer].key_norm);
  const auto v = split(project(layer, Projection::v, x, hook), config_.kv_heads);
  const auto mixed = at::scaled_dot_product_attention(q, share(k), share(v), {}, 0.0, /*is_causal=*/true);
  return project(layer, Projection::o,
                 mixed.transpose(1, 2).reshape({batch, sequence, config_.query_width()}), hook);
}

at::Tensor LanguageModel::feed_forward(std::int64_t layer, const at::Tensor& x,
                                       const ProjectionHook* hook) const {
  at::Tensor gate;
  if (config_.feed_forward == FeedForwardKind::gated_silu)
    gate = project(layer, Projection::gate, x, hook);  // [batch, sequence, intermediate]
  const auto up = project(layer, Projection::up, x, hook);
  return project(layer, Projection::down, activation(config_.feed_forward, gate, up), hook);
}

at::Tensor LanguageModel::hidden(const at::Tensor& tokens, const ProjectionHook* hook) const {
  TORCH_CHECK(tokens.size(1) <= config_.context, "sequence longer than the model's context");
  const double epsilon = config_.norm_epsilon;
  auto x = at::embedding(embedding_, tokens).to(at::kFloat);  // [batch, sequence, hidden]
  for (std::int64_t i = 0; i < config_.layers; ++i) {
    x = x + attention(i, layers_[i].input_norm(x, epsilon).to(compute_), hook);
    x = x + feed_forward(i, layers_[i].attention_norm(x, epsilon).to(compute_), hook);
  }
  return final_norm_(x, epsilon);
}

at::Tensor LanguageModel::logits(const at::Tensor& hidden) const {
  return head_(hidden.to(compute_)).to(at::kFloat);
}

}  // namespace trl::runtime
