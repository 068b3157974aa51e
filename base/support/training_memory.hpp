// The GPU memory that training an adapter takes for each token. The trainer packs documents into batches by
// this estimate; `trl check` and `trl doctor` use it where no trainer runs.
#pragma once

#include <algorithm>
#include <cstdint>

namespace trl {

/// The sizes of a model's layers, as far as a step of training keeps tensors of them.
struct TrainedLayers {
  std::int64_t layers = 0, hidden = 0, intermediate = 0;
  std::int64_t query_width = 0, key_width = 0;  ///< of all heads together
  bool qk_norm = false;                         ///< whether queries and keys are normalised
  std::int64_t dropped_inputs = 0;              ///< numbers in a layer that dropout may leave out

  /// Returns about how many bytes of activations a token needs from its forward to its backward pass, in 16
  /// bits, if the activations of `recomputed` layers are computed again. The input of each layer is kept, and
  /// for the layers that aren't recomputed, the values that their backward pass reads. In addition, one layer
  /// at a time needs working memory.
  std::int64_t bytes_of_token(std::int64_t recomputed) const {
    const auto qkv = query_width + 2 * key_width;
    const auto plain = qk_norm ? query_width + key_width : 0;
    const auto layer = 2 * (qkv + plain + query_width + 2 * intermediate) + dropped_inputs / 8;
    const auto stream = 2 * 2 * hidden;
    const auto beside = 2 * (4 * intermediate + 8 * hidden);
    return layers * stream + std::max<std::int64_t>(layers - recomputed, 1) * layer + beside;
  }
};

}  // namespace trl
