#pragma once
// Finds out whether timed runs compute their output or return an output that an earlier run left.
#include <optional>
#include <string>
#include <vector>

#include "verifier/examination/progress.hpp"
#include "verifier/examination/test_case.hpp"
#include "verifier/inputs/challenge.hpp"
#include "verifier/plan/plan.hpp"

namespace trl::runtime {

/// Draws other values for a part of a test case's inputs from the secret and the commitment. The test case
/// must be drawn.
std::vector<Challenge> challenges_of(const Question& question, const std::string& commitment,
                                     const TestCase& test_case);

/// Judges runs whose input was changed between the others: `outputs[i]` is the output of the run with
/// challenge i and must belong to the changed input. Returns the defect, or nothing.
std::optional<ReplayFinding> judge_challenged(const Question& question, const Plan& plan,
                                              const TestCase& test_case,
                                              const std::vector<Challenge>& challenges,
                                              const std::vector<std::vector<double>>& outputs);

}  // namespace trl::runtime
