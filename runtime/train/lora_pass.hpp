// Carries one document through the training step that lora_step.hpp declares.
#pragma once

#include <algorithm>
#include <optional>

#include "runtime/train/lora_step.hpp"

namespace trl::runtime {

class LoraPass {
 public:
  /// Without a key there is no dropout. `adapted`: whether the model has the adapter; the backward pass
  /// requires it.
  LoraPass(const LoraStep& step, const Document& document, std::optional<RandomKey> key, LoraStep::Room& room,
           bool adapted = true);

  LoraStep::Part run(float scale);
  LoraStep::Part run(const LoraStep::Coefficients& coefficients);
  std::vector<float> log_probabilities();

 private:
  /// A row-major matrix of floats; `stride` is a multiple of the panel width.
  struct Rows {
    float* data = nullptr;
    std::int64_t stride = 0;
    float* operator[](std::int64_t row) const { return data + row * stride; }
  };
  /// The numbers of one branch's forward pass that the backward pass needs.
  struct BranchState {
    float* low;          // x Aᵀ after dropout: [length][the branch's padded rank]
    std::uint8_t* kept;  // [length][in]; null without dropout
  };
  struct LayerState {
    Rows input, normed, qkv, mixed, middle, attention_normed, gate_up, active;
    Rows plain;         // q and k before their norms; empty if the model has no such norms
    float* normaliser;  // [heads][length]
    std::array<BranchState, 7> branches;
  };
  using Joined = LoraStep::Joined;
  using Branch = LoraStep::Branch;

  void lay_out(LoraStep::Room& room);
  void forward();
  void forward_layer(std::int64_t layer, const Rows& output);
  /// Returns the index of the position at which the answer's first token is predicted.
  std::int64_t answer_begin() const {
    return std::max<std::int64_t>(static_cast<std::int64_t>(document_.answer_begin) - 1, 0);
  }
  /// Computes the logits of positions `first` to `first + rows - 1` into logits_, from their normed outputs
  /// in d_normed_.
  void head(std::int64_t first, std::int64_t rows);
  /// Returns the log-probabilities of the answer tokens after the forward pass; `entropy` receives the sum of
  /// the entropies of their distributions.
  std::vector<float> scores(double& entropy);
  /// Returns the sum of the answer tokens' cross entropies, and begins the backward pass. The gradient of
  /// answer token i is multiplied by `scale(i)`.
  template <typename Scale>
  double loss(const Scale& scale);
  LoraStep::Part finish(double loss);
  void backward_layer(std::int64_t layer);

  /// Computes y = x Wᵀ + b, or with `add` y += x Wᵀ + b, and adds the branches, for rows `first` to `first +
  /// rows - 1`.
  void apply(const Joined& joined, std::int64_t first, std::int64_t rows, const Rows& x, const Rows& y,
             bool add);
  /// Computes the gradient of x from the gradient of y, and the gradients of the branches. Row 0 of dy and dx
  /// is row `first` of x. When dx.data is null, only the branches' gradients are computed.
  void apply_backward(const Joined& joined, std::int64_t first, std::int64_t rows, const Rows& dy,
                      const Rows& x, const Rows& dx);
  /// Returns rows of the branch's input after dropout. Without dropout they are rows of x itself, else they
  /// are in scratch memory.
  Rows dropped(const Branch& branch, std::int64_t first, std::int64_t rows, const Rows& x);
  void attend(const LayerState& state, std::int64_t head, const Rows* d_mixed, const Rows* d_qkv);
  void norm(const Rows& x, const std::vector<float>& weight, std::int64_t first, std::int64_t rows,
            const Rows& out);
  void rotate(const Rows& qkv, std::int64_t row, const std::vector<float>& sine);
  /// Normalises the heads of q and k of one row and keeps their previous values; does nothing if the model
  /// has no such norms.
  void norm_heads(std::int64_t layer, std::int64_t row);
  /// Replaces the gradients of a row's normalised q and k by the gradients of q and k before normalisation.
  void norm_heads_backward(std::int64_t layer, std::int64_t row);
  BranchState& state_of(const Branch& branch) {
    return layers_[static_cast<std::size_t>(branch.layer)]
        .branches[static_cast<std::size_t>(branch.projection)];
  }
  template <typename Body>
  void blocks(const Body& body) const;  // body(first, rows)

  const LoraStep& step_;
  const ModelConfig& config_;
  const TrainingKernels& kernels_;
  const Document& document_;
  const std::int64_t length_;
  const bool adapted_, drops_;
  const float keep_scale_;
  std::vector<LayerState> layers_;
  Rows output_, d_stream_, d_mixed_, d_qkv_;
  Rows dropped_, low_, d_normed_, d_active_, d_gate_up_, logits_;  // for one block of rows
  float* attention_scratch_ = nullptr;
  float* head_ = nullptr;  // for one head
  std::vector<float> gradient_;
};

}  // namespace trl::runtime
