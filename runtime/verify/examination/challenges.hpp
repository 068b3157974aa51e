#pragma once
// Whether timed runs compute, or give back what an earlier run left.
#include <optional>
#include <string>
#include <vector>

#include "runtime/verify/examination/progress.hpp"
#include "runtime/verify/examination/trial.hpp"
#include "runtime/verify/inputs/challenge.hpp"
#include "runtime/verify/plan/plan.hpp"

namespace trl::runtime {

/// Other values for a part of a drawn trial's inputs, as the secret and the seal choose them.
std::vector<Challenge> challenges_of(const Question& question, const std::string& seal, const Trial& trial);

/// With another input than in the runs before it, a run must give that input's output: `outputs[i]` is what
/// the run with challenge i gave. What is wrong, if anything is.
std::optional<ReplayFinding> judge_challenged(const Question& question, const Plan& plan, const Trial& trial,
                                              const std::vector<Challenge>& challenges,
                                              const std::vector<std::vector<double>>& outputs);

}  // namespace trl::runtime
