// Finds parts of an exam's tasks that occurred in a model's pretraining, although no whole task did.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/plan/plan.hpp"

namespace trl::interpreter {

/// Returns a sentence on how many parts of two or more operators (base/operators/overlap.hpp) of the tasks
/// with these keys occur in the tasks that the model's manifest.json lists. Returns nothing for a model
/// without a manifest, and for tasks without such parts.
std::optional<std::string> seen_parts(const std::vector<std::string>& keys,
                                      const std::filesystem::path& model);

/// The plan's notes, with a sentence on parts of the exam's tasks that occurred in pretraining. Reads the
/// manifest.json of the plan's models.
std::vector<std::string> notes_for_people(const Plan& plan);

}  // namespace trl::interpreter
