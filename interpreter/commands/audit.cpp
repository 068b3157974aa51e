// `trl audit`: computes published verdicts again from their launch plans alone.
#include <algorithm>
#include <memory>
#include <optional>
#include <set>

#include "base/contract/protocol.hpp"
#include "base/contract/stages/kinds.hpp"
#include "base/contract/verdict.hpp"
#include "base/support/counted.hpp"
#include "base/support/error.hpp"
#include "base/support/json_text.hpp"
#include "interpreter/commands/audit_tasks.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/files.hpp"
#include "interpreter/report/candidate.hpp"
#include "interpreter/report/escape.hpp"
#include "interpreter/schedule/progress.hpp"
#include "interpreter/schedule/verifier_process.hpp"
#include "interpreter/schedule/worker_client.hpp"
#include "interpreter/wrap.hpp"
#include "language/diagnostics/suggest.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using contract::VerdictRow;
using nlohmann::json;
namespace fs = std::filesystem;

struct AuditCommand {
  std::string store, out;
  std::vector<std::string> experiments;
  bool as_json = false, no_sandbox = false;
  ProgramOptions program;  ///< whether measured times are measured again
};

/// A verdict that differs from the one computed from its plan.
struct Difference {
  std::string candidate, how;
};

/// The result of auditing one stage.
struct AuditedStage {
  std::string key, slot;
  std::size_t candidates = 0, again = 0, agreeing = 0;
  std::size_t unplanned = 0;  ///< of `again`: without a plan, so that there is nothing to execute
  std::size_t omitted = 0;    ///< verdicts whose plans were too large to be stored
  std::size_t gpu = 0;        ///< verdicts that depend on a GPU's results, which the executor can't reproduce
  std::vector<double> speeds;  ///< ratios of newly measured to published speed-ups
  std::vector<Difference> differences;
  std::string remark;  ///< why it can't be audited, or another problem
  bool auditable = true, damaged = false;
};

/// The stages from which an experiment's report was made.
std::set<std::string> stages_of(const fs::path& provenance) {
  std::set<std::string> keys;
  const auto described = read_json(provenance);
  for (const auto& [key, stage] : described.at("stages").items()) keys.insert(key);
  return keys;
}

std::vector<std::string> reported_experiments(const fs::path& reports) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(reports, error))
    if (fs::exists(entry.path() / "provenance.json")) names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

/// Whether a result is an exam's verify stage. If its description is damaged, it may be one.
bool is_exam(const std::string& key, const Store& store) {
  try {
    const auto stage = store.stage(key);
    return stage.value("kind", "") == contract::Protocol::kind &&
           contract::Protocol::read(stage.at("spec")).strict;
  } catch (const DamagedResult&) {
    return true;
  }
}

/// The keys of the verify stages of the named experiments' exams; of all exams in the store when none is
/// named.
std::vector<std::string> chosen_stages(const AuditCommand& options, const Store& store) {
  const fs::path reports = options.out.empty() ? store.root().parent_path() : fs::path(options.out);
  std::set<std::string> wanted;
  for (const auto& name : options.experiments) {
    const auto provenance = reports / name / "provenance.json";
    if (!fs::exists(provenance)) {
      const auto known = reported_experiments(reports);
      const auto near = language::closest(name, known);
      throw WrongUsage(
          "there is no report of " + name + " in " + reports.string(),
          near ? "did you mean " + *near + "?"
               : "provenance.json of a report lists the experiment's stages; name the reports' folder "
                 "with --out DIR. Without a name the whole store is audited.");
    }
    wanted.merge(stages_of(provenance));
  }
  std::vector<std::string> keys;
  for (const auto& key : store.keys()) {
    if (!options.experiments.empty() && !wanted.contains(key)) continue;
    if (is_exam(key, store)) keys.push_back(key);
  }
  return keys;
}

std::string verdict_text(const contract::Verdict& verdict) {
  if (verdict.correct) return "correct";
  if (verdict.failed.empty()) return "not correct";
  return "fails " + verdict.failed + (verdict.reason.empty() ? "" : ", " + verdict.reason);
}

