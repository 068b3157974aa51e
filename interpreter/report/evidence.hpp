// The data of figures: verdicts, rewards and summaries in the store, each with the stage that it is from.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/plan/plan.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// One verdict of a candidate.
struct Verdict {
  std::string stage;                       ///< the verify stage
  int turn = 1;                            ///< of its episode
  std::size_t row = 0;                     ///< in verdicts.jsonl and in the candidates that it judges, from 0
  std::size_t task_number = 0;             ///< the task's index in tasks.json
  int id = 0;                              ///< the task's number in its suite, from 1
  int sample = 0;                          ///< the sample's index among the task's
  std::string task, name, group;           ///< the task's key, name and suite
  bool valid = false, compiled = false;    ///< `compiled` is false if it was not tried
  bool correct = false, values = false;    ///< `values` ignores memory errors
  double speedup = 0;                      ///< 0 unless correct
  bool modelled = true;                    ///< whether times are modelled instead of measured
  std::string failed;                      ///< syntax, compile, tiny, full; empty if it passed
  std::string reason, message, variation;  ///< empty if there is none
  int line = 0;                            ///< the line of the answer at fault, from 1; 0 if there is none
  std::vector<std::string> no_evidence;    ///< the exam's variations that a trivial answer to the task passes
  std::int64_t masked_without_other = 0;   ///< masked loads on whose zeros a correct candidate relies
  double kernel_share = 1;                 ///< of the task's work; less than 1 where PyTorch finished it
  /// How much faster than torch.compile's reference, 0 unless correct; none: the exam doesn't time it.
  std::optional<double> over_compiled;
  std::optional<bool> kernelbench;  ///< whether KernelBench's protocol accepts it; none: not asked
};

/// Where a candidate lies: the sample stage, and the row in its candidates.jsonl.
struct CandidatePlace {
  std::string stage;
  std::size_t row = 0;
};

/// Reads and caches files of verdicts.
class Evidence {
 public:
  Evidence(const Plan& plan, const Store& store) : plan_(plan), store_(store) {}
  const Plan& plan() const { return plan_; }
  const Store& store() const { return store_; }

  /// The verdicts of a verify stage in candidate order.
  const std::vector<Verdict>& verdicts(const std::string& verify_key) const;
  /// The verdicts in which episodes ended, in the order of the first turn's candidates; without later turns,
  /// the verdicts of the first.
  const std::vector<Verdict>& ended(const std::string& verify_key, const std::vector<Turn>& later) const;
  /// The same of an exam; none if the trace has no exam.
  const std::vector<Verdict>& exam(const Trace& trace) const;
  /// The candidates that a verify stage judged, in its order: the candidates of a sample stage, or the
  /// candidates that a select stage kept.
  std::vector<CandidatePlace> candidates(const std::string& verify_key) const;

 private:
  const Plan& plan_;
  const Store& store_;
  mutable std::map<std::string, std::vector<Verdict>> verdicts_, ended_;
};

/// Reads verdicts.jsonl of a verify stage; `about` has the tasks.json to which it refers. `compiled`: whether
/// the stage times torch.compile's reference, too.
std::vector<Verdict> read_verdicts(const Result& judged, const Result& about, bool compiled = false);

/// "2 of 40 exam tasks have a variation that a trivial answer passes, which is no evidence (cast(f16) for
/// level1/mean_loss; extreme for level1/faint)", from the stored verdicts; empty if there is none.
std::string evidence_sentence(const Evidence& evidence);
/// How many of the exam's answers that KernelBench's protocol accepts aren't correct, and why; empty where
/// that protocol judged none.
std::string survival_sentence(const Evidence& evidence);

/// For each row of the plan, in which of its rounds no answer was better or worse than another to its task,
/// or none was kept, so that rewards taught nothing: "`relative` learnt nothing from rewards in 2 of 12
/// rounds …".
std::vector<std::string> idle_round_sentences(const Evidence& evidence);

}  // namespace trl::interpreter
