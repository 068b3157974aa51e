// The measures of stages, in words: the names under which training tells numbers at each step
// (metrics.jsonl), and the numbers of stages' summaries and verdicts. `trl results export` writes them, plots
// show some of them, and `trl explain` explains them.
#pragma once
#include <span>
#include <string_view>

namespace trl::contract {

struct Measure {
  std::string_view name;     ///< "clip_share"
  std::string_view of;       ///< the kinds of stages that measure it: "finetune"
  std::string_view unit;     ///< "share", "nats"; empty: a number without one
  std::string_view meaning;  ///< a definition, beginning in lower case
  std::string_view formula;  ///< how it is computed; empty where the meaning says all
  bool of_step = false;      ///< told at each optimiser step, else once by a stage as a whole
  /// The title of a plot's axis, where a plot can show its mean over the steps of a round; empty where it
  /// can't.
  std::string_view title = {};
};

/// All of them, in the order in which they are listed; some names mean different things in different stages.
std::span<const Measure> measures();

}  // namespace trl::contract
