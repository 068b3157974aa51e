// Sizes of models with which decoding is tested.
#pragma once

#include <vector>

#include "runtime/model/config.hpp"

namespace trl::runtime::testing {

struct Sizes {
  Family family;
  std::int64_t hidden, layers, heads, kv_heads, head_size, intermediate, vocabulary;
};

inline ModelConfig config_of(const Sizes& sizes, bool tied = false) {
  auto config = family_config(sizes.family);
  config.hidden = sizes.hidden;
  config.layers = sizes.layers;
  config.heads = sizes.heads;
  config.kv_heads = sizes.kv_heads;
  config.head_size = sizes.head_size;
  config.intermediate = sizes.intermediate;
  config.vocabulary = sizes.vocabulary;
  config.context = 2048;
  config.tied_embeddings = tied;
  return config;
}

/// Published models, from their config.json.
inline std::vector<ModelConfig> published() {
  return {config_of({Family::qwen2, 3584, 28, 28, 4, 128, 18944, 152064}),
          config_of({Family::qwen2, 896, 24, 14, 2, 64, 4864, 151936}, true),
          config_of({Family::qwen2, 5120, 64, 40, 8, 128, 27648, 152064}),
          config_of({Family::qwen3, 4096, 36, 32, 8, 128, 12288, 151936}),
          config_of({Family::llama, 4096, 32, 32, 32, 128, 11008, 32256}),
          config_of({Family::llama, 8192, 48, 64, 8, 128, 22016, 32000}),
          config_of({Family::starcoder2, 4608, 32, 36, 4, 128, 18432, 49152}),
          config_of({Family::qwen2, 256, 6, 4, 2, 64, 640, 764}, true)};
}

/// Small models of every family, with: one and several query heads for each key head, more than eight of
/// them, sizes that are odd multiples of 32, and heads of 32, 64, 96 and 128. The sizes of the last model
/// suit every storage.
inline std::vector<ModelConfig> small() {
  return {config_of({Family::qwen2, 96, 2, 3, 1, 32, 224, 301}, true),
          config_of({Family::qwen2, 896, 3, 14, 2, 64, 1088, 1003}),
          config_of({Family::qwen3, 160, 2, 8, 2, 64, 352, 517}),
          config_of({Family::qwen3, 512, 2, 4, 4, 128, 544, 777}, true),
          config_of({Family::llama, 288, 3, 3, 3, 96, 416, 650}),
          config_of({Family::starcoder2, 384, 2, 12, 1, 32, 704, 431}, true),
          config_of({Family::qwen2, 256, 6, 4, 2, 64, 640, 764}, true),
          config_of({Family::qwen3, 1024, 2, 8, 2, 128, 1792, 700})};
}

}  // namespace trl::runtime::testing