/// The ratio of the newly measured speed-up to the published one; none if one of them wasn't measured.
std::optional<double> speed_again(const contract::Verdict& published, const contract::Verdict& found) {
  if (published.modelled || found.modelled) return std::nullopt;
  return published.speedup > 0 && found.speedup > 0 ? std::optional(found.speedup / published.speedup)
                                                    : std::nullopt;
}

/// How a published verdict differs from the one found now; empty if it doesn't. Everything except messages is
/// compared. Times from a GPU depend on the machine, so a newly measured speed-up may be half or twice the
/// published one.
std::string difference(const contract::Verdict& published, const contract::Verdict& found, bool timed) {
  if (published.correct != found.correct || published.failed != found.failed ||
      published.reason != found.reason)
    return fmt::format("published as {}, but the plan {}{}", verdict_text(published),
                       found.correct ? "is " : "", verdict_text(found));
  std::string names;
  const auto compare = [&](const char* name, auto field) {
    if (published.*field != found.*field) names += (names.empty() ? "" : ", ") + std::string(name);
  };
  compare("valid", &contract::Verdict::valid), compare("compiled", &contract::Verdict::compiled);
  compare("tiny", &contract::Verdict::tiny), compare("values", &contract::Verdict::values),
      compare("line", &contract::Verdict::line);
  compare("variation", &contract::Verdict::variation), compare("launches", &contract::Verdict::launches);
  if (const auto again = speed_again(published, found); again && (*again < 0.5 || *again > 2))
    return fmt::format("published as {:.2f} times as fast, measured again {:.2f} times", published.speedup,
                       found.speedup);
  if (!timed) {
    compare("modelled", &contract::Verdict::modelled), compare("speedup", &contract::Verdict::speedup);
    compare("time_us", &contract::Verdict::time_us),
        compare("reference_us", &contract::Verdict::reference_us);
  }
  return names.empty() ? "" : "its " + names + " differs from the plan's";
}

/// Whether a verdict of a stage that used a GPU may be right although the executor finds another one: the
/// candidate failed on the GPU, or is too much work for the executor.
bool rests_on_gpu(const contract::Verdict& published, const contract::Verdict& found) {
  return published.failed == "timed" || published.message.ends_with(", on the GPU") ||
         found.reason == "timeout";
}

/// Compares the answers for one stage with its verdicts.
class StageAudit {
 public:
  /// `sampled` is the sample stage of the candidates; empty if another stage selected among them. `measured`:
  /// the GPU is used again, so that no published result is taken on trust.
  StageAudit(AuditedStage& audited, bool timed, std::string sampled, std::vector<VerdictRow> verdicts,
             bool measured)
      : audited_(audited),
        measured_(measured),
        sampled_(std::move(sampled)),
        timed_(timed),
        verdicts_(std::move(verdicts)),
        seen_(verdicts_.size(), false) {
    audited_.candidates = verdicts_.size();
  }

  void take(const contract::Replayed& answer) {
    for (const std::size_t row : answer.rows) {
      if (row >= seen_.size() || seen_[row]) {
        audited_.damaged = true;
        audited_.remark = "plans.jsonl has a plan for a candidate that doesn't exist, or two plans for one";
        continue;
      }
      seen_[row] = true;
      if (answer.omitted) {
        ++audited_.omitted;
        continue;
      }
      const auto how = judged(answer, verdicts_[row]);
      if (!how.empty() && timed_ && !measured_ && answer.verdict &&
          rests_on_gpu(verdicts_[row], *answer.verdict)) {
        ++audited_.gpu;
        continue;
      }
      if (answer.verdict)
        if (const auto again = speed_again(verdicts_[row], *answer.verdict))
          audited_.speeds.push_back(*again);
      ++audited_.again;
      audited_.unplanned += !answer.planned.value_or(true);
      if (how.empty())
        ++audited_.agreeing;
      else
        differ(row, how);
    }
  }

  void finish() {
    for (std::size_t row = 0; row < seen_.size(); ++row)
      if (!seen_[row]) differ(row, "plans.jsonl lacks its plan");
  }

