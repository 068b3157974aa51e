// Audits one exam: its verdicts are computed again from its published plans.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "interpreter/schedule/interrupt.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// Something published that doesn't hold: most often a verdict that differs from the one computed again from
/// its launch plan. `candidate` is the candidate's id, or a stage's key; `how` is the difference in words.
struct DifferingVerdict {
  std::string candidate, how;
};

/// The result of auditing one stage. `candidates` counts its verdicts, `again` those that were computed
/// again, and `agreeing` those with an equal result. `slot` is the stage's position in its plan
/// (Stage::slot).
struct AuditedStage {
  std::string key, slot;
  std::size_t candidates = 0, again = 0, agreeing = 0;
  std::size_t unplanned = 0;     ///< the ones of `again` without a plan, so that there is nothing to execute
  std::size_t omitted = 0;       ///< verdicts whose plans were too large to be stored
  std::size_t without_text = 0;  ///< servers' replies without text, which nothing judged
  std::size_t gpu = 0;  ///< verdicts that depend on a GPU's results, which the executor can't reproduce
  /// The candidates of `omitted` and `gpu` whose published verdict is "correct".
  std::vector<std::string> unchecked_correct;
  std::map<std::string, std::size_t> unchecked_columns;  ///< numbers of verdicts by column, among `again`
  std::vector<double> speeds;                            ///< ratios of newly measured to published speed-ups
  std::vector<DifferingVerdict> differences;
  std::string remark;                 ///< why it can't be audited, or another problem
  std::vector<std::string> protocol;  ///< the differences of its protocol from an exam's usual one
  std::string versions;               ///< the versions that made it, if this program has others
  bool auditable = true, damaged = false;

  /// Whether a part of the published results couldn't be compared with anything.
  bool unchecked() const { return !auditable || omitted > 0 || gpu > 0 || !unchecked_columns.empty(); }
};

struct AuditOptions {
  bool measured = false;  ///< whether this machine's GPU replays and times the plans of stages that used one
  bool sandbox = true;
  std::function<void(std::size_t done, std::size_t all)> progress = [](std::size_t, std::size_t) {};
};

/// Audits a verify stage. If a file of the stage is damaged, the result says so. Throws UserError if an
/// undamaged stage can't be audited on this machine, and Interrupted if the user interrupts.
AuditedStage audit_stage(const std::string& key, const Store& store, const AuditOptions& options,
                         const Interrupt& interrupt);

}  // namespace trl::interpreter
