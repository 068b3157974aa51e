#pragma once
// What a task's variations prove: which answers that compute nothing, or too little, each of them refuses.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/tasks/precision.hpp"
#include "runtime/tasks/task.hpp"
#include "runtime/tasks/variation.hpp"

namespace trl::runtime {

/// One variation's word on the trivial answers:
/// - "zeros", "constant": any one number everywhere, chosen with hindsight;
/// - "copy of x": an input, repeated where it has fewer axes;
/// - "output of another draw";
/// - "first tile alone": zeros behind the first 1024 elements of the output, or half of fewer;
/// - "last tile missing": zeros in the last sixteenth of the output;
/// on ablations, in the first variation that isn't a cast or `extreme`, and where they pass in those after
/// it:
/// - "x as zeros", "x as ones", "x as a mean" (of another draw), "x of another draw": the task's value
/// without that input, and "mul(1e-12, tanh(x)) as zeros": without that term of a sum or difference. One of
/// which the function doesn't depend, in f64 and also of inputs 64 times as large, is not named: what a
/// norm cancels may be left out with right;
/// and, of an f32 task whose protocol asks for its precision, "tf32 products",
/// "bf16 products", "f16 values", "bf16 values": an honest computation in too low a precision.
struct VariationEvidence {
  std::string label;
  std::vector<std::string> refuses, passes;
  std::string skipped;  ///< why nothing could be tried; empty as a rule
  /// No answer that computes nothing passes: no zeros, constant, copy, or output of another draw.
  bool counts() const;
};

struct Assessment {
  std::vector<VariationEvidence> variations;
  /// An answer that computes nothing, a part of the output alone, or all but an input or a term, and that no
  /// variation refuses; empty: there is none. Too low a precision doesn't count.
  /// What `extreme` refuses doesn't count where there are other variations: it has one size, and few of its
  /// rows.
  std::string passes;
  bool degenerate() const { return !passes.empty(); }
  nlohmann::json to_json() const;
};

/// Deterministic in its arguments. Takes some ten evaluations of the task for each variation.
Assessment assess(const Task& task, const std::vector<Variation>& variations, Precision precision);

/// The trivial answer that no variation refuses, as `Assessment::passes`; empty: there is none. Stops at the
/// first variations that refuse all, and remembers what it found.
std::string passing_answer(const Task& task, const std::vector<Variation>& variations, Precision precision);

/// The labels of the variations that an answer that computes nothing passes (not
/// `VariationEvidence::counts`): passing them is no evidence. Remembers what it found.
std::vector<std::string> no_evidence(const Task& task, const std::vector<Variation>& variations,
                                     Precision precision);

/// How many draws of inputs a trial takes: one where the output has elements enough, up to 8 where it is a
/// number or two, since one of those is guessed too easily; as many as `extreme_draws`, at least. Half
/// precision keeps few digits and takes more.
int draws(const Task& task, const Variation& variation);

}  // namespace trl::runtime