  std::size_t done() const { return audited_.again + audited_.omitted + audited_.gpu; }

 private:
  std::string judged(const contract::Replayed& answer, const VerdictRow& verdict) const {
    if (answer.forged) return "its plan isn't the one of its commitment";
    if (answer.task != verdict.task) return "its plan is of another task";
    if (!answer.verdict) throw UserError("trl-verify gave no verdict on a plan");
    return difference(verdict, *answer.verdict, timed_);
  }

  void differ(std::size_t row, const std::string& how) {
    audited_.differences.push_back({sampled_.empty()
                                        ? fmt::format("{}, row {}", audited_.key.substr(0, 10), row + 1)
                                        : candidate_id(sampled_, row),
                                    how});
  }

  AuditedStage& audited_;
  bool measured_;
  std::string sampled_;
  bool timed_;  ///< the stage also used a GPU
  std::vector<VerdictRow> verdicts_;
  std::vector<bool> seen_;
};

/// A copy made for audits needn't contain the sample stage. Candidates that were selected from a sample stage
/// can only be identified if it does.
std::string sampled_by(const json& stage, const Store& store) {
  const std::string key = stage.at("inputs").value("candidates", "");
  if (!store.has(key)) return key;
  const auto result = store.result(key);
  const bool whole = !result.damage(Check::sizes);
  return whole && contract::gives_candidates(result.description().value("kind", "")) ? key : "";
}

std::string secret_of(const Store& store) {
  const auto file = store.root() / "secret";
  if (!fs::exists(file))
    throw UserError(
        store.root().string() + " has no secret, so the inputs can't be drawn again",
        "Copy the store's file `secret` too, and the folders of the exams and their tasks in stages/.");
  return store.read_secret();
}

/// The verdicts as they are, even from a damaged stage: the audit then says which of them still agree with
/// their plans. Throws UserError if they can't be read.
std::vector<VerdictRow> published_verdicts(const Result& result) {
  std::vector<VerdictRow> verdicts;
  for (const auto& row : read_json_lines(result.folder() / "verdicts.jsonl")) {
    try {
      verdicts.push_back(VerdictRow::read(row));
    } catch (const contract::ContractError& error) {
      throw UserError(
          fmt::format("row {} of verdicts.jsonl isn't a verdict: {}", verdicts.size() + 1, error.what()));
    }
  }
  return verdicts;
}

void compare_verdicts(const Result& result, const Store& store, const AuditCommand& options,
                      AuditedStage& audited, Progress& progress, const Interrupt& interrupt) {
  const auto stage = result.description();
  auto verdicts = published_verdicts(result);
  if (!stage.at("files").contains("plans.jsonl")) {
    audited.candidates = verdicts.size();
    audited.auditable = false;
    if (audited.remark.empty()) audited.remark = "it was made before plans were stored: nothing to audit";
    return;
  }
  const bool timed = contract::Protocol::read(stage.at("spec")).timed;
  const bool measured = options.program.measured_times && timed;
  StageAudit audit(audited, timed, sampled_by(stage, store), std::move(verdicts), measured);
  ask_verifier(
      {{"spec", stage.at("spec")},
       {"secret", secret_of(store)},
       {"tasks", store.result(stage.at("inputs").at("tasks")).file("tasks.json").string()},
       {"plans", (result.folder() / "plans.jsonl").string()},
       {"measured", measured},
       {"sandbox", !options.no_sandbox}},
      [&](const json& answer) {
        audit.take(contract::Replayed::read(answer));
        progress.update(static_cast<std::int64_t>(audit.done()),
                        static_cast<std::int64_t>(audited.candidates), "candidates");
      },
      interrupt);
  audit.finish();
}

