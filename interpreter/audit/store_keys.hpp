// Checks the descriptions of a store's stages against their keys.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// The key of a stage with a description that can't be trusted, and the reason in words.
struct StageFinding {
  std::string key, what;
};

struct CheckedKeys {
  std::size_t stages = 0;
  std::size_t other_verdicts = 0;  ///< verify stages of training, which publish no plans
  std::vector<StageFinding> findings;
};

/// Computes the keys of stages again from their specs, inputs and versions, and the tasks of the stages
/// `tasks` from their specs. Also finds exams that are described as training, so that they wouldn't be
/// audited. Stages whose stage.json is damaged are skipped: `audit_stage` reports them.
CheckedKeys check_keys(const Store& store, const std::vector<std::string>& keys);

}  // namespace trl::interpreter
