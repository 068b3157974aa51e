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

/// Runs single programs of the plan for the task's own sizes, if these are too large for the whole plan
/// (TestCases::own_sizes). The grid and the secret choose the programs. Their inputs are drawn only where a
/// program touches them. Every memory access is checked. Values are compared for programs that use nothing
/// that other programs write, if the expected values can be computed from a part of the inputs
/// (inputs/task_parts.hpp). Sets `Verdict::own_sizes`. Sets the modelled times, too, if values were compared,
/// all these programs ended, and all programs together seem to fill the output. Returns false as soon as a
/// value is wrong; a memory error alone is noted. The necessary time depends on the task's size, so a
/// separate budget limits it. Throws Cancelled.
bool try_own_sizes(const Question& question, const Services& services, const TestCases& test_cases,
                   const Recording& recording, Progress& progress);

/// In an exam: marks, in the verdict and in the steps, the variations that a trivial answer also passes
/// (assessment.hpp): passing them is no evidence.
void mark_evidence(const Question& question, const TestCases& test_cases, Progress& progress);

/// Returns whether the task can show anything; outside of exams always true. If one trivial answer passes
/// every variation of the task, or if each variation is passed by some trivial answer, fails the candidate
/// and returns false: an exam counts no answer to such a task as right.
bool task_says_something(const Question& question, const TestCases& test_cases, Progress& progress);

/// Checks the partial credit of a candidate that has failed with wrong values, for protocols with the stage
/// tiny. If its kernels haven't been compiled yet, one plan must compile. If it failed at full sizes, it must
/// also be right at a second set of small sizes (`TestCases::other_sizes`). Otherwise the verdict is changed
/// to a failure at the earlier stage, compile or tiny.
void confirm_stages(const Question& question, TestCases& test_cases, Candidate& candidate,
                    PlanCompiler& compiler, ExecutorTestCases& executor, GpuTestCases& gpu,
                    Progress& progress);

/// For a candidate of a strict protocol that failed at other sizes than the sizes in the task's file: tests
/// whether it is right at the file's sizes. If it is right there and fails at every other size of
/// `test_cases`, the verdict is `own_size_only`: the file's sizes are built into the answer. Throws
/// Cancelled.
void confirm_own_size(const Question& question, TestCases& test_cases, ExecutorTestCases& executor,
                      GpuTestCases& gpu, Progress& progress);

/// Returns the verdict of KernelBench's protocol on a candidate; the main verdict doesn't change. As in
/// KernelBench, the task's module is constructed under a fixed seed. There are five trials with other seeds,
/// and in each the answer's output must be within 1e-4 of the module's output, absolute and relative. With an
/// equal seed, the answer's parameters are equal to the module's only if the answer draws them in the same
/// way (recorder/weight_draws.py); otherwise they are other numbers from the same distributions. One thing
/// differs from KernelBench: class numbers and indices stay integers (KernelBench casts them to the
/// precision). The verdict is neither right nor wrong in three cases: a rule or a limit of this verifier
/// refuses the answer before it runs; only a GPU can run it; the task's module gives no outputs on this
/// machine. `recorded` is the recorder's answer. Throws UserError if this machine can't store the reference,
/// and Cancelled.
OtherVerdict judge_by_kernelbench(const Question& question, const Services& services,
                                  const nlohmann::json& recorded, const Candidate& candidate,
                                  const std::function<bool()>& cancelled);

}  // namespace trl::runtime
