#pragma once
// Tests the variations of a task with trivial answers, which compute nothing or too little: passing a
// variation proves something only if the variation refuses such answers.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "verifier/tasks/precision.hpp"
#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// The largest share of an output that may have no bound.
constexpr double most_free = 1.0 / 8;

/// The trivial answers that one variation refuses, and the ones that pass it. The answers are:
/// - "zeros": 0 everywhere;
/// - "constant": one number everywhere, chosen to fit the expected outputs best;
/// - "copy of x": the input x, broadcast to the output's shape;
/// - "output of another draw": the right output for other random inputs;
/// - "first tile alone": the right output, with zeros after its first 1024 elements (after the first half of
///   an output of fewer than 2048 elements);
/// - "last tile missing": the right output, with zeros in its last sixteenth;
/// - "an arbitrary part": anything where `Expected::proves_little`, if that is more of the output than
///   `most_free`;
/// - "x as zeros", "x as ones", "x as a mean" (the mean of x in another draw), "x of another draw": an
///   ablation, the task's value for a replaced input x;
/// - "mul(1e-12, tanh(x)) as zeros": an ablation, the task's value without this term of a sum or difference;
/// - "tf32 products", "bf16 products", "f16 values", "bf16 values": an honest computation in too low a
///   precision. It is tried for an f32 task that has to be computed in f32.
///
/// Ablations are tried in the first variation that isn't a cast or `extreme`. Ablations that pass are tried
/// again in the following variations. No ablation is tried for an input or term that cancels out, such as a
/// bias before a norm: leaving it out is right. Whether it cancels is tested in f64, also with inputs 64
/// times as large.
struct VariationEvidence {
  std::string label;
  std::vector<std::string> refuses, passes;
  double free = 0;      ///< the share of the output for which nearly any value is right
  std::string skipped;  ///< the reason why no answer could be tried; usually empty
  /// Whether the variation is evidence: it refuses every answer that computes nothing (zeros, a constant, a
  /// copy, the output of another draw).
  bool counts() const;
};

struct Assessment {
  std::vector<VariationEvidence> variations;
  /// The name of a trivial answer that no variation refuses; empty if every trivial answer is refused.
  /// Answers in too low a precision don't count. Refusals by the variation `extreme` count only if there is
  /// no other variation: `extreme` has a single size, and few of its rows would show the difference.
  std::string passes;
  bool degenerate() const { return !passes.empty(); }
  nlohmann::json to_json() const;
};

/// Whether a task is too large for an assessment, which evaluates it hundreds of times. Only a task that was
/// read from a Python file can be too large. A task that is written out in a `.trl` file is assessed at any
/// size, since its author chose the size. The size is the task's own, or the smaller one of the variations
/// (Variation::dims).
bool too_large_to_assess(const Task& task, const std::vector<Variation>& variations = {});

/// Tries the trivial answers on every variation. The result depends on the arguments alone. Takes about ten
/// evaluations of the task for each variation.
Assessment assess(const Task& task, const std::vector<Variation>& variations, Precision precision);

/// Returns `Assessment::passes`: a trivial answer that no variation refuses. Empty if there is none, or if
/// the task is too large to be assessed. Faster than `assess`, since it stops as soon as every answer has
/// been refused, and caches the result.
std::string passing_answer(const Task& task, const std::vector<Variation>& variations, Precision precision);

/// Returns the labels of the variations for which `VariationEvidence::counts` is false: an answer that
/// computes nothing passes them, so passing them proves nothing. Empty for a task that is too large to be
/// assessed. Caches the result.
std::vector<std::string> no_evidence(const Task& task, const std::vector<Variation>& variations,
                                     Precision precision);

/// Returns how often the inputs of a variation are drawn and judged. One draw is enough for an output with
/// many elements. A small output could be guessed, so it takes up to 4 draws in f32, and up to 8 in another
/// dtype, which keeps fewer digits. The variation `extreme` takes at least `extreme_draws`.
int draws(const Task& task, const Variation& variation);

}  // namespace trl::runtime
