// `trl candidate`: one candidate with prompt, answer, verdicts with the line at fault, reward, and its uses.
#include "interpreter/report/candidate.hpp"
#include "base/support/json_text.hpp"

#include <algorithm>
#include <memory>
#include <set>

#include "base/support/rounded.hpp"
#include "interpreter/commands/candidate_text.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/report/escape.hpp"
#include "interpreter/report/trace.hpp"
#include "interpreter/wrap.hpp"
#include "language/diagnostics/suggest.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

struct CandidateCommand {
  ProgramOptions program;
  std::string id;
  bool as_json = false;
};

std::string joined(const std::vector<std::string>& texts) {
  std::string text;
  for (const auto& one : texts) text += (text.empty() ? "" : ", ") + one;
  return text;
}

void show_text(const std::string& text, std::ostream& out) {
  for (const auto& line : split_lines(text)) out << "  " << terminal_safe(line) << '\n';
}

void show_answer(const Candidate& candidate, const Paint& paint, std::ostream& out) {
  const auto lines = split_lines(candidate.answer);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out << paint(dim, fmt::format("{:>5} | ", i + 1)) << terminal_safe(lines[i]) << '\n';
    std::set<std::string> shown;
    for (const auto& judgement : candidate.judgements) {
      const auto& verdict = judgement.verdict;
      if (verdict.line != static_cast<int>(i) + 1 || !shown.insert(verdict.reason + verdict.message).second)
        continue;
      out << "      | " << paint(red, carets(lines[i])) << '\n';
      out << wrapped("      | " + terminal_safe(verdict.reason + ": " + verdict.message), 8) << '\n';
    }
  }
}

void show_judgement(const Judgement& judgement, const Paint& paint, std::ostream& out) {
  const auto& verdict = judgement.verdict;
  out << "  " << paint(verdict.correct ? green : red, fmt::format("{:<13}", verdict_text(verdict)))
      << (judgement.strict ? "by the exam's protocol, stage " : "in training, stage ")
      << judgement.stage.substr(0, 10) << '\n';
  out << wrapped("    " + judgement.slot, 6) << '\n';
  out << wrapped("    inputs: " + joined(judgement.variations), 6) << '\n';
  if (verdict.correct) {
    out << fmt::format("    {} times as fast as the reference, {}\n", rounded(verdict.speedup, 2),
                       verdict.modelled ? "modelled for an H200, not measured" : "measured");
    return;
  }
  std::string why = verdict.reason.empty() ? "no reason given" : verdict.reason;
  if (!verdict.variation.empty()) why += ", on " + verdict.variation;
  if (verdict.line) why += fmt::format(", line {}", verdict.line);
  if (!verdict.message.empty()) why += ": " + verdict.message;
  out << wrapped("    " + terminal_safe(why), 6) << '\n';
}

void show(const Candidate& candidate, Console& console) {
  auto& out = console.out;
  const Paint paint{console.out_colour};
  out << paint(bold, fmt::format("{}  {} ({}), sample {}", candidate.id, terminal_safe(candidate.name),
                                 terminal_safe(candidate.group), candidate.sample))
      << '\n';
  out << fmt::format("  {}, round {}, seed {}; {} tokens{}\n", candidate.purpose, candidate.round,
                     candidate.seed, candidate.tokens,
                     candidate.finish == "length" ? ", cut off at the limit" : "");
  if (candidate.turn > 1 || !candidate.next.empty())
    out << fmt::format("  turn {} of its episode{}{}\n", candidate.turn,
                       candidate.last.empty() ? "" : "; before it " + candidate.last,
                       candidate.next.empty() ? "" : "; after it " + candidate.next);
  out << '\n' << paint(bold, "prompt") << '\n';
  show_text(candidate.prompt, out);
  out << '\n' << paint(bold, "answer") << '\n';
  show_answer(candidate, paint, out);
  out << '\n' << paint(bold, "verdicts") << '\n';
  if (candidate.judgements.empty()) out << "  none in this store\n";
  for (const auto& judgement : candidate.judgements) show_judgement(judgement, paint, out);
  if (!candidate.rewards.empty()) out << '\n' << paint(bold, "rewards") << '\n';
  for (const auto& rewarded : candidate.rewards)
    out << wrapped(
               fmt::format(
                   "  {:.4g}{}{}, {}, stage {}, {}", rewarded.reward,
                   rewarded.plan_reward ? fmt::format(" and {:.4g} of its plan", *rewarded.plan_reward) : "",
                   rewarded.returned ? fmt::format(", return {:.4g}", *rewarded.returned) : "",
                   rewarded.kept ? "kept" : "not kept", rewarded.stage.substr(0, 10), rewarded.slot),
               4)
        << '\n';
  for (const auto& slot : candidate.trained) out << wrapped("  trained on in " + slot, 4) << '\n';
  out << '\n' << paint(bold, "used by") << '\n';
  if (candidate.used_by.empty())
    out << "  unknown without reports; write them with `trl table FILE`, or name their folder with --out "
           "DIR\n";
  for (const auto& use : candidate.used_by)
    out << wrapped(fmt::format("  {}: {} (seed {}, {})", use.experiment, use.row, use.seed, use.slot), 4)
        << '\n';
}