AuditedStage audit_stage(const std::string& key, const Store& store, const AuditCommand& options,
                         Progress& progress, const Interrupt& interrupt) {
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
    compare_verdicts(result, store, options, audited, progress, interrupt);
  } catch (const DamagedResult& damage) {
    incomparable(damage.key == key ? "damaged, or changed by hand: " + damage.how : damage.what());
  } catch (const UserError& error) {
    if (!audited.damaged) throw;
    incomparable(error.what());
  } catch (const json::exception& error) {
    if (!audited.damaged) throw;
    incomparable(std::string("a verdict isn't as docs/interfaces.md says: ") + error.what());
  } catch (const contract::ContractError& error) {
    if (!audited.damaged) throw;
    incomparable(std::string("its description isn't as docs/interfaces.md says: ") + error.what());
  }
  return audited;
}

/// The name of a stage for people; its key if its description is damaged.
std::string slot_of(const std::string& key, const Store& store) {
  try {
    return terminal_safe(store.stage(key).value("slot", ""));
  } catch (const DamagedResult&) {
    return terminal_safe(key.substr(0, 10));
  }
}

/// Escaped, since the folders of somebody else's store may have any names.
std::string short_key(const AuditedStage& stage) { return terminal_safe(stage.key.substr(0, 10)); }

std::string cut_slot(const std::string& slot, std::size_t width) {
  const auto safe = terminal_safe(slot);
  return safe.size() <= width ? safe : ".." + safe.substr(safe.size() - (width - 2));
}

void show(const std::vector<AuditedStage>& stages, Console& console) {
  auto& out = console.out;
  constexpr const char* layout = "{:<10}  {:<28} {:>10} {:>8} {:>9} {:>9}\n";
  out << fmt::format(fmt::runtime(layout), "stage", "", "candidates", "again", "agreeing", "differing");
  AuditedStage all;
  for (const auto& stage : stages) {
    const auto figure = [&](std::size_t count) { return stage.auditable ? std::to_string(count) : "-"; };
    out << fmt::format(fmt::runtime(layout), short_key(stage), cut_slot(stage.slot, 28), stage.candidates,
                       figure(stage.again), figure(stage.agreeing), figure(stage.differences.size()));
    all.again += stage.again, all.unplanned += stage.unplanned, all.omitted += stage.omitted;
    all.gpu += stage.gpu;
    all.speeds.insert(all.speeds.end(), stage.speeds.begin(), stage.speeds.end());
    all.agreeing += stage.agreeing;
    all.differences.insert(all.differences.end(), stage.differences.begin(), stage.differences.end());
  }
  out << '\n';
  for (const auto& stage : stages)
    if (!stage.remark.empty())
      out << wrapped(fmt::format("{}: {}", short_key(stage), terminal_safe(stage.remark)), 2) << '\n';
  for (const auto& [candidate, how] : all.differences)
    out << wrapped(terminal_safe(candidate + ": " + how), 2) << '\n';
  if (all.unplanned)
    out << wrapped(fmt::format("{} of them without a plan: their verdicts are compared with what the "
                               "recorder said; `trl verify ID` asks it again",
                               all.unplanned),
                   2)
        << '\n';
  if (all.gpu)
    out << wrapped(fmt::format("{} from a GPU's results, which aren't compared; `--kernel-times measured` "
                               "uses this machine's GPU",
                               all.gpu),
                   2)
        << '\n';
  if (!all.speeds.empty()) {
    std::sort(all.speeds.begin(), all.speeds.end());
    const auto at = [&](std::size_t tenths) { return all.speeds[(all.speeds.size() - 1) * tenths / 10]; };
    out << wrapped(
               fmt::format("{} speed-ups measured again: {:.2f} of the published ones in the median, eight "
                           "of ten from {:.2f} to {:.2f}",
                           all.speeds.size(), at(5), at(1), at(9)),
               2)
        << '\n';
  }
  if (all.omitted) out << fmt::format("{} plans were too large to be stored\n", all.omitted);
  const char* begin = !console.out_colour ? "" : all.differences.empty() ? "\x1b[32m" : "\x1b[31m";
  out << begin
      << fmt::format("{} computed again: {} agree, {} differ", counted(all.again, "verdict"), all.agreeing,
                     all.differences.size())
      << (console.out_colour ? "\x1b[0m" : "") << '\n';
}

