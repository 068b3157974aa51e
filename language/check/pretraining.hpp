// Which functions the manifest of a model's pretraining has.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "language/elaboration/value.hpp"

namespace trl::language {

/// The functions of tasks that are among the manifest's "keys", by overlap key, each with a key that it has
/// there: its own where that is there, too.
using SeenKeys = std::map<std::string, std::string>;

/// Reads every key of the manifest.
SeenKeys seen_keys_by_reading(std::string_view manifest, const std::vector<const SuiteTask*>& tasks);

/// The same. For the embedded model's manifest, of which the build has noted the functions, the keys are only
/// read if one of the tasks may be among them.
SeenKeys seen_keys(std::string_view manifest, const std::vector<const SuiteTask*>& tasks);

/// `function_number` of all functions among the manifest's keys, sorted, each once.
std::vector<std::uint32_t> function_numbers(std::string_view manifest);

}  // namespace trl::language
