#pragma once
// Recordings that are written by hand, not by the recorder.
#include <nlohmann/json.hpp>
#include <string>

#include "tests/verifier/candidates.hpp"

namespace trl::runtime::candidates {

/// Returns a recording that was written by hand, with plans for the first shapes only, and adds an error for
/// each further shape of the question, as if the answer's wrapper refused these sizes.
nlohmann::json refusing_other_sizes(nlohmann::json recording, const Task& task, const Protocol& protocol,
                                    const std::string& secret);
/// Judges a recording made by hand, after `refusing_other_sizes`.
Examined examine_recorded(const Task& task, nlohmann::json recording, const Protocol& protocol,
                          const std::string& secret);

}  // namespace trl::runtime::candidates