json as_json(const std::vector<AuditedStage>& stages) {
  json out = json::array();
  for (const auto& stage : stages) {
    json differing = json::array();
    for (const auto& [candidate, how] : stage.differences)
      differing.push_back({{"candidate", candidate}, {"how", how}});
    out.push_back({{"stage", stage.key},
                   {"slot", stage.slot},
                   {"auditable", stage.auditable},
                   {"damaged", stage.damaged},
                   {"remark", stage.remark},
                   {"candidates", stage.candidates},
                   {"again", stage.again},
                   {"unplanned", stage.unplanned},
                   {"omitted", stage.omitted},
                   {"gpu", stage.gpu},
                   {"speeds", stage.speeds},
                   {"agreeing", stage.agreeing},
                   {"differing", differing}});
  }
  return out;
}

int audit_store(const AuditCommand& options, Console& console) {
  if (!fs::is_directory(fs::path(options.store) / "stages"))
    throw WrongUsage(options.store + " isn't a store",
                     "Name the folder that contains stages/: runs/.store, or a copy of it.");
  const Store store(fs::absolute(options.store).lexically_normal());
  const auto keys = chosen_stages(options, store);
  if (keys.empty())
    throw WrongUsage("there is no exam to audit in " + options.store, "Finish a run first: `trl run FILE`.");
  const Interrupt interrupt;
  Progress progress(console.err, style_of_stderr(), steady_seconds());
  std::vector<AuditedStage> stages;
  try {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      progress.begin(static_cast<int>(i + 1), static_cast<int>(keys.size()),
                     "audit " + slot_of(keys[i], store));
      stages.push_back(audit_stage(keys[i], store, options, progress, interrupt));
      const auto& last = stages.back();
      progress.finish(last.auditable ? fmt::format("{} of {} agree", last.agreeing, last.candidates)
                      : last.damaged ? "damaged"
                                     : "nothing to audit");
    }
  } catch (...) {
    progress.clear();
    throw;
  }
  if (options.as_json)
    console.out << dumped(as_json(stages), 1) << '\n';
  else
    show(stages, console);
  const bool good = std::all_of(stages.begin(), stages.end(), [](const AuditedStage& stage) {
    return stage.differences.empty() && !stage.damaged;
  });
  return good ? fine : failed;
}

int audit(const AuditCommand& options, Console& console) {
  try {
    return audit_store(options, console);
  } catch (const WrongUsage&) {
    throw;
  } catch (const UserError& error) {
    // Exit status 1 is reserved for verdicts that differ.
    throw WrongUsage(error.what(), error.help);
  }
}

}  // namespace

void add_audit(Command trl, Console& console, int& status) {
  auto options = std::make_shared<AuditCommand>();
  auto command = trl.add_command(
      "audit", "Compute an exam's verdicts again from the published plans alone, and compare");
  command.add_option("STORE", options->store, "A store, or a copy of one: runs/.store").type_name("");
  command
      .add_option("EXPERIMENT", options->experiments, "Audit only these; by default every exam in the store")
      .type_name("");
  command
      .add_option("--out", options->out,
                  "The folder of the experiments' reports; by default beside the store")
      .type_name("DIR");
  add_kernel_times(command, options->program);
  command.add_flag("--json", options->as_json, "Everything, as JSON");
  command.add_flag("--no-sandbox", options->no_sandbox,
                   "Compile kernels without a sandbox, on machines that allow none");
  add_examples(command,
               "  trl audit runs/.store\n"
               "  trl audit copy/.store ablation\n"
               "No model and no candidate's Python runs: kernels are executed as they were\n"
               "committed, on inputs drawn from the store's secret.",
               "0 all agree, 1 some differ, 2 wrong usage or nothing to compare");
  add_audit_tasks(command, console, status);
  command.callback([options, command, &console, &status] {
    if (command.has_named_command()) return;
    if (options->store.empty())
      throw WrongUsage("which store is audited isn't said", "Name one: trl audit runs/.store");
    status = audit(*options, console);
  });
}

}  // namespace trl::interpreter
