#pragma once
// Finds out whether a timed run computes its output, or returns an output that an earlier run left in memory.
#include <optional>
#include <string>
#include <vector>

#include "verifier/examination/progress.hpp"
#include "verifier/examination/test_case.hpp"
#include "verifier/inputs/challenge.hpp"
#include "verifier/plan/plan.hpp"

namespace trl::runtime {

/// Draws changes to the inputs of some timed runs of a test case. The random numbers depend on the secret and
/// the commitment. The inputs of the test case must have been drawn.
std::vector<Challenge> challenges_of(const Question& question, const std::string& commitment,
                                     const TestCase& test_case);

/// Judges the runs with changed inputs, which took place among the timed runs. `outputs[i]` is the output of
/// the run with `challenges[i]`; it must be right for the changed inputs. Returns the defect, or nothing.
std::optional<ReplayFinding> judge_challenged(const Question& question, const Plan& plan,
                                              const TestCase& test_case,
                                              const std::vector<Challenge>& challenges,
                                              const std::vector<std::vector<double>>& outputs);

}  // namespace trl::runtime
