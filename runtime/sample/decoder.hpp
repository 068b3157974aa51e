// Decoding on the CPU: one forward pass over many rows, each a position of some sequence with a cache of its
// own.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "runtime/model/qwen2.hpp"
#include "runtime/sample/kernels.hpp"
#include "runtime/tokenizer/tokenizer.hpp"

namespace trl::runtime {

/// A frozen model laid out for decoding: q, k, v and gate, up joined, matrices packed. Shared by threads.
class DecoderModel {
 public:
  /// `weights` in any float type (an adapter merged already).
  DecoderModel(const Qwen2Config& config, const Weights& weights);

  struct Layer {
    at::Tensor input_norm, attention_norm;
    Linear qkv, o, gate_up, down;
  };
  Qwen2Config config;
  at::Tensor embedding, final_norm, cosine, sine;
  Linear head;
  std::vector<Layer> layers;
};

/// Keys and values of one sequence, or of a prompt that several share.
class Cache {
 public:
  Cache(const Qwen2Config& config, std::int64_t capacity);

  HeadCache head(std::int64_t layer, std::int64_t kv_head, std::int64_t length) const;
  /// key, value [head_size] of a position.
  void store(std::int64_t layer, std::int64_t kv_head, std::int64_t position, const float* key,
             const float* value);

  std::int64_t capacity() const { return capacity_; }

 private:
  std::int64_t kv_heads_, size_, capacity_, keys_stride_, values_stride_;
  std::vector<float> keys_, values_;
};

/// One position to compute. It attends to the first `prefix_length` positions of `prefix` (if any), then to
/// positions 0 … index of `own`, where its key and value are stored.
struct Row {
  Token token = 0;
  const Cache* prefix = nullptr;
  std::int64_t prefix_length = 0;
  Cache* own = nullptr;
  std::int64_t index = 0;
  bool wants_logits = true;
};

/// Not for several threads at once; each has its own.
class Decoder {
 public:
  explicit Decoder(std::shared_ptr<const DecoderModel> model) : model_(std::move(model)) {}

  /// Logits [rows that want them, vocabulary] in f32. A row's logits don't depend on the other rows.
  at::Tensor forward(const std::vector<Row>& rows);

 private:
  void attention(std::int64_t layer, const std::vector<Row>& rows, float* qkv, float* mixed);

  std::shared_ptr<const DecoderModel> model_;
  std::vector<float> scores_;
};

}  // namespace trl::runtime
