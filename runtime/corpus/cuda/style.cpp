#include "runtime/corpus/cuda/style.hpp"

#include <fmt/format.h>

#include "ground/random.hpp"

namespace trl::runtime::cuda {

Manner Manner::of(const Style& style) {
  RandomStream random(fmt::format("cuda manner/{}", style.placement));
  const auto chance = [&](double share) { return random.uniform() < share; };
  Manner manner;
  manner.early_return = chance(0.4);
  manner.grid_stride = chance(0.3);
  manner.shuffles = chance(0.65);
  manner.keeps_line = chance(0.5);
  manner.tiled = chance(0.6);
  manner.restricted = chance(0.4);
  manner.casts = chance(0.4);
  manner.checks = chance(0.2);
  manner.vectorised = chance(0.2);
  return manner;
}

}  // namespace trl::runtime::cuda
