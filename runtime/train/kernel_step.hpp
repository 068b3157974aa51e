// A LoRA adapter's training step on a GPU, with forward and backward pass written out.
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "runtime/adapter/lora.hpp"
#include "runtime/kernels/kernels.hpp"
#include "runtime/train/adapter_products.hpp"
#include "runtime/train/packing.hpp"
#include "runtime/train/trainer.hpp"

namespace trl::runtime {

/// Computes the gradient of an adapter on a frozen model in bf16, for documents packed after each other. The
/// adapter's products (adapter_products.hpp) and the operations between matrix products are kernels of this
/// project; the other matrix products are cuBLAS's, and attention is ATen's flash attention. The residual
/// stream and its gradient are f32. Logits are computed for a limited number of rows at a time.
class KernelStep {
 public:
  /// Returns the reason why KernelStep can't train a model (its norms, its activation, sizes that aren't
  /// multiples of 64, or its storage); "" if it can.
  static std::string reason_against(const LanguageModel& model);

  /// The sources of the kernels that KernelStep launches.
  static std::vector<KernelSource> sources(const ModelConfig& config, const LoraSettings& settings);

  /// `model` must outlive this object; `reason_against(model)` must be "".
  KernelStep(const LanguageModel& model, const LoraSettings& settings);

  /// Copies the adapter's values, and sets the gradients to zero.
  void load(const Lora& lora);

  struct Scores {
    at::Tensor log_probabilities;  // [answer tokens] f32
    at::Tensor entropy;            // [answer tokens] f32, of the model's distribution
  };
  /// A function from the log-probabilities of the answer tokens to the derivative of the loss by each,
  /// [answer tokens] f32 on the GPU.
  using Objective = std::function<at::Tensor(const Scores&)>;

  /// Adds the gradient of a loss whose derivatives by the log-probabilities of the answer tokens are
  /// `coefficients`.
  Scores run(const Packed& packed, const at::Tensor& coefficients, std::int64_t recomputed_layers = 0);
  /// Like the function above, but for derivatives that depend on the log-probabilities. The logits are
  /// computed twice unless they are few.
  Scores run(const Packed& packed, const Objective& objective, std::int64_t recomputed_layers = 0);

  /// Computes the forward pass alone. If `adapter` is false, the model is used without the adapter and
  /// without dropout.
  Scores scores(const Packed& packed, bool adapter = true, bool dropout = false);

  /// The gradients, summed since the last `load` or `take_gradient`, in the order of Lora::parameters, f32.
  const std::vector<at::Tensor>& gradients() const { return gradients_; }
  /// Returns a copy of the gradients, flat and one after another, and sets them to zero.
  at::Tensor take_gradient();
  c10::Device device() const { return gradient_.device(); }

  /// Returns about how many bytes of GPU memory a token needs from its forward to its backward pass.
  std::int64_t bytes_of_token(std::int64_t recomputed_layers) const;

 private:
  /// The adapter of one module (a projection of a layer).
  struct Branch {
    std::int64_t rank = 0;
    double scale = 1;
    /// A and B of each unit, in two layouts. B is multiplied by the scale.
    std::vector<at::Tensor> a_by_rank, a_by_column, b_by_rank, b_by_column;
    std::vector<UnitGradient> d_a, d_b;
  };
  /// The tensors that a layer keeps for the backward pass.
  struct Kept {
    at::Tensor input_scale, attention_scale;  // [rows] f32: the scales of the norms
    at::Tensor qkv, mixed, normaliser, random, unused;
    at::Tensor plain;  // [rows, q and k]: q and k before their norms; undefined without norms
    at::Tensor y_attention, y_feed_forward;  // [rows, hidden]: added to the stream
    at::Tensor gate_up;  // [rows, 2 · intermediate], without the adapters' parts if they are fused
    std::array<std::vector<Low>, kProjections> low;
    std::array<at::Tensor, kProjections> bits;  // the dropout masks
  };
  /// A layer's feed-forward kernels, forward and backward. With `fused`, they also compute the products of
  /// the adapter's units.
  struct FeedForward {
    bool fused = true;
    Kernel forward, backward;
  };
  /// A packed batch on the GPU.
  struct Batch {
    at::Tensor tokens, positions, keys, begins, answers, targets;
    std::int64_t rows = 0, longest = 0;
  };
  /// The tensors from the final norm to the loss for the answer tokens `first` … `first + count - 1`: the
  /// norm's input (`stream`), scale and output (`hidden`); the logits, which are `hidden` times the output
  /// matrix; the log-sum, log-probabilities and entropy of the logits.
  struct HeadRows {
    std::int64_t first = 0, count = 0;
    at::Tensor stream, scale, hidden, logits, log_sum, log_probabilities, entropy;
  };