json as_json(const Candidate& candidate) {
  json out = {
      {"id", candidate.id},           {"stage", candidate.stage},          {"slot", candidate.slot},
      {"task", candidate.name},       {"group", candidate.group},          {"sample", candidate.sample},
      {"purpose", candidate.purpose}, {"round", candidate.round},          {"seed", candidate.seed},
      {"prompt", candidate.prompt},   {"answer", candidate.answer},        {"tokens", candidate.tokens},
      {"finish", candidate.finish},   {"trained_on_in", candidate.trained}};
  if (candidate.turn > 1 || !candidate.next.empty()) {
    const auto id = [](const std::string& text) { return text.empty() ? json() : json(text); };
    out["turn"] = candidate.turn, out["last_turn"] = id(candidate.last),
    out["next_turn"] = id(candidate.next);
  }
  for (const char* list : {"verdicts", "rewards", "used_by"}) out[list] = json::array();
  for (const auto& [stage, slot, strict, variations, verdict] : candidate.judgements)
    out["verdicts"].push_back({{"stage", stage},
                               {"slot", slot},
                               {"strict", strict},
                               {"variations", variations},
                               {"correct", verdict.correct},
                               {"failed", verdict.failed.empty() ? json() : json(verdict.failed)},
                               {"reason", verdict.reason.empty() ? json() : json(verdict.reason)},
                               {"message", verdict.message.empty() ? json() : json(verdict.message)},
                               {"variation", verdict.variation.empty() ? json() : json(verdict.variation)},
                               {"line", verdict.line ? json(verdict.line) : json()},
                               {"speedup", verdict.speedup}});
  for (const auto& [stage, slot, reward, kept, returned, plan_reward] : candidate.rewards) {
    out["rewards"].push_back({{"stage", stage}, {"slot", slot}, {"reward", reward}, {"kept", kept}});
    if (returned) out["rewards"].back()["return"] = *returned;
    if (plan_reward) out["rewards"].back()["plan_reward"] = *plan_reward;
  }
  for (const auto& [experiment, row, slot, seed] : candidate.used_by)
    out["used_by"].push_back({{"experiment", experiment}, {"row", row}, {"slot", slot}, {"seed", seed}});
  return out;
}

int show_candidate(const CandidateCommand& options, Console& console) {
  try {
    const auto candidate = find_candidate(Store(options.program.store), options.program.out, options.id);
    if (options.as_json)
      console.out << dumped(as_json(candidate), 1) << '\n';
    else
      show(candidate, console);
  } catch (const UnknownStage& unknown) {
    const auto dot = options.id.find('.');
    const auto near = language::closest(options.id.substr(0, dot), unknown.known);
    throw UserError(unknown.what(),
                    near ? "did you mean " + *near + options.id.substr(dot) + "?" : unknown.help);
  }
  return fine;
}

}  // namespace

void add_candidate(Command trl, Console& console, int& status) {
  auto options = std::make_shared<CandidateCommand>();
  auto command =
      trl.add_command("candidate", "Show one candidate: prompt, answer, verdict, reward, where it was used");
  command.add_option("ID", options->id, "Its ID as `trl trace` and report.html list it: 3fa2c1d09e.17")
      .required()
      .type_name("");
  add_store(command, options->program);
  add_kernel_times(command, options->program);
  add_out(command, options->program);
  command.add_flag("--json", options->as_json, "Everything, as JSON");
  add_examples(command, "  trl candidate 3fa2c1d09e.17\n  trl candidate 3fa2c1d09e.17 --json");
  command.callback([options, &console, &status] { status = show_candidate(*options, console); });
}

}  // namespace trl::interpreter
