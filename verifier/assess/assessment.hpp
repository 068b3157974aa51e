#pragma once
// How much a task's variations prove: which answers that compute nothing, or too little, each variation
// refuses.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "verifier/tasks/precision.hpp"
#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// The result of one variation for each trivial answer:
/// - "zeros", "constant": the same number everywhere, the one that fits the expected outputs best;
/// - "copy of x": an input, repeated where it has fewer axes;
/// - "output of another draw": the right output for other inputs;
/// - "first tile alone": zeros behind the first 1024 elements of the output, or behind half of fewer;
/// - "last tile missing": zeros in the last sixteenth of the output.
/// Ablations are tried in the first variation that isn't a cast or `extreme`, and ablations that pass there
/// in the following ones, too:
/// - "x as zeros", "x as ones", "x as a mean" (of another draw), "x of another draw": the task's value
///   without that input;
/// - "mul(1e-12, tanh(x)) as zeros": its value without that term of a sum or difference.
/// An input or term is not tried when the function doesn't depend on it, in f64 and also with inputs 64 times
/// as large: leaving out a term that a norm cancels is right. For an f32 task whose protocol asks for a
/// precision, "tf32 products", "bf16 products", "f16 values" and "bf16 values" are honest computations in too
/// low a precision.
struct VariationEvidence {
  std::string label;
  std::vector<std::string> refuses, passes;
  std::string skipped;  ///< why nothing could be tried; usually empty
  /// Whether every answer that computes nothing (zeros, a constant, a copy, the output of another draw) is
  /// refused.
  bool counts() const;
};

struct Assessment {
  std::vector<VariationEvidence> variations;
  /// An answer that no variation refuses although it computes nothing, only a part of the output, or
  /// everything but an input or a term; empty when there is none. Too low a precision doesn't count. Where
  /// there are other variations, refusals by `extreme` don't count: it has a single size, and few of its rows
  /// would show the difference.
  std::string passes;
  bool degenerate() const { return !passes.empty(); }
  nlohmann::json to_json() const;
};

/// Whether a task of a file is at its own sizes too large for the hundreds of evaluations that an assessment
/// is. A task that a `.trl` file writes out is assessed at any size: its author decided it.
bool too_large_to_assess(const Task& task);

/// Deterministic in its arguments. Takes about ten evaluations of the task for each variation.
Assessment assess(const Task& task, const std::vector<Variation>& variations, Precision precision);

/// The trivial answer that no variation refuses, as in `Assessment::passes`; empty when there is none, and of
/// a task that is too large to be assessed. Stops at the first variations that together refuse all, and
/// caches the result.
std::string passing_answer(const Task& task, const std::vector<Variation>& variations, Precision precision);

/// The labels of the variations that an answer that computes nothing passes (`VariationEvidence::counts` is
/// false): to pass them is no evidence. Empty for a task that is too large to
/// be assessed. Caches the result.
std::vector<std::string> no_evidence(const Task& task, const std::vector<Variation>& variations,
                                     Precision precision);

/// The number of draws of inputs in a trial: one where the output has many elements, and up to 8 where it has
/// one or two, since those are guessed too easily; but at least `extreme_draws`. Half precision keeps few
/// digits and takes more draws.
int draws(const Task& task, const Variation& variation);

}  // namespace trl::runtime
