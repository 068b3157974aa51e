#include "interpreter/audit/audited_stage.hpp"

#include <set>

#include "base/contract/form.hpp"
#include "base/contract/protocol.hpp"
#include "base/contract/rows.hpp"
#include "base/contract/stages/kinds.hpp"
#include "base/support/error.hpp"
#include "base/support/json_text.hpp"
#include "base/support/reading.hpp"
#include "interpreter/audit/verdict_columns.hpp"
#include "interpreter/plan/exam.hpp"
#include "interpreter/plan/why.hpp"
#include "interpreter/report/candidate.hpp"
#include "interpreter/schedule/verifier_process.hpp"
#include "interpreter/store/rows.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using contract::VerdictRow;
using nlohmann::json;
namespace fs = std::filesystem;

/// Whether a published verdict may be right although the executor finds another one, because the stage used a
/// GPU: the candidate failed on the GPU, or is too much work for the executor.
bool rests_on_gpu(const contract::Verdict& published, const contract::Verdict& found) {
  return published.failed == "timed" || published.message.ends_with(", on the GPU") ||
         found.reason == "timeout";
}

/// The published verdicts, as JSON and parsed.
struct Published {
  std::vector<json> rows;
  std::vector<VerdictRow> verdicts;
};

/// Compares the answers for one stage with its verdicts.
class StageAudit {
 public:
  /// `sampled` is the key of the candidates' sample stage; empty if another stage selected among them.
  StageAudit(AuditedStage& audited, Times times, std::string sampled, Published published)
      : audited_(audited),
        times_(times),
        sampled_(std::move(sampled)),
        published_(std::move(published)),
        seen_(published_.rows.size(), false) {
    audited_.candidates = published_.rows.size();
  }

  void take(const contract::Replayed& answer) {
    for (const std::size_t row : answer.rows) {
      if (row >= seen_.size() || seen_[row]) {
        audited_.damaged = true;
        audited_.remark = "plans.jsonl has a plan for a candidate that doesn't exist, or two plans for one";
        continue;
      }
      seen_[row] = true;
      compare(row, answer);
    }
  }

  /// Checks that each verdict is on the task and sample of the answer in its row, if the answers are stored,
  /// and that no answer has two verdicts.
  void compare_places(const std::vector<contract::Candidate>& candidates) {
    std::set<std::pair<std::size_t, std::int64_t>> places;
    for (std::size_t row = 0; row < seen_.size(); ++row) {
      const auto& verdict = published_.verdicts[row];
      if (!places.emplace(verdict.task, verdict.sample).second)
        differ(row, fmt::format("a second verdict on sample {} of task {}", verdict.sample, verdict.task));
      else if (row < candidates.size() &&
               (candidates[row].task != verdict.task || candidates[row].sample != verdict.sample))
        differ(row, "its verdict is on another task or sample");
    }
    if (!candidates.empty() && candidates.size() != seen_.size()) {
      audited_.damaged = true;
      audited_.remark = fmt::format("{} answers have {} verdicts", candidates.size(), seen_.size());
    }
  }

  /// Ends the comparison: reports verdicts without a plan. A server's reply without text has no plan either;
  /// if answers aren't stored, it isn't known whether a reply had text.
  void finish(const std::vector<contract::Candidate>& candidates) {
    for (std::size_t row = 0; row < seen_.size(); ++row) {
      if (seen_[row]) continue;
      const auto* answer = row < candidates.size() ? &candidates[row] : nullptr;
      const bool has_text =
          answer != nullptr && (!answer->no_text || contract::is_models_own(*answer->no_text) ||
                                answer->answer.find_first_not_of(" \t\r\n") != std::string::npos);
      if (published_.verdicts[row].judged() || has_text)
        differ(row, "plans.jsonl lacks its plan");
      else
        ++(answer != nullptr ? audited_.without_text : audited_.omitted);
    }
  }

  std::size_t done() const { return audited_.again + audited_.omitted + audited_.gpu; }

 private:
  void compare(std::size_t row, const contract::Replayed& answer) {
    const VerdictRow& verdict = published_.verdicts[row];
    if (answer.omitted) {
      ++audited_.omitted;
      note_unchecked(row);
      return;
    }
    ComparedVerdict compared = judged(answer, row);
    const bool by_gpu = times_ == Times::unmeasured && answer.verdict;
    if (!compared.difference.empty() && by_gpu && rests_on_gpu(verdict, *answer.verdict)) {
      ++audited_.gpu;
      note_unchecked(row);
      return;
    }
    if (answer.verdict)
      if (const auto again = speed_again(verdict, *answer.verdict)) audited_.speeds.push_back(*again);
    ++audited_.again;
    audited_.unplanned += !answer.planned.value_or(true);
    for (const auto& column : compared.unchecked) ++audited_.unchecked_columns[column];
    if (compared.difference.empty())
      ++audited_.agreeing;
    else
      differ(row, compared.difference);
  }

  ComparedVerdict judged(const contract::Replayed& answer, std::size_t row) const {
    if (answer.forged) return {"its plan isn't the one of its commitment", {}};
    if (answer.task != published_.verdicts[row].task) return {"its plan is of another task", {}};
    if (!answer.verdict) throw UserError("trl-verify gave no verdict on a plan");
    return compare_verdict(published_.rows[row], *answer.verdict, times_);
  }

  std::string id_of_row(std::size_t row) const {
    return sampled_.empty() ? fmt::format("{}, row {}", audited_.key.substr(0, 10), row + 1)
                            : candidate_id(sampled_, row);
  }

  void note_unchecked(std::size_t row) {
    if (published_.verdicts[row].correct) audited_.unchecked_correct.push_back(id_of_row(row));
  }

