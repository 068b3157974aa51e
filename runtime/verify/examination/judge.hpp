#pragma once
// Whether what a plan gave is what the task asks for, whoever carried it out.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/verify/compare/tolerance.hpp"
#include "runtime/verify/examination/progress.hpp"
#include "runtime/verify/plan/plan.hpp"
#include "runtime/verify/replay/replay.hpp"

namespace trl::runtime {

/// Why a plan's output hasn't the task's shape or dtype; none when it has.
std::optional<ReplayFinding> check_form(const Plan& plan, const Task& task, const Variation& variation);

/// Why a replay's values are not those expected; none when they are.
std::optional<ReplayFinding> judge_values(const Plan& plan, const ReplayResult& result,
                                          const Expected& expected);

/// What is wrong on one draw of inputs, if anything is.
using JudgeDraw = std::function<std::optional<ReplayFinding>(const std::vector<InputData>&, const Expected&)>;

/// An output of few elements is guessed too easily to be judged by one draw of inputs: what is wrong on the
/// draws behind the first.
std::optional<ReplayFinding> judge_more_draws(const Question& question, const std::string& seal,
                                              const Variation& variation, const JudgeDraw& judge);

/// A finding that isn't about memory alone, where there is one. The list isn't empty.
ReplayFinding most_telling(const std::vector<ReplayFinding>& findings);

/// A value in messages. A NaN's sign says nothing.
std::string text_of(double value);

/// "[3, 7]": element number `flat` of a tensor.
std::string where(std::size_t flat, const std::vector<std::int64_t>& extents);

}  // namespace trl::runtime
