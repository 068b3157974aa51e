#pragma once
// Steps of an examination that are plain functions, defined in directed.cpp, evidence.cpp, confirm.cpp and
// by_kernelbench.cpp.
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

/// Replays plans on directed inputs: inputs made to change the outcome of comparisons and other decisions in
/// the kernels that have had only one outcome so far (`execution.paths`). It does so for each plan that the
/// executor has carried out at full sizes. Returns false as soon as a value is wrong. A memory error alone is
/// noted and doesn't end the step. Throws Cancelled.
bool try_directed(const Question& question, const TestCases& test_cases, const Recording& recording,
                  Execution& execution, Progress& progress);

/// Carries out single programs of the plan for the task's own sizes, if these are too large to be carried out
/// as a whole (TestCases::own_sizes). The grid and the secret choose the programs, and their inputs are drawn
/// as far as they are touched. Every access is checked. Values are compared where the expected values can be
/// computed from a part of the inputs (inputs/task_parts.hpp), for programs that use nothing that others
/// write. Sets `Verdict::own_sizes` and, if values were compared, the modelled times. Returns false as soon
/// as a value is wrong. A memory error alone is noted. The time that this takes depends on the task's size,
/// so it is taken from a budget of its own. Throws Cancelled.
bool try_own_sizes(const Question& question, const Services& services, const TestCases& test_cases,
                   const Recording& recording, Progress& progress);

/// Marks the variations that a trivial answer passes (assessment.hpp), in the verdict and in the steps.
void mark_evidence(const Question& question, const TestCases& test_cases, Progress& progress);

/// Fails the candidate and returns false if a trivial answer passes every variation of the task: an exam
/// counts no answer to such a task as right.
bool task_says_something(const Question& question, const TestCases& test_cases, Progress& progress);

/// Checks the partial credit of a candidate that has failed with wrong values, for protocols with the stage
/// tiny. If its kernels haven't been compiled yet, one plan must compile. If it failed at full sizes, it must
/// also be right at a second set of small sizes (`TestCases::other_sizes`). Otherwise the verdict is changed
/// to a failure at the earlier stage, compile or tiny.
void confirm_stages(const Question& question, TestCases& test_cases, Candidate& candidate,
                    PlanCompiler& compiler, ExecutorTestCases& executor, GpuTestCases& gpu,
                    Progress& progress);

/// Finds out whether a strict protocol's candidate for a task of a file, which failed at other sizes than the
/// file's, is right at the file's own: if it is, and fails at every other size of `test_cases` too, the
/// verdict is `own_size_only`. Such an answer has the file's sizes in its text. Throws Cancelled.
void confirm_own_size(const Question& question, TestCases& test_cases, ExecutorTestCases& executor,
                      GpuTestCases& gpu, Progress& progress);

/// Returns the verdict of KernelBench's protocol on a candidate; it doesn't change the main verdict. As in
/// KernelBench, the task's module is constructed under a fixed seed, and in each of five trials with other
/// seeds the answer's output must be within 1e-4 of the module's output, absolute and relative. An equal seed
/// gives the answer the module's parameters only where it draws as the module does
/// (recorder/weight_draws.py); others get other numbers of their distributions. There is one difference from
/// KernelBench: class numbers and indices stay integers (KernelBench casts them to the precision). The
/// verdict is neither right nor wrong where KernelBench can't be asked here: of an answer that a rule or a
/// limit of this verifier refuses before it has run, one that only a GPU can run, and a task whose module
/// gives no outputs here. `recorded`: the recorder's answer. Throws UserError if this machine can't store the
/// reference, and Cancelled.
OtherVerdict judge_by_kernelbench(const Question& question, const Services& services,
                                  const nlohmann::json& recorded, const Candidate& candidate,
                                  const std::function<bool()>& cancelled);

}  // namespace trl::runtime
