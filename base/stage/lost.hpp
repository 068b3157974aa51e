#pragma once

#include <fmt/format.h>

#include "base/support/error.hpp"

namespace trl::runtime {

/// Thrown when another process of the group that carries out the stage has ended without reporting an error.
struct LostProcess : UserError {
  LostProcess(int lost_rank, int size)
      : UserError(fmt::format("the process of rank {} of {} has ended without a word", lost_rank, size),
                  "it was killed or has crashed; run the same command again: training goes on from its "
                  "checkpoint"),
        rank(lost_rank) {}
  int rank;
};

}  // namespace trl::runtime
