// Documentation of the numbers that stages report: the metrics of each training step (metrics.jsonl), and the
// numbers in stages' summaries and in verdicts. `trl results export` writes them, plots show some of them,
// and `trl explain` explains them.
#pragma once
#include <span>
#include <string>
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
  /// The title of the curve that shows the measure while a run goes on, and its place among those curves,
  /// from 1; empty and 0 if none does.
  std::string_view curve = {};
  int curve_place = 0;

  /// The title with which curves of other tools name the measure: `curve`, else `title`, else the name in
  /// words, with the unit: "entropy, nats a token".
  std::string heading() const;
  /// `meaning`, with the formula in parentheses if there is one.
  std::string definition() const;
};

/// Returns all measures, in the order of listings. Stages of different kinds may use one name with different
/// meanings.
std::span<const Measure> measures();

/// The measure that stages of a kind report under this name, at each step or for the whole stage; null for an
/// unknown one. "correct_after_2" is a `correct_after_N`.
const Measure* measure_called(std::string_view name, std::string_view kind, bool of_step);

/// Whether a metric of training steps is shown as a curve while a run goes on.
bool has_curve(std::string_view name);

}  // namespace trl::contract
