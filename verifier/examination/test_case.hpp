#pragma once
// The test cases of a candidate: sizes, dtypes, and inputs that are drawn once a commitment fixes its kernels
// and plans.
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

/// A variation that a candidate must pass, and the plan that is recorded for its sizes.
struct TestCase {
  Variation variation;
  std::string stage;     ///< tiny or full
  std::size_t plan = 0;  ///< the plan's number in the recording
  bool executed = true;  ///< whether the executor carries it out before the GPU
  /// Whether `inputs` and `expected` are set. Since they can be large, they are drawn when first needed and
  /// kept only for the GPU.
  bool drawn = false;
  std::vector<InputData> inputs = {};
  Expected expected = {};

  /// Draws the inputs and computes the expected values, unless they are set already.
  void draw(const Question& question, const std::string& commitment, Timings& timings);
  void forget();
};

/// All test cases of a candidate, and the shapes that its plans are recorded for.
struct TestCases {
  std::vector<TestCase> all;  ///< in the order in which they are tried; not empty
  /// A test case of the stage tiny at other sizes than 4: a candidate must pass it to be credited with
  /// reaching `full`. Empty if there is no tiny stage or the task allows no such sizes. In an exam it is
  /// among `all` as well.
  std::optional<TestCase> other_sizes;
  struct LeftAlone {
    std::string label, why;
  };
  /// The protocol's variations that are no test cases of the task: casts, where it says itself which dtypes
  /// it has, and sizes at which the module of a file that it was read from has no value.
  std::vector<LeftAlone> left_alone;
  /// The shapes that a recorder is asked to record, [{"label", "inputs", "outputs"}], and the bytes of the
  /// inputs of each. The first has the task's own sizes.
  nlohmann::json shapes = nlohmann::json::array();
  std::vector<std::vector<std::int64_t>> input_bytes;

  bool has(const Variation& variation) const;
  const std::string& first_stage() const { return all.front().stage; }
};

TestCases choose_test_cases(const Question& question);

/// The label of the step whose inputs are made to turn decisions of the kernels.
constexpr const char* directed_label = "directed";

/// All steps of an examination, none carried out yet.
std::vector<ExaminedStep> lay_out_steps(const TestCases& test_cases, bool compile_first);

/// Returns a key, never 0, for the order of a launch's programs. Nobody can know it before the candidate is
/// committed.
std::uint64_t program_order(const Question& question, const std::string& commitment,
                            const Variation& variation, const char* purpose);

}  // namespace trl::runtime
