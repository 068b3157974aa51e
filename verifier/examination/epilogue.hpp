#pragma once
// Checks the epilogue of a candidate: operations at the end of the task that PyTorch computes, not the
// candidate's kernels (`framework = epilogue`). In a plan each such operation is a launch marked with its
// name, which the recorder adds (recorder/epilogue.py). Plans are hostile data, so the checks here don't rely
// on the recorder.
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

/// The prefix of the names of kernels that stand for PyTorch's operations. No kernel of a candidate may have
/// a name with this prefix.
constexpr std::string_view epilogue_prefix = "trl_epilogue_";

/// Returns the TTIR of the epilogue kernel with this name, exactly as recorder/epilogue.py writes it; nothing
/// if there is no such kernel.
std::optional<std::string> epilogue_kernel(const std::string& name);

/// Checks PyTorch's operations in all plans. Returns the error of the first plan, which makes the recording
/// invalid; nothing if that plan has no error. A later plan with an error is replaced by the error, so that
/// its test case fails. If the protocol allows no epilogue, no plan may have a marked launch. Otherwise:
/// - the kernel of a marked launch must be exactly the kernel that belongs to its name;
/// - a marked launch must read memory that a kernel of the candidate may have written;
/// - no kernel of the candidate may use the result of a marked launch;
/// - the work (bytes and operations) of all marked launches together may be at most a quarter of the
///   reference's work; at the sizes that confirm credit at most half of it;
/// - at tiny sizes, where a few passes over the output are more than the reference's work, it may be at most
///   one and a half times that work. There the marked operations must also occur at the task's original
///   sizes, in the same order, and may reduce no more elements than there.
std::optional<PlanError> check_epilogues(Recording& recording, const TestCases& test_cases,
                                         const Question& question);

/// The share of the task's work that the candidate's kernels have to do: 1 − p / r, where p is the work
/// (bytes and operations) of the plan's marked launches, and r the work of the reference. The plan must have
/// passed `check_epilogues`.
double kernel_share(const Recording& recording, const Plan& plan, const Task& task,
                    const Variation& variation);

/// Returns a finding if PyTorch's operations are more than a quarter of the work that they and the
/// candidate's kernels do together. This finds kernels that merely copy their inputs for PyTorch, even if an
/// algebraic identity makes PyTorch's work small. `per_launch` holds the counters of a complete replay.
std::optional<ReplayFinding> check_against_kernels(const Recording& recording, const Plan& plan,
                                                   const std::vector<executor::Counters>& per_launch);

}  // namespace trl::runtime
