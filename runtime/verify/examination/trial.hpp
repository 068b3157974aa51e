#pragma once
// What a candidate is tried on: sizes and dtypes, and inputs that are drawn once it is sealed.
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "runtime/tasks/variation.hpp"
#include "runtime/verify/compare/tolerance.hpp"
#include "runtime/verify/examination/progress.hpp"
#include "runtime/verify/replay/replay.hpp"

namespace trl::runtime {

/// A variation to pass and the plan that is recorded for its sizes.
struct Trial {
  Variation variation;
  std::string stage;     ///< tiny or full
  std::size_t plan = 0;  ///< of the recording
  bool executed = true;  ///< on the executor, before the GPU
  /// Drawn when first asked for; kept for the GPU alone, since they can be large.
  bool drawn = false;
  std::vector<InputData> inputs = {};
  Expected expected = {};

  /// Draws the inputs, and computes what is expected of them, unless that was done.
  void draw(const Question& question, const std::string& seal, Timings& timings);
  void forget();
};

/// All trials of a candidate, and the shapes that its plans are recorded for.
struct Trials {
  std::vector<Trial> all;  ///< in their order; not empty
  /// At sizes besides 4 at which what earns the credit of `full` must be right, tiny in its stage. None where
  /// there is no tiny stage or the task allows no such sizes. An exam has it among `all`, too.
  std::optional<Trial> other_sizes;
  /// [{"label", "inputs", "outputs"}] as a recorder is asked, and the bytes of each one's inputs. The first
  /// are the task's own sizes.
  nlohmann::json shapes = nlohmann::json::array();
  std::vector<std::vector<std::int64_t>> input_bytes;

  bool has(const Variation& variation) const;
  const std::string& first_stage() const { return all.front().stage; }
};

Trials choose_trials(const Question& question);

/// What the step is called whose inputs are made to turn decisions of the kernels.
constexpr const char* directed_label = "directed";

/// The steps of an examination, none taken yet.
std::vector<ExaminedStep> lay_out_steps(const Trials& trials, bool compile_first);

/// A key for the order of a launch's programs, which nobody can know before the candidate is sealed. Not 0.
std::uint64_t program_order(const Question& question, const std::string& seal, const Variation& variation,
                            const char* purpose);

}  // namespace trl::runtime
