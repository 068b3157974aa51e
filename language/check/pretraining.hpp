// Finds the functions of tasks in the manifest of a model's pretraining data.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "language/elaboration/value.hpp"

namespace trl::language {

/// The functions of tasks that are also in the manifest's list "keys". Maps the overlap key of each function
/// to one of its keys in the manifest: the task's own key, if the manifest has it.
using SeenKeys = std::map<std::string, std::string>;

/// Finds the functions of the tasks by reading every key of the manifest.
SeenKeys seen_keys_by_reading(std::string_view manifest, const std::vector<const SuiteTask*>& tasks);

/// Like `seen_keys_by_reading`, but faster for the manifest of the embedded model. The build has stored the
/// numbers of that manifest's functions, so its keys are read only if the number of a task's function is
/// among them.
SeenKeys seen_keys(std::string_view manifest, const std::vector<const SuiteTask*>& tasks);

/// The `function_number` of each function in the manifest, sorted and without duplicates.
std::vector<std::uint32_t> function_numbers(std::string_view manifest);

}  // namespace trl::language
