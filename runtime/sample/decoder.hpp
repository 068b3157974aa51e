// Decoding on the CPU: one forward pass over many rows. Each row is one position of a sequence and has its
// own key-value cache.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "runtime/adapter/lora.hpp"
#include "runtime/model/language_model.hpp"
#include "runtime/sample/kernels.hpp"
#include "runtime/tokenizer/tokenizer.hpp"

namespace trl::runtime {

/// Matrices that have the same input, whose outputs are concatenated, and an adapter's addition to these
/// outputs.
struct Product {
  struct Branch {
    std::int64_t begin, width;  // the outputs to which the branch is added
    Linear down, up;            // A [rank, in], scale · B [width, rank]
  };
  std::vector<Linear> matrices;
  std::vector<Branch> branches;

  /// Computes [rows, out] from x [rows, in], by Linear::each_row.
  at::Tensor each_row(const at::Tensor& x) const;
};

/// A frozen model laid out for decoding: the q, k and v matrices are joined, and so are gate and up if the
/// model has a gate; all matrices are packed. Threads share the object.
class DecoderModel {
 public:
  /// Takes a frozen model on the CPU, and an adapter for it, which may be null. The model's matrices stay
  /// unjoined and unchanged.
  DecoderModel(const LanguageModel& model, const Lora* adapter);

  /// Takes weights of any float type, into which any adapter must be merged already. Throws UserError as
  /// check_weights does.
  DecoderModel(const ModelConfig& config, const Weights& weights);

  struct Layer {
    Norm input_norm, attention_norm, query_norm, key_norm;
    Product qkv, o, gate_up, down;
  };
  ModelConfig config;
  at::Tensor embedding, cosine, sine;
  Norm final_norm;
  Linear head;
  std::vector<Layer> layers;
};

/// Keys and values of one sequence, or of a prompt that several share.
class Cache {
 public:
  Cache(const ModelConfig& config, std::int64_t capacity);

  HeadCache head(std::int64_t layer, std::int64_t kv_head, std::int64_t length) const;
  /// Stores the key and the value of one position; each is [head_size].
  void store(std::int64_t layer, std::int64_t kv_head, std::int64_t position, const float* key,
             const float* value);

  std::int64_t capacity() const { return capacity_; }

 private:
  std::int64_t kv_heads_, size_, capacity_, keys_stride_, values_stride_;
  std::vector<float> keys_, values_;
};

/// One position of a sequence for which the forward pass is computed. The position attends to the first
/// `prefix_length` positions of `prefix` (if any), then to positions 0 … index of `own`; its own key and
/// value are stored there at position `index`.
struct Row {
  Token token = 0;
  const Cache* prefix = nullptr;
  std::int64_t prefix_length = 0;
  Cache* own = nullptr;
  std::int64_t index = 0;
  bool wants_logits = true;
};

/// The forward pass of one thread; a Decoder must not be shared by threads.
class Decoder {
 public:
  explicit Decoder(std::shared_ptr<const DecoderModel> model) : model_(std::move(model)) {}

  /// Returns the logits of the rows with `wants_logits`, [such rows, vocabulary] in f32. A row's logits don't
  /// depend on the other rows.
  at::Tensor forward(const std::vector<Row>& rows);

 private:
  void normalise(const Norm& norm, const float* x, std::int64_t width, float* out) const;
  void attention(std::int64_t layer, const std::vector<Row>& rows, float* qkv, float* mixed);

  std::shared_ptr<const DecoderModel> model_;
  std::vector<float> scores_;
};

}  // namespace trl::runtime
