#pragma once
// Compares the results of a plan, from the executor or from a GPU, with the expected values.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "verifier/compare/tolerance.hpp"
#include "verifier/examination/progress.hpp"
#include "verifier/plan/plan.hpp"
#include "verifier/replay/replay.hpp"

namespace trl::runtime {

/// Returns a finding if an output of the plan has another shape or dtype than the task's result; otherwise
/// nothing.
std::optional<ReplayFinding> check_form(const Plan& plan, const Task& task, const Variation& variation);

/// Returns a finding if a replay failed or its output has unwritten or wrong values; otherwise nothing.
std::optional<ReplayFinding> judge_values(const Plan& plan, const ReplayResult& result,
                                          const Expected& expected);

/// Runs a plan on one draw of inputs and compares the output with the expected values. Returns the defect, or
/// nothing.
using JudgeDraw = std::function<std::optional<ReplayFinding>(const std::vector<InputData>&, const Expected&)>;

/// Calls `judge` for further draws of a variation's inputs, from draw 1 on (`draws` gives their number). They
/// are needed for outputs of few elements, which could be guessed. Returns the first defect, or nothing.
std::optional<ReplayFinding> judge_more_draws(const Question& question, const std::string& commitment,
                                              const Variation& variation, const JudgeDraw& judge);

/// Returns the first finding that isn't about memory alone; if there is none, returns the first finding. The
/// list must not be empty.
ReplayFinding most_telling(const std::vector<ReplayFinding>& findings);

/// Formats a value for messages. The sign of a NaN is left out.
std::string text_of(double value);

/// Formats the indices of a tensor's element, such as "[3, 7]". `flat` is its position in row-major order,
/// `extents` the tensor's shape.
std::string where(std::size_t flat, const std::vector<std::int64_t>& extents);

}  // namespace trl::runtime
