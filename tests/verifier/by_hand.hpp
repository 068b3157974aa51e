#pragma once
// Recordings made by hand, which no recorder has seen.
#include <nlohmann/json.hpp>
#include <string>

#include "tests/verifier/candidates.hpp"

namespace trl::runtime::candidates {

/// Adds to a recording made by hand, which has plans for the first shapes only, an error for each further
/// shape of the question, as a wrapper that refuses those sizes has it.
nlohmann::json refusing_other_sizes(nlohmann::json recording, const Task& task, const Protocol& protocol,
                                    const std::string& secret);
/// Judges a recording made by hand, after `refusing_other_sizes`.
Examined examine_recorded(const Task& task, nlohmann::json recording, const Protocol& protocol,
                          const std::string& secret);

}  // namespace trl::runtime::candidates
