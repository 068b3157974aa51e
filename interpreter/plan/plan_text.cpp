#include "interpreter/plan/plan_text.hpp"

#include <algorithm>
#include <map>

#include "base/support/counted.hpp"
#include "interpreter/wrap.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

std::string time_text(double seconds) {
  return seconds <= 0     ? "0 s"
         : seconds < 10   ? fmt::format("{:.2g} s", seconds)
         : seconds < 120  ? fmt::format("{:.0f} s", seconds)
         : seconds < 7200 ? fmt::format("{:.0f} min", seconds / 60)
                          : fmt::format("{:.1f} h", seconds / 3600);
}

/// Returns an amount with two decimals; between 0 and 0.1, with two significant digits.
std::string amount_text(double amount) {
  return amount > 0 && amount < 0.1 ? fmt::format("{:.2g}", amount) : fmt::format("{:.2f}", amount);
}

}  // namespace

std::string row_title(const Row& row) {
  std::string text = row.label;
  for (const auto& other : row.same_as) text += " (= " + other + ")";
  return text;
}

std::string summary_text(const Plan& plan, const std::vector<std::string>& notes,
                         const std::function<bool(const Stage&)>& is_done) {
  std::string out;
  const auto rows = [&](Row::Kind kind) {
    return std::count_if(plan.rows.begin(), plan.rows.end(), [&](const Row& r) { return r.kind == kind; });
  };
  out += fmt::format("{}: {}", plan.experiment, counted(plan.cells, "cell"));
  if (plan.cells != rows(Row::Kind::cell)) out += fmt::format(" ({} distinct)", rows(Row::Kind::cell));
  const auto controls = static_cast<std::size_t>(rows(Row::Kind::control));
  const auto seeds = plan.rows.empty() ? 0 : plan.rows.front().traces.size();
  out += fmt::format(", {}, {}\n", counted(controls, "control"), counted(seeds, "seed"));
  for (const auto& note : notes) out += wrapped("  " + note, 2) + "\n";
  for (const auto& [what, remedy] : plan.missing) out += wrapped("  `trl run` lacks: " + what, 4) + "\n";
  out += "\n";
  for (const Row* row : plan.all_rows()) {
    const char* kind = row->kind == Row::Kind::base ? "model" : kind_name(row->kind);
    out += wrapped(fmt::format("  {:<9}{}", kind, row_title(*row)), 13) + "\n";
  }

  std::vector<std::string> kinds;
  std::map<std::string, std::pair<int, int>> counts;  // by kind: stages in all, stages that are done
  int uses = 0;
  for (const auto& stage : plan.stages) {
    if (!counts.contains(stage.kind)) kinds.push_back(stage.kind);
    auto& [all, done] = counts[stage.kind];
    ++all, done += is_done(stage);
  }
  for (const Row* row : plan.all_rows())
    for (const auto& trace : row->traces) uses += static_cast<int>(trace.slots.size());
  out += fmt::format("\n  {:<12}{:>8}{:>8}{:>8}\n", "stage", "in all", "done", "to do");
  int all = 0, done = 0;
  for (const auto& kind : kinds) {
    const auto& [of_kind, done_of_kind] = counts[kind];
    out += fmt::format("  {:<12}{:>8}{:>8}{:>8}\n", kind, of_kind, done_of_kind, of_kind - done_of_kind);
    all += of_kind, done += done_of_kind;
  }
  out += fmt::format("  {:<12}{:>8}{:>8}{:>8}\n", "all", all, done, all - done);
  out += fmt::format("  Without sharing equal stages there would be {}.\n", uses);
  return out;
}

std::vector<std::string> assumptions_of(const Cost& cost) {
  std::vector<std::string> out;
  if (cost.answers > 0)
    out.push_back(
        fmt::format("{:.0f} tokens an answer: ", cost.answer_tokens / cost.answers) +
        (cost.answers_before > 0
             ? fmt::format("measured, by {:.0f} answers of this model in the store", cost.answers_before)
             : "the most that `max_tokens` allows, since the store has no answers of this model"));
  if (cost.to_do.contains("finetune"))
    out.push_back(
        fmt::format("{:.0f} tokens of prompt and answer in training, assumed", Cost::tokens_of_sample));
  if (cost.judged > 0) {
    std::string seconds = time_text(cost.core_seconds / cost.judged) + " of a core";
    if (cost.gpu_seconds > 0) seconds += " and " + time_text(cost.gpu_seconds / cost.judged) + " of a GPU";
    out.push_back(seconds + " to judge an answer: " +
                  (cost.judged_before > 0
                       ? fmt::format("measured, by {:.0f} judged answers in the store", cost.judged_before)
                       : "modelled from the machine's `verify` or else the kind of tasks, launches" +
                             std::string(cost.gpu_seconds > 0 ? ", timing and baselines" : "") +
                             ", as if every answer were right"));
  }
  return out;
}

std::string cost_text(const Cost& cost) {
  std::string out;
  out += "\n  cost of the missing stages on the declared machine, modelled, not measured:\n";
  out += fmt::format("  {:<12}{:>8}{:>12}{:>12}\n", "stage", "stages", "time", "GPU-hours");
  const auto line = [&](const std::string& name, int stages, double seconds) {
    out += fmt::format("  {:<12}{:>8}{:>12}{:>12}\n", name, stages, time_text(seconds),
                       amount_text(seconds * cost.gpus / 3600));
  };
  int stages = 0;
  for (const auto& [kind, of] : cost.to_do) {
    stages += of.stages;
    if (of.seconds > 0) line(kind, of.stages, of.seconds);
  }
  line("all", stages, cost.seconds);
  if (cost.spot) out += fmt::format("  {} usd at the spot price\n", amount_text(*cost.spot));
  if (cost.on_demand) out += fmt::format("  {} usd on demand\n", amount_text(*cost.on_demand));
  if (!cost.spot && !cost.on_demand) out += "  no price: the machine states neither `spot` nor `on_demand`\n";
  for (const std::string& one : assumptions_of(cost)) out += wrapped("  " + one, 4) + "\n";
  out += fmt::format("  peak memory of a GPU {:.1f} GiB\n", cost.peak_bytes / (1024.0 * 1024 * 1024));
  if (cost.done_seconds > 0) out += "  done already: " + time_text(cost.done_seconds) + ", measured\n";
  return out;
}

std::string cost_text(const AskingCost& cost) {
  if (cost.stages == 0) return "\n  every answer of the server is there: nothing is asked for\n";
  std::string out = "\n  asking the server, for the missing stages, at most:\n";
  out += fmt::format("  {:<34}{:>12.0f}\n", "requests, but for repeated ones", cost.requests);
  out += fmt::format("  {:<34}{:>12.0f}\n", "tokens of answers, by `max_tokens`", cost.answer_tokens);
  out += fmt::format("  {:<34}{:>12.0f}\n",
                     fmt::format("tokens of prompts, {:.0f} each assumed", AskingCost::tokens_of_prompt),
                     cost.prompt_tokens);
  if (cost.unpriced < cost.requests)
    out += fmt::format("  {:<34}{:>12}\n", "usd, by the declared prices", amount_text(cost.usd));
  if (cost.unpriced > 0)
    out +=
        fmt::format("  no price is declared of {:.0f} requests: `price_in` and `price_out` of endpoint(…)\n",
                    cost.unpriced);
  return out;
}

}  // namespace trl::interpreter
