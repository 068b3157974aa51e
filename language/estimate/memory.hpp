// An estimate of the bytes that training and sampling need on one GPU, from the sizes of the model and the
// batch alone.
#pragma once
#include <string>
#include <vector>

#include "base/support/module_patterns.hpp"
#include "language/estimate/architecture.hpp"

namespace trl::language {

struct MemoryQuestion {
  Architecture architecture;
  std::string precision = "bf16", quantize = "none";
  bool adapter = true;  ///< whether an adapter is trained; otherwise every weight is trained
  double rank = 16;
  ModulePatterns patterns;           ///< ranks of matrices that differ from `rank`
  std::vector<std::string> targets;  ///< matrices that the adapter changes
  double micro_batch = 1;            ///< the number of sequences in one pass
  double sequence = 0;               ///< the number of tokens in a sequence
  bool dropout = false;              ///< whether training drops inputs of the adapter
  double candidates =
      0;  ///< the number of sequences decoded at the same time; 0 for a stage that doesn't sample
};

/// The memory on one GPU in bytes. Every GPU holds the whole model.
struct Memory {
  double weights = 0;  ///< frozen weights in their stored precision; embeddings are never quantised
  double optimiser =
      0;  ///< 16 bytes for each trained weight: the weight, its gradient and Adam's two moments, all in f32
  double activations = 0;  ///< activations that are kept for the backward pass
  double recomputed = 0;   ///< activations that remain when each layer is recomputed from its input
  double logits = 0;       ///< logits and their gradients
  double cache = 0;        ///< keys and values of the candidates while sampling

  /// The number of weights that are trained.
  double trained() const { return optimiser / 16; }
  double training() const { return weights + optimiser + activations + logits; }
  /// The least memory with which training works.
  double least_training() const { return weights + optimiser + recomputed + logits; }
  double sampling() const { return weights + optimiser + cache; }
};

/// Estimates the memory by these formulas, where h is the hidden size, k = kv_heads · head_width, i the
/// intermediate size, L the number of layers, T = micro_batch · sequence the tokens in one pass, and e the
/// bytes of an element:
/// - activations: T · L · (e · (6h + 2k + 4i) + 16h + 3 · Σ inputs of the adapted matrices), for the tensors
/// that a decoder layer keeps, its two norms in f32, and the dropped-out copy and the mask of each adapted
/// input
/// - recomputed: T · e · h · L for the layers' inputs, and the activations of one layer
/// - logits: T · vocabulary · (e + 8)
/// - cache: candidates · sequence · 2 · L · k · e
///
/// The estimate was checked against a measurement: 60 GiB for a 7B model in bf16 with LoRA of rank 16 on all
/// linear layers at 2 × 2048 tokens.
Memory modelled_memory(const MemoryQuestion& question);

/// The least memory of one GPU with which the kernels for GPUs can carry out a stage. With less, they can't
/// carry it out, whatever is computed again or sampled separately.
struct LeastMemory {
  double weights = 0;  ///< the model, in its stored precision
  double trained = 0;  ///< the trained weights, their gradient and Adam's two moments; 0 for sampling
  double tokens = 0;   ///< activations of a trained sequence, or keys and values of sampled ones
  double all() const { return weights + trained + tokens; }
};

/// Returns the least memory for training on one sequence of `question.sequence` tokens, if every layer is
/// computed again in the backward pass. The trainer uses the same estimate (TrainedLayers).
LeastMemory least_to_train(const MemoryQuestion& question);
/// Returns the least memory for sampling. It includes the keys and values of two sequences of
/// `question.sequence` tokens; the sampler doesn't start with less.
LeastMemory least_to_sample(const MemoryQuestion& question);

/// A number of bytes as text: "14.2 GiB".
std::string bytes_text(double bytes);

}  // namespace trl::language
