#include "verifier/corpus/cuda/style.hpp"

#include <fmt/format.h>

#include "base/support/random.hpp"

namespace trl::runtime::cuda {

CudaStyle CudaStyle::of(const Style& style) {
  RandomStream random(fmt::format("cuda manner/{}", style.placement));
  const auto chance = [&](double share) { return random.uniform() < share; };
  CudaStyle cuda_style;
  cuda_style.early_return = chance(0.4);
  cuda_style.grid_stride = chance(0.3);
  cuda_style.shuffles = chance(0.65);
  cuda_style.keeps_line = chance(0.5);
  cuda_style.tiled = chance(0.6);
  cuda_style.restricted = chance(0.4);
  cuda_style.casts = chance(0.4);
  cuda_style.checks = chance(0.2);
  cuda_style.vectorised = chance(0.2);
  return cuda_style;
}

}  // namespace trl::runtime::cuda