  void differ(std::size_t row, const std::string& how) {
    audited_.differences.push_back({id_of_row(row), how});
  }

  AuditedStage& audited_;
  Times times_;
  std::string sampled_;
  Published published_;
  std::vector<bool> seen_;
};

/// Returns the key of the sample stage; empty if another stage selected the candidates. A copy of a store for
/// audits needn't contain the sample stage, but selected candidates can only be identified with it.
std::string sampled_by(const json& stage, const Store& store) {
  const std::string key = stage.at("inputs").value("candidates", "");
  if (!store.has(key)) return key;
  const auto result = store.result(key);
  const bool whole = !result.damage(Check::sizes);
  return whole && contract::gives_candidates(result.description().value("kind", "")) ? key : "";
}

/// The answers that were judged; none if the store lacks them.
std::vector<contract::Candidate> answers_of(const json& stage, const Store& store) {
  const std::string key = stage.at("inputs").value("candidates", "");
  return store.has(key) ? rows_as<contract::Candidate>(store.result(key), "candidates.jsonl")
                        : std::vector<contract::Candidate>();
}

std::string secret_of(const Store& store) {
  const auto file = store.root() / "secret";
  if (!fs::exists(file))
    throw UserError(
        store.root().string() + " has no secret, so the inputs can't be drawn again",
        "Copy the store's file `secret` too, and the folders of the exams and their tasks in stages/.");
  return store.read_secret();
}

/// Returns the verdicts as they are stored, even from a damaged stage: the audit then says which of them
/// still agree with their plans. Throws UserError if they can't be read.
Published published_verdicts(const Result& result) {
  Published published;
  const auto file = result.folder() / "verdicts.jsonl";
  for_each_row(read_text(file, {.within = result.folder()}), file.string(),
               [&](const json& row) { published.rows.push_back(row); });
  for (const auto& row : published.rows) {
    try {
      published.verdicts.push_back(VerdictRow::read(row));
    } catch (const contract::ContractError& error) {
      throw UserError(fmt::format("row {} of verdicts.jsonl isn't a verdict: {}",
                                  published.verdicts.size() + 1, error.what()));
    }
  }
  return published;
}

/// Records how the stage's protocol and versions differ from the ones that this program would use for an
/// exam.
void describe(const json& stage, AuditedStage& audited) {
  const auto protocol = contract::Protocol::read(stage.at("spec"));
  audited.protocol = value_differences(exam_protocol(protocol.timed).write(), protocol.write());
  const auto made = [&](const char* name) { return stage.value(name, std::string()); };
  const std::string ours = std::to_string(implementation_version(contract::Protocol::kind));
  const auto theirs = made("implementation");  // with the versions of extensions behind a slash
  const bool same = theirs.substr(0, theirs.find('/')) == ours &&
                    made("tool_chain") == tool_chain_of(contract::Protocol::kind);
  if (!same) audited.versions = fmt::format("verify {}, {}", theirs, made("tool_chain"));
}

void compare_verdicts(const Result& result, const Store& store, const AuditOptions& options,
                      AuditedStage& audited, const Interrupt& interrupt) {
  const auto stage = result.description();
  describe(stage, audited);
  auto published = published_verdicts(result);
  if (!stage.at("files").contains("plans.jsonl")) {
    audited.candidates = published.rows.size();
    audited.auditable = false;
    if (audited.remark.empty()) audited.remark = "it was made before plans were stored: nothing to audit";
    return;
  }
  const bool timed = contract::Protocol::read(stage.at("spec")).timed;
  const bool measured = options.measured && timed;
  const Times times = !timed ? Times::modelled : measured ? Times::measured : Times::unmeasured;
  StageAudit audit(audited, times, sampled_by(stage, store), std::move(published));
  const auto answers = answers_of(stage, store);
  audit.compare_places(answers);
  ask_verifier(
      {{"spec", stage.at("spec")},
       {"secret", secret_of(store)},
       {"tasks", store.result(stage.at("inputs").at("tasks")).file("tasks.json").string()},
       {"plans", (result.folder() / "plans.jsonl").string()},
       {"measured", measured},
       {"sandbox", options.sandbox}},
      [&](const json& answer) {
        audit.take(contract::Replayed::read(answer));
        options.progress(audit.done(), audited.candidates);
      },
      interrupt);
  audit.finish(answers);
}

}  // namespace

AuditedStage audit_stage(const std::string& key, const Store& store, const AuditOptions& options,
                         const Interrupt& interrupt) {
  const auto result = store.result(key);
  AuditedStage audited;
  audited.key = key;
  const auto incomparable = [&](const std::string& how) {
    audited.damaged = true, audited.auditable = false;
    audited.remark += (audited.remark.empty() ? "" : "; nothing is compared: ") + how;
  };
  try {
    audited.slot = result.description().value("slot", "");
    if (const auto damage = result.damage(Check::contents))
      audited.damaged = true, audited.remark = "damaged, or changed by hand: " + *damage;
    compare_verdicts(result, store, options, audited, interrupt);
  } catch (const DamagedResult& damage) {
    incomparable(damage.key == key ? "damaged, or changed by hand: " + damage.how : damage.what());
  } catch (const UserError& error) {
    if (!audited.damaged) throw;
    incomparable(error.what());
  } catch (const json::exception& error) {
    incomparable(std::string("it isn't as docs/interfaces.md says: ") + error.what());
  } catch (const contract::ContractError& error) {
    incomparable(std::string("it isn't as docs/interfaces.md says: ") + error.what());
  }
  return audited;
}

}  // namespace trl::interpreter
