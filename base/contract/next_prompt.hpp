// The prompt of an episode's next turn, which tells why the last answer failed.
#pragma once

#include <string>

#include "base/contract/rows.hpp"
#include "base/contract/verdict.hpp"

namespace trl::contract {

/// Returns the prompt that follows an answer: the template `feedback` (base/support/feedback.hpp), filled in
/// with the facts of the answer's verdict. `task` is the prompt of the task's first turn.
std::string next_prompt(const std::string& feedback, const std::string& task, const Candidate& last,
                        const Verdict& verdict);

}  // namespace trl::contract
