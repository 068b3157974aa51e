// How much of an exam's tasks a model's pretraining had, where it had none of them as a whole.
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

/// The plan's notes, and the parts of the exam's tasks that pretraining had: reads the manifests of its
/// models.
std::vector<std::string> notes_for_people(const Plan& plan);

}  // namespace trl::interpreter
