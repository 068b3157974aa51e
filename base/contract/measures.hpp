// Documentation of the numbers that stages report: the metrics of each training step (metrics.jsonl), and the
// numbers in stages' summaries and in verdicts. `trl results export` writes them, plots show some of them,
// and `trl explain` explains them.
#pragma once
#include <span>
#include <string_view>

namespace trl::contract {

struct Measure {
  std::string_view name;     ///< "clip_share"
  std::string_view of;       ///< the kinds of stages that report it: "finetune"
  std::string_view unit;     ///< "share", "nats"; empty: no unit
  std::string_view meaning;  ///< a definition that begins in lower case
  std::string_view formula;  ///< the formula, if `meaning` doesn't suffice; else empty
  bool of_step = false;      ///< whether it is reported at each optimiser step, not once for the whole stage
  /// The title of a plot's axis, if plots can show the measure's mean over the steps of a round; else empty.
  std::string_view title = {};
};

/// Returns all measures, in the order of listings. Stages of different kinds may use one name with different
/// meanings.
std::span<const Measure> measures();

}  // namespace trl::contract
