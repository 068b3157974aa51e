#include "runtime/train/lora_step.hpp"

#include <algorithm>

#include "runtime/train/lora_pass.hpp"

namespace trl::runtime {
namespace {

using Floats = std::vector<float>;

Floats copy_of(const at::Tensor& tensor) {
  const auto flat = tensor.detach().to(at::kCPU, at::kFloat).contiguous();
  return {flat.const_data_ptr<float>(), flat.const_data_ptr<float>() + flat.numel()};
}

// Packs matrix [rows, columns] into panels of its columns.
Floats packed(const at::Tensor& matrix, double scale = 1) {
  const auto rows = matrix.size(0), columns = matrix.size(1);
  const auto flat = (matrix.detach().to(at::kCPU, at::kFloat) * scale).contiguous();
  const float* values = flat.const_data_ptr<float>();
  Floats out(static_cast<std::size_t>(panelled(columns) * rows));
  for (std::int64_t k = 0; k < rows; ++k)
    for (std::int64_t n = 0; n < columns; ++n)
      out[static_cast<std::size_t>((n / kPanel * rows + k) * kPanel + n % kPanel)] = values[k * columns + n];
  return out;
}

}  // namespace

bool LoraStep::supports(const ModelConfig& config) {
  return config.norm == NormKind::rms && config.feed_forward == FeedForwardKind::gated_silu;
}

LoraStep::LoraStep(const ModelConfig& config, const Weights& weights, const LoraSettings& settings)
    : config_(config), settings_(settings) {
  const at::NoGradGuard no_grad;
  const auto take = [&](std::int64_t padded, std::int64_t width) {
    const auto begin = gradient_size_;
    gradient_size_ += static_cast<std::size_t>(padded * panelled(width));
    return begin;
  };
  const auto join = [&](std::int64_t layer, std::initializer_list<Projection> projections) {
    Joined joined;
    std::vector<at::Tensor> parts, biases;
    for (const auto projection : projections) {
      const auto path = module_path(config_.family, layer, projection);
      const auto [out, in] = projection_shape(config_, projection);
      if (settings_.targets.contains(projection)) {
        const auto own = settings_.module(layer, projection);
        const auto padded = (own.rank + 15) / 16 * 16;
        Branch branch{layer, in, out, joined.out, projection, own.rank, padded, own.scale, {}, {}, {}, {}};
        branch.d_down = take(padded, in);
        branch.d_up = take(padded, out);
        largest_ = std::max(largest_, padded);
        joined.branches.push_back(std::move(branch));
      }
      parts.push_back(weights.at(path + ".weight"));
      if (weights.contains(path + ".bias")) biases.push_back(weights.at(path + ".bias"));
      joined.in = in;
      joined.out += out;
    }
    const auto whole = at::cat(parts);
    joined.forward = packed(whole.t());
    joined.backward = packed(whole);
    if (!biases.empty()) joined.bias = copy_of(at::cat(biases));
    return joined;
  };
  embedding_ = copy_of(weights.at("model.embed_tokens.weight"));
  final_norm_ = copy_of(weights.at("model.norm.weight"));
  const auto& head = weights.at(config_.tied_embeddings ? "model.embed_tokens.weight" : "lm_head.weight");
  head_ = {config_.hidden, config_.vocabulary, packed(head.t()), packed(head), {}, {}};
  using enum Projection;
  for (std::int64_t i = 0; i < config_.layers; ++i) {
    layers_.push_back({copy_of(weights.at(fmt::format("model.layers.{}.input_layernorm.weight", i))),
                       copy_of(weights.at(fmt::format("model.layers.{}.post_attention_layernorm.weight", i))),
                       join(i, {q, k, v}),
                       join(i, {o}),
                       join(i, {gate, up}),
                       join(i, {down}),
                       {},
                       {}});
    if (!config_.qk_norm) continue;
    layers_.back().query_norm = copy_of(weights.at(query_norm_path(i) + ".weight"));
    layers_.back().key_norm = copy_of(weights.at(key_norm_path(i) + ".weight"));
  }
  const auto tables = rotation_tables(config_);
  cosine_ = copy_of(tables.cosine);
  sine_ = copy_of(tables.sine);
  sine_back_ = copy_of(-tables.sine);
}

void LoraStep::load(const Lora& lora) {
  const at::NoGradGuard no_grad;
  for (auto& layer : layers_) {
    for (auto* joined : {&layer.qkv, &layer.o, &layer.gate_up, &layer.down}) {
      for (auto& branch : joined->branches) {
        const auto& [a, b] = lora.pairs().at({branch.layer, branch.projection});
        branch.down = packed(a.t());
        branch.down_back = packed(a);
        branch.up = packed(b.t(), branch.scale);
        branch.up_back = packed(b, branch.scale);
      }
    }
  }
}

std::int64_t LoraStep::answer_tokens(const Document& document) const {
  return runtime::answer_tokens(document, config_.context);
}

LoraStep::Part LoraStep::run(const Document& document, RandomKey key, float scale, Room& room) const {
  if (answer_tokens(document) == 0 || document.weight == 0) return {0, Floats(gradient_size_)};
  auto part = LoraPass(*this, document, key, room).run(scale * document.weight);
  part.loss *= document.weight;
  return part;
}

LoraStep::Part LoraStep::run(const Document& document, RandomKey key, const Coefficients& coefficients,
                             Room& room) const {
  if (answer_tokens(document) == 0) return {0, Floats(gradient_size_)};
  return LoraPass(*this, document, key, room).run(coefficients);
}

Floats LoraStep::log_probabilities(const Document& document, bool adapted, std::optional<RandomKey> key,
                                   Room& room) const {
  if (answer_tokens(document) == 0) return {};
  return LoraPass(*this, document, key, room, adapted).log_probabilities();
}

std::vector<at::Tensor> LoraStep::tensors(std::span<const float> gradient) const {
  std::map<std::pair<std::int64_t, Projection>, std::array<at::Tensor, 2>> pairs;
  const auto rows = [&](std::size_t begin, std::int64_t rank, std::int64_t width) {  // [rank, width]
    return at::from_blob(const_cast<float*>(gradient.data()) + begin, {rank, width}, {panelled(width), 1},
                         at::kFloat);
  };
  for (const auto& layer : layers_) {
    for (const auto* joined : {&layer.qkv, &layer.o, &layer.gate_up, &layer.down}) {
      for (const auto& branch : joined->branches) {
        pairs[{branch.layer, branch.projection}] = {
            rows(branch.d_down, branch.rank, branch.in).clone(at::MemoryFormat::Contiguous),
            (rows(branch.d_up, branch.rank, branch.out).t() * branch.scale).contiguous()};
      }
    }
  }
  std::vector<at::Tensor> tensors;
  for (auto& [module, pair] : pairs) tensors.insert(tensors.end(), pair.begin(), pair.end());
  return tensors;
}

}  // namespace trl::runtime
