// A model of the bytes that training and sampling need on one GPU, from shapes alone.
#pragma once
#include <string>
#include <vector>

#include "base/support/module_patterns.hpp"
#include "language/estimate/architecture.hpp"

namespace trl::language {

struct MemoryQuestion {
  Architecture architecture;
  std::string precision = "bf16", quantize = "none";
  bool adapter = true;  ///< without it every weight is trained
  double rank = 16;
  ModulePatterns patterns;           ///< matrices with another rank
  std::vector<std::string> targets;  ///< matrices that the adapter changes
  double micro_batch = 1;            ///< sequences in one pass
  double sequence = 0;               ///< tokens of one sequence
  double candidates = 0;  ///< sequences decoded at the same time; 0 for a stage that doesn't sample
};

/// Bytes on one GPU, where every GPU holds the whole model.
struct Memory {
  double weights = 0;  ///< frozen weights in their stored precision; embeddings are never quantised
  double optimiser =
      0;  ///< of trained weights: the weight, its gradient and Adam's two moments in f32, 16 bytes in all
  double activations = 0;  ///< kept for the backward pass
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

/// Formulas, with h hidden, k = kv_heads · head_width, i intermediate, L layers, T tokens at once, e bytes an
/// element:
///   activations  T · L · (e · (6h + 2k + 4i) + 16h + 3 · Σ inputs of the adapted matrices): the tensors
///   that a decoder layer keeps,
///                its two norms in f32, and the dropped-out copy and mask of each adapted input
///   recomputed   T · e · h · L for the layers' inputs, and one layer's activations
///   logits       T · vocabulary · (e + 8)
///   cache        candidates · sequence · 2 · L · k · e
/// Checked against the measured 60 GiB of a 7B model with LoRA r 16 on all linear layers at 2 × 2048 tokens,
/// bf16.
Memory modelled_memory(const MemoryQuestion& question);

/// "14.2 GiB".
std::string bytes_text(double bytes);

}  // namespace trl::language
