// The data behind figures: verdicts, rewards and summaries in the store, each with the stage that made it.
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
  std::string stage;              ///< the key of the verify stage
  int turn = 1;                   ///< the number of the turn in its episode, from 1
  std::size_t row = 0;            ///< the row in verdicts.jsonl and in the list of judged candidates, from 0
  std::size_t task_number = 0;    ///< the task's index in tasks.json
  int id = 0;                     ///< the task's number in its suite, from 1
  int sample = 0;                 ///< the index of the answer among the answers to the task
  std::string task, name, group;  ///< the task's key, name and suite
  bool valid = false, compiled = false;  ///< `compiled` is also false if compilation wasn't tried
  bool judged = true;                    ///< whether the answer was judged; otherwise no column counts it
  bool correct = false, values = false;  ///< `values` ignores memory errors
  double speedup = 0;                    ///< 0 unless correct
  bool modelled = true;                  ///< whether times are modelled instead of measured
  std::string failed;  ///< the check that failed: "syntax", "compile", "tiny" or "full"; empty if all passed
  /// Why and under which input variation the check failed; empty if there is none.
  std::string reason, message, variation;
  int line = 0;                          ///< the line of the answer at fault, from 1; 0 if there is none
  std::vector<std::string> no_evidence;  ///< the exam's variations that a trivial answer to the task passes
  /// The number of masked loads without `other` on whose zeros a correct candidate relies.
  std::int64_t masked_without_other = 0;
  /// The share of the task's work that the kernels did; less than 1 if PyTorch did the rest.
  double kernel_share = 1;
  /// The speed-up over the reference compiled with torch.compile: 0 unless correct, nothing if the exam
  /// doesn't time the compiled reference.
  std::optional<double> over_compiled;
  std::optional<bool> kernelbench;   ///< whether KernelBench's protocol accepts the answer; nothing if that
                                     ///< protocol wasn't run, or couldn't be asked of it
  bool kernelbench_unasked = false;  ///< whether it couldn't be asked of this answer
};

/// The location of a candidate: the key of the sample stage, and the row in its candidates.jsonl.
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
  /// The last verdict of each episode, in the order of the first turn's candidates. `verify_key` is the
  /// verify stage of the first turn; if `later` is empty, the first turn's verdicts are returned.
  const std::vector<Verdict>& ended(const std::string& verify_key, const std::vector<Turn>& later) const;
  /// The last verdict of each episode of a trace's exam; empty if the trace has no exam.
  const std::vector<Verdict>& exam(const Trace& trace) const;
  /// The candidates that a verify stage judged, in its order: the candidates of a sample stage, or the
  /// candidates that a select stage kept.
  std::vector<CandidatePlace> candidates(const std::string& verify_key) const;

 private:
  const Plan& plan_;
  const Store& store_;
  mutable std::map<std::string, std::vector<Verdict>> verdicts_, ended_;
};

/// Reads verdicts.jsonl of a verify stage. `about` is the result with the tasks.json to which the verdicts
/// refer. `compiled` says whether the stage also times the reference compiled with torch.compile.
std::vector<Verdict> read_verdicts(const Result& judged, const Result& about, bool compiled = false);

/// Returns "2 of 40 exam tasks have a variation that a trivial answer passes, which is no evidence (cast(f16)
/// for level1/mean_loss; extreme for level1/faint)", from the stored verdicts; empty if there is none.
std::string evidence_sentence(const Evidence& evidence);
/// A sentence with the number of exam answers that KernelBench's protocol accepts although they aren't
/// correct, and the reasons. Empty if that protocol judged no answers.
std::string survival_sentence(const Evidence& evidence);

/// A sentence with the number of exam answers that couldn't be judged, so that no column counts them, and the
/// messages of their verdicts. Empty if all were judged.
std::string unjudged_sentence(const Evidence& evidence);
/// A sentence for each row whose exam has answers from elsewhere of which some are absent, so that they count
/// as wrong: "27 of the 30 answers of `theirs` are absent …".
std::vector<std::string> absent_sentences(const Evidence& evidence);

/// A sentence for each row of the plan with rounds whose rewards gave no training signal, since no answer was
/// kept, or no kept answer was worth more or less than another answer to its task: "`relative` learnt nothing
/// from rewards in 2 of 12 rounds …".
std::vector<std::string> idle_round_sentences(const Evidence& evidence);

}  // namespace trl::interpreter
