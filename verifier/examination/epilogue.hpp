#pragma once
// The part of a candidate's work that PyTorch finishes (`framework = epilogue`): which launches of a plan may
// stand for it, and how much of the task's work they are. The recorder makes these launches
// (recorder/epilogue.py), but plans are hostile data, so all of it is checked here.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verifier/examination/progress.hpp"
#include "verifier/examination/test_case.hpp"
#include "verifier/plan/plan.hpp"
#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// Names of kernels that stand for PyTorch's operations begin so, and no others.
constexpr std::string_view epilogue_prefix = "trl_epilogue_";

/// The TTIR of the kernel with this name, as recorder/epilogue.py writes it; empty if there is no such
/// kernel.
std::optional<std::string> epilogue_kernel(const std::string& name);

/// Returns the reason why a recording is refused for PyTorch's work in its first plan. A later plan gets the
/// error instead, which makes it a failed test case. Where the protocol has no epilogue, no plan may have
/// one. Otherwise:
/// - a marked launch has exactly the kernel of its name, and reads memory that a kernel of the candidate may
///   have written;
/// - no kernel of the candidate uses its result;
/// - all of them are at most a quarter of the reference's work, at the sizes that confirm credit half of
///   it. At sizes of 4, where a few passes over the output are more than the reference, they occur at the
///   task's own sizes in the same order, reduce no more elements to one, and are at most one and a half times
///   the reference's work.
std::optional<PlanError> check_epilogues(Recording& recording, const TestCases& test_cases,
                                         const Question& question);

/// The share of a task's work that is left to the candidate's kernels: 1 less PyTorch's bytes and operations,
/// divided by the reference's. The plan must have passed `check_epilogues`.
double kernel_share(const Recording& recording, const Plan& plan, const Task& task,
                    const Variation& variation);

/// Compares PyTorch's work with the counted work of the candidate's kernels: a kernel that only
/// hands its inputs on leaves the work to PyTorch, even where an algebraic identity makes that little.
/// `per_launch` are the counters of a complete replay.
std::optional<ReplayFinding> check_against_kernels(const Recording& recording, const Plan& plan,
                                                   const std::vector<executor::Counters>& per_launch);

}  // namespace trl::runtime
