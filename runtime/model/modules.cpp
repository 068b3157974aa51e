#include "runtime/model/modules.hpp"

#include <fmt/format.h>

namespace trl::runtime {

const std::vector<Projection>& projections(Family family) {
  using enum Projection;
  static const std::vector<Projection> gated = {q, k, v, o, gate, up, down}, plain = {q, k, v, o, up, down};
  return family == Family::starcoder2 ? plain : gated;
}

std::string_view projection_name(Family family, Projection projection) {
  static constexpr std::array<std::string_view, kProjections> names = {
      "q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"};
  if (family == Family::starcoder2 && projection == Projection::up) return "c_fc";
  if (family == Family::starcoder2 && projection == Projection::down) return "c_proj";
  return names[static_cast<std::size_t>(projection)];
}

std::string module_path(Family family, std::int64_t layer, Projection projection) {
  return fmt::format("model.layers.{}.{}.{}", layer, projection <= Projection::o ? "self_attn" : "mlp",
                     projection_name(family, projection));
}

std::array<std::int64_t, 2> projection_shape(const ModelConfig& config, Projection projection) {
  switch (projection) {
    case Projection::q:
      return {config.query_width(), config.hidden};
    case Projection::k:
    case Projection::v:
      return {config.key_width(), config.hidden};
    case Projection::o:
      return {config.hidden, config.query_width()};
    case Projection::gate:
    case Projection::up:
      return {config.intermediate, config.hidden};
    case Projection::down:
      return {config.hidden, config.intermediate};
  }
  return {0, 0};
}

bool has_bias(const ModelConfig& config, Projection projection) {
  if (projection <= Projection::v) return config.qkv_bias;
  return projection == Projection::o ? config.output_bias : config.mlp_bias;
}

std::string input_norm_path(std::int64_t layer) {
  return fmt::format("model.layers.{}.input_layernorm", layer);
}
std::string attention_norm_path(std::int64_t layer) {
  return fmt::format("model.layers.{}.post_attention_layernorm", layer);
}
std::string query_norm_path(std::int64_t layer) {
  return fmt::format("model.layers.{}.self_attn.q_norm", layer);
}
std::string key_norm_path(std::int64_t layer) {
  return fmt::format("model.layers.{}.self_attn.k_norm", layer);
}

std::map<std::string, std::vector<std::int64_t>> weight_shapes(const ModelConfig& config) {
  std::map<std::string, std::vector<std::int64_t>> shapes;
  const auto norm = [&](const std::string& path) {
    shapes[path + ".weight"] = {config.hidden};
    if (config.norm == NormKind::layer) shapes[path + ".bias"] = {config.hidden};
  };
  shapes[fmt::format("{}.weight", kEmbedding)] = {config.vocabulary, config.hidden};
  if (!config.tied_embeddings) shapes[fmt::format("{}.weight", kHead)] = {config.vocabulary, config.hidden};
  norm(kFinalNorm);
  for (std::int64_t layer = 0; layer < config.layers; ++layer) {
    for (const auto projection : projections(config.family)) {
      const auto [out, in] = projection_shape(config, projection);
      const auto path = module_path(config.family, layer, projection);
      shapes[path + ".weight"] = {out, in};
      if (has_bias(config, projection)) shapes[path + ".bias"] = {out};
    }
    norm(input_norm_path(layer));
    norm(attention_norm_path(layer));
    if (!config.qk_norm) continue;
    shapes[query_norm_path(layer) + ".weight"] = {config.head_size};
    shapes[key_norm_path(layer) + ".weight"] = {config.head_size};
  }
  return shapes;
}

bool is_ignored_tensor(const ModelConfig& config, const std::string& name) {
  return name.ends_with(".rotary_emb.inv_freq") ||
         (config.tied_embeddings && name == fmt::format("{}.weight", kHead));
}

}  // namespace trl::runtime
