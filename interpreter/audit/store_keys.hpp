// Checks what a store says of its stages against their keys.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// A stage whose description doesn't hold together.
struct StageFinding {
  std::string key, what;
};

struct CheckedKeys {
  std::size_t stages = 0;
  std::size_t other_verdicts = 0;  ///< verify stages of training, which publish no plans
  std::vector<StageFinding> findings;
};

/// Recomputes the keys of stages from their specs, inputs and versions, and tasks from the specs of the
/// stages `tasks`. Finds exams that were made to look like training. Stages whose stage.json is damaged are
/// left to others.
CheckedKeys check_keys(const Store& store, const std::vector<std::string>& keys);

}  // namespace trl::interpreter
