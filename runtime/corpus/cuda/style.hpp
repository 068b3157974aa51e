// The choices of CUDA answers that Triton's lack.
#pragma once

#include "runtime/corpus/answer.hpp"

namespace trl::runtime::cuda {

/// Drawn from the placement of a style, so that Triton answers and the draws after them stay what they are.
struct Manner {
  bool early_return = false;  ///< `if (i >= n) return;` instead of a block
  bool grid_stride = false;   ///< a flat kernel's threads go on to further elements
  bool vectorised = false;    ///< a flat kernel's threads load and store four elements at once
  bool shuffles = true;       ///< values are exchanged by warp shuffles, not in shared memory alone
  bool keeps_line = false;    ///< a line's values are kept in shared memory between passes
  bool tiled = true;          ///< products and transpositions go through shared memory
  bool restricted = false;    ///< __restrict__
  bool casts = false;         ///< static_cast where a conversion would do
  bool checks = false;        ///< C10_CUDA_KERNEL_LAUNCH_CHECK after each launch

  static Manner of(const Style& style);
};

}  // namespace trl::runtime::cuda
