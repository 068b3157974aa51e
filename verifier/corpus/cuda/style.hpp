// The style choices that only CUDA answers have.
#pragma once

#include "verifier/corpus/answer.hpp"

namespace trl::runtime::cuda {

/// Style choices of a CUDA answer. They are derived from `Style::placement`, not drawn from the random
/// stream: so they change neither Triton answers nor later draws.
struct CudaStyle {
  bool early_return = false;  ///< the bounds check is `if (i >= n) return;` instead of `if (i < n) { … }`
  bool grid_stride = false;   ///< a thread of a flat kernel computes several elements in a grid-stride loop
  bool vectorised = false;    ///< a thread of a flat kernel loads and stores four elements at once
  bool shuffles = true;       ///< reductions use warp shuffles; false: only shared memory
  bool keeps_line = false;    ///< a row's (or column's) values are kept in shared memory between passes
  bool tiled = true;          ///< matrix products and transpositions use tiles in shared memory
  bool restricted = false;    ///< pointer parameters have __restrict__
  bool casts = false;         ///< stores have a static_cast, although an implicit conversion would suffice
  bool checks = false;        ///< each launch is followed by C10_CUDA_KERNEL_LAUNCH_CHECK

  static CudaStyle of(const Style& style);
};

}  // namespace trl::runtime::cuda
