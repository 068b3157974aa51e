#pragma once
// The test cases of a candidate: their sizes, dtypes and inputs. Inputs are drawn only after the candidate's
// kernels and plans are fixed by a hash (the commitment).
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "verifier/compare/tolerance.hpp"
#include "verifier/examination/progress.hpp"
#include "verifier/replay/replay.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// The bytes of a task's inputs and results together at the sizes of a variation.
std::int64_t footprint_bytes(const Task& task, const Variation& variation);

/// Whether a test case's tensors stay on the GPU, where its values are compared with the module's values.
/// This is so if the task is judged by its module. It is also so if the inputs and results at the variation's
/// sizes are larger than `most_bytes`, the limit of a plan's buffers on this machine.
bool oversized(const Task& task, const Variation& variation,
               std::int64_t most_bytes = PlanLimits{}.buffer_bytes);

/// A variation that a candidate must pass, and the plan that is recorded for the variation's sizes.
struct TestCase {
  Variation variation;
  std::string stage;     ///< tiny or full
  std::size_t plan = 0;  ///< index of the plan in the recording
  bool executed = true;  ///< whether the executor carries out the whole plan; false: the GPU alone does
  /// Whether `inputs` and `expected` are set. They can be large, so they are computed when first needed, and
  /// kept after the executor's run only if the GPU needs them.
  bool drawn = false;
  std::vector<InputData> inputs = {};
  Expected expected = {};

  /// Sets `inputs` and `expected`, unless they are set already.
  void draw(const Question& question, const std::string& commitment, Timings& timings);
  void forget();
  /// Whether the variation is judged at smaller sizes than its own, since these are too large.
  bool smaller() const;
};

/// All test cases of a candidate, and the input shapes for which its plans are recorded.
struct TestCases {
  std::vector<TestCase> all;  ///< in the order in which they are tried; not empty
  /// A test case of the stage tiny at other sizes than 4. A candidate that fails in the stage full must pass
  /// this test case to get credit for the stage tiny. Empty if the protocol has no stage tiny or the task
  /// allows no such sizes. In an exam the test case is in `all`, too.
  std::optional<TestCase> other_sizes;
  /// A dimension, and test cases at sizes that stretch it, the longest first. Only one of them is used: the
  /// first at which the candidate can be judged.
  struct Stretched {
    std::string dim;
    std::vector<TestCase> sizes;
  };
  std::vector<Stretched> stretched;
  /// The task's own sizes, if they are too large for this machine. Then single programs of the plan run at
  /// these sizes (own_sizes.hpp), and the variations are tried at smaller sizes.
  std::optional<TestCase> own_sizes;
  std::vector<Variation> variations;  ///< the protocol's variations, at sizes that the CPU can carry out
  struct LeftAlone {
    std::string label, why;
  };
  /// The protocol's variations that can't be applied to the task, and the reasons: a cast, if the task fixes
  /// its dtypes; a resize, if the PyTorch module from which the task was read fails at those sizes.
  std::vector<LeftAlone> left_alone;
  /// The input shapes for which a recorder records plans, [{"label", "inputs", "outputs"}], and for each of
  /// them the sizes in bytes of the inputs. The first element has the task's original sizes. A `stretched`
  /// shape needs no other configurations of autotuned kernels; one with `instead_of` is recorded only if the
  /// wrapper fails at the shape of that index.
  nlohmann::json shapes = nlohmann::json::array();
  std::vector<std::vector<std::int64_t>> input_bytes;
  std::vector<PlanLimits> limits;  ///< for each shape, the limits of a plan

  bool has(const Variation& variation) const;
  const std::string& first_stage() const { return all.front().stage; }
};

TestCases choose_test_cases(const Question& question);

/// The label of the step with directed inputs, which are made to change the outcome of decisions in the
/// kernels.
constexpr const char* directed_label = "directed";

/// The label of the step at the task's own sizes, if they are too large to be carried out as a whole.
constexpr const char* own_sizes_label = "own sizes";

/// Returns all steps of an examination, marked as skipped until they are carried out. `compile_first`: the
/// step `compile` precedes the test cases.
std::vector<ExaminedStep> lay_out_steps(const TestCases& test_cases, bool compile_first);

/// Returns a random key, never 0, that determines the order in which a launch's programs run. It can't be
/// predicted before the candidate is committed.
std::uint64_t program_order(const Question& question, const std::string& commitment,
                            const Variation& variation, const char* purpose);

}  // namespace trl::runtime
