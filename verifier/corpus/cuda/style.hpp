// The style choices that only CUDA answers have.
#pragma once

#include "verifier/corpus/answer.hpp"

namespace trl::runtime::cuda {

/// Style choices of a CUDA answer. They are derived from `Style::placement` instead of being drawn from the
/// random stream, so that they change neither Triton answers nor later draws.
struct CudaStyle {
  bool early_return = false;  ///< the bounds check is `if (i >= n) return;` instead of `if (i < n) { … }`
  bool grid_stride = false;   ///< threads of a flat kernel loop over further elements
  bool vectorised = false;    ///< threads of a flat kernel load and store four elements at once
  bool shuffles = true;       ///< values are exchanged by warp shuffles, not in shared memory alone
  bool keeps_line = false;    ///< a line's values are kept in shared memory between passes
  bool tiled = true;          ///< products and transpositions go through shared memory
  bool restricted = false;    ///< pointer parameters have __restrict__
  bool casts = false;         ///< static_cast where an implicit conversion would do
  bool checks = false;        ///< C10_CUDA_KERNEL_LAUNCH_CHECK after each launch

  static CudaStyle of(const Style& style);
};

}  // namespace trl::runtime::cuda
