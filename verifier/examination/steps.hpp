#pragma once
// The steps of an examination that are functions. Each has a file of its name: directed.cpp, evidence.cpp,
// confirm.cpp.
#include "verifier/examination/compile.hpp"
#include "verifier/examination/execution.hpp"
#include "verifier/examination/gpu.hpp"
#include "verifier/examination/progress.hpp"
#include "verifier/examination/recorded.hpp"
#include "verifier/examination/services.hpp"
#include "verifier/examination/test_case.hpp"
#include "verifier/examination/values.hpp"
#include "verifier/plan/plan.hpp"

namespace trl::runtime {

/// Tries each plan that the executor has carried out at full sizes on inputs that turn the decisions which
/// have gone only one way so far (`execution.paths`). Returns false as soon as a value is wrong; a memory
/// error alone is noted. Throws Cancelled.
bool try_directed(const Question& question, const TestCases& test_cases, const Recording& recording,
                  Execution& execution, Progress& progress);

/// Marks the variations that a trivial answer passes, in the verdict and its steps.
void mark_evidence(const Question& question, Progress& progress);

/// Returns false after failing a candidate for a task whose every variation a trivial answer passes: an exam
/// counts no answer to it as right.
bool task_says_something(const Question& question, Progress& progress);

/// Checks the stages that a candidate with wrong values is credited with, for protocols with a tiny stage. If
/// values are judged before cubins, its kernels must compile; if it fails at full sizes, it must have been
/// right at two other sizes. Otherwise the verdict fails at the earlier stage.
void confirm_stages(const Question& question, TestCases& test_cases, Candidate& candidate,
                    PlanCompiler& compiler, ExecutorTestCases& executor, GpuTestCases& gpu,
                    Progress& progress);

/// The verdict of KernelBench's protocol on a candidate, which is independent of ours: the task's module is
/// constructed under its seed, and in each of five trials under theirs the answer's output has to be within
/// 1e-4 of the module's, absolute and relative. The answer gets the module's parameters, where KernelBench
/// hopes that an equal seed gives equal ones. Class numbers and places stay integers, which KernelBench casts
/// to the precision. Nothing where only a GPU could say. Throws UserError where there is no reference, and
/// Cancelled.
std::optional<OtherVerdict> judge_by_kernelbench(const Question& question, const Services& services,
                                                 const Candidate& candidate,
                                                 const std::function<bool()>& cancelled);

}  // namespace trl::runtime
