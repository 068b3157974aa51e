#pragma once
// Compares a plan's results with the task's values, whether the executor or a GPU carried the plan out.
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

/// Returns why a plan's output differs from the task in shape or dtype; nothing if both agree.
std::optional<ReplayFinding> check_form(const Plan& plan, const Task& task, const Variation& variation);

/// Returns the reason why a replay's values differ from the expected ones; nothing if they agree.
std::optional<ReplayFinding> judge_values(const Plan& plan, const ReplayResult& result,
                                          const Expected& expected);

/// Judges one draw of inputs: returns the defect, or nothing.
using JudgeDraw = std::function<std::optional<ReplayFinding>(const std::vector<InputData>&, const Expected&)>;

/// Judges further draws of inputs after the first, since an output of few elements is guessed too easily.
/// Returns the defect, or nothing.
std::optional<ReplayFinding> judge_more_draws(const Question& question, const std::string& commitment,
                                              const Variation& variation, const JudgeDraw& judge);

/// Returns a finding that isn't about memory alone if there is one, else the first. The list must not be
/// empty.
ReplayFinding most_telling(const std::vector<ReplayFinding>& findings);

/// A value as messages show it. The sign of a NaN is left out.
std::string text_of(double value);

/// The indices of element number `flat` of a tensor: "[3, 7]".
std::string where(std::size_t flat, const std::vector<std::int64_t>& extents);

}  // namespace trl::runtime