  Batch upload(const Packed& packed) const;
  void forward(const Batch& batch, bool keep);
  void forward_layer(std::int64_t layer, const Batch& batch, const at::Tensor& pending, Kept& kept);
  void backward(const Batch& batch, const at::Tensor& d_answers);
  void backward_layer(std::int64_t layer, const Batch& batch);
  Scores head(const Batch& batch, const at::Tensor& coefficients, const Objective* objective);
  HeadRows head_rows(const Batch& batch, std::int64_t first, std::int64_t count);
  at::Tensor head_logits(const HeadRows& rows) const;
  void head_backward(HeadRows& rows, const Batch& batch, const at::Tensor& coefficients,
                     const at::Tensor& d_answers);
  Scores pass(const Packed& packed, const at::Tensor& coefficients, const Objective* objective,
              std::int64_t recomputed_layers);

  /// Returns the matrices of the projections `members`, which read the same input, as one matrix [sum of
  /// their rows, in].
  at::Tensor weight(std::int64_t layer, std::initializer_list<Projection> members);
  void draw_dropout(std::int64_t layer, const Batch& batch, Kept& kept) const;
  /// Computes A x for the modules in `group` and stores it in `kept`.
  void keep_low(std::int64_t layer, std::initializer_list<Projection> group, const at::Tensor& x,
                Kept& kept) const;
  /// Computes y += B A x, with A x from `kept`.
  void add_adapter(std::int64_t layer, Projection p, const at::Tensor& y, const Kept& kept) const;
  /// The results of the adapter's products that are fused into the feed-forward kernels: A x of `down` after
  /// a forward pass; the gradients of A x of gate and up after a backward pass.
  struct Fused {
    std::vector<Low> first, second;
  };
  Fused feed_forward(bool backward, std::int64_t layer, const at::Tensor& active,
                     const std::vector<Low>& low_down, const Kept& kept) const;
  /// Adds to the gradients of B, and returns the gradients of A x, which the gradients of A need. If `dx` is
  /// defined, the adapters' part is added to it. `given` may hold d_y B of each module, if it was computed
  /// already.
  std::vector<Low> adapters_backward(std::int64_t layer, std::initializer_list<Projection> group,
                                     std::initializer_list<at::Tensor> d_ys, const at::Tensor& dx,
                                     const Kept& kept, std::initializer_list<std::vector<Low>> given = {});
  void adapters_weights(std::int64_t layer, std::initializer_list<Projection> group, const at::Tensor& x,
                        const std::vector<Low>& d_low, const Kept& kept);
  std::vector<at::Tensor> bits_of(std::int64_t layer, std::initializer_list<Projection> group,
                                  const Kept& kept) const;
  Branch* branch(std::int64_t layer, Projection p);
  const Branch* branch(std::int64_t layer, Projection p) const;

  const LanguageModel& model_;
  const ModelConfig& config_;
  LoraSettings settings_;
  std::map<std::pair<std::int64_t, Projection>, Branch> branches_;
  at::Tensor matrices_, packed_, gradient_;
  std::vector<at::Tensor> gradients_;
  Kernel add_and_norm_, norm_again_, norm_backward_, rotate_, rotate_back_, score_, score_backward_,
      pack_matrices_, draw_dropout_;
  std::vector<FeedForward> feed_forward_;  // of each layer
  std::vector<Kernel> dequantise_;
  std::vector<at::Tensor> qkv_bias_;  // of each layer; undefined if the model has none
  at::Tensor scratch_;                // holds a dequantised matrix
  at::Tensor zeros_;                  // [rows, 16]
  bool dropout_ = false, adapted_ = true;
  std::int64_t recomputed_ = 0;
  at::Tensor stream_, d_stream_, half_;  // [rows, hidden]
  std::vector<Kept> kept_;
};

}  // namespace trl::runtime
