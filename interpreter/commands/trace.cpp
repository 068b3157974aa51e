// `trl trace`: lists the candidates that a number in a table counts.
#include <algorithm>
#include <map>
#include <memory>

#include "base/support/code_points.hpp"
#include "base/support/error.hpp"
#include "base/support/json_text.hpp"
#include "base/support/rounded.hpp"
#include "interpreter/commands/figure.hpp"
#include "interpreter/report/escape.hpp"
#include "interpreter/report/hardware.hpp"
#include "interpreter/wrap.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

constexpr std::size_t page = 20;

struct TraceCommand {
  ProgramOptions program;
  std::string figure, failed;
  bool all = false, as_json = false;
};

/// Returns the candidates that failed at the stage `failed`, or for this reason; all candidates if `failed`
/// is empty.
std::vector<TracedCandidate> chosen(const FigureTrace& trace, const std::string& failed) {
  if (failed.empty()) return trace.candidates;
  std::vector<TracedCandidate> some;
  std::vector<std::string> known;
  for (const auto& candidate : trace.candidates) {
    const auto& verdict = candidate.verdict;
    if (verdict.correct) continue;
    if (verdict.reason == failed || verdict.failed == failed) some.push_back(candidate);
    for (const auto& name : {verdict.failed, verdict.reason})
      if (!name.empty() && std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
  }
  if (some.empty() && known.empty())
    throw UserError("none of these candidates failed", "Leave out --failed.");
  if (some.empty())
    throw UnknownName("none of these candidates failed for " + failed, "They failed at, and for: they", known,
                      failed);
  return some;
}

void show_head(const FigureTrace& trace, std::ostream& out) {
  const auto& value = trace.figure.value;
  out << fmt::format("{}: {}[{}, {}]", trace.experiment, trace.name.table, trace.name.row, trace.name.column);
  if (value) {
    const auto unit = unit_text(trace.column);
    out << " = " << value_text(trace.column, *value) << (unit.empty() ? "" : " " + unit);
    if (trace.figure.interval) out << ' ' << interval_text(trace.column, trace.figure);
    out << '\n' << wrapped("  = " + arithmetic_text(trace), 4) << '\n';
  } else {
    out << ": nothing was measured\n";
  }
  for (const auto& same : trace.same_as) out << "  the same row as " << same << '\n';
}

void show_stages(const FigureTrace& trace, const Plan& plan, const Store& store, std::ostream& out) {
  if (trace.stages.empty()) return;
  out << "\nstages\n";
  for (const auto& stage : trace.stages) {
    out << fmt::format("  {}  {:<8}", stage.key.substr(0, 10), stage.kind);
    if (stage.adds > 0) out << fmt::format(" {:>10.2f} {:<7}", stage.adds, unit_text(trace.column));
    out << ' ' << stage.slot << '\n';
  }
  std::vector<const Stage*> stages;
  for (const auto& stage : trace.stages)
    if (const Stage* planned = plan.find(stage.key)) stages.push_back(planned);
  for (const auto& share : machines_of(stages, store))
    out << wrapped("  made on: " + terminal_safe(machine_text(share)), 4) << '\n';
}

/// The trace as JSON, each stage with its machine and software; null where these aren't recorded.
nlohmann::json traced_json(const FigureTrace& trace, const std::vector<TracedCandidate>& candidates,
                           const Store& store) {
  auto out = as_json(trace, candidates);
  for (auto& stage : out.at("stages")) {
    const auto made_on = store.result(stage.at("key")).made_on();
    stage["made_on"] = made_on ? made_on->write() : nlohmann::json();
  }
  return out;
}

void show_reasons(const std::vector<TracedCandidate>& candidates, const std::string& from,
                  std::ostream& out) {
  std::map<std::pair<std::string, std::string>, int> counts;
  for (const auto& candidate : candidates)
    if (!candidate.verdict.correct) ++counts[{candidate.verdict.failed, candidate.verdict.reason}];
  if (counts.empty()) return;
  std::vector<std::pair<int, std::pair<std::string, std::string>>> sorted;
  for (const auto& [name, count] : counts) sorted.emplace_back(-count, name);
  std::sort(sorted.begin(), sorted.end());
  out << (from.empty() ? "\nrefused by the exam's protocol\n" : "\nwrong, as " + from + " says\n");
  for (const auto& [count, name] : sorted)
    out << fmt::format("  {:>5}  {:<8} {}\n", -count, name.first, cut_to(terminal_safe(name.second), 60));
}

void show_candidates(const std::vector<TracedCandidate>& candidates, const TraceCommand& options,
                     const Column& column, bool imported, Console& console) {
  if (candidates.empty()) return;
  auto& out = console.out;
  const bool speedup = column.needs == ColumnNeeds::kernel_times;
  const std::size_t shown = options.all ? candidates.size() : std::min(page, candidates.size());
  constexpr const char* layout = "{:<15} {:<20} {:>3} {:>5}  {}{:<13}{} {}\n";
  out << '\n'
      << fmt::format(fmt::runtime(layout), "candidate", "task", "no.", speedup ? "x" : "adds", "", "verdict",
                     "", "reason");
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& [id, task, group, seed, adds, verdict] = candidates[i];
    const char* begin = !console.out_colour ? "" : verdict.correct ? "\x1b[32m" : "\x1b[31m";
    out << fmt::format(fmt::runtime(layout), id, cut_to(terminal_safe(task), 20), verdict.sample,
                       speedup ? rounded(verdict.speedup, 2) : fmt::format("{:.3g}", adds), begin,
                       verdict_text(verdict), console.out_colour ? "\x1b[0m" : "",
                       cut_to(terminal_safe(verdict.reason), 18));
  }
  out << '\n';
  if (shown < candidates.size())
    out << fmt::format("{} of {}; --all shows the rest, --failed REASON only those of one reason.\n", shown,
                       candidates.size());
  if (imported) return;
  out << "`trl candidate " << candidates.front().id << "` shows one.\n";
}

const Plan& plan_of(const Program& program, const std::string& experiment) {
  return std::find_if(program.jobs.begin(), program.jobs.end(),
                      [&](const Job& job) { return job.plan.experiment == experiment; })
      ->plan;
}

int trace(const TraceCommand& options, Console& console) {
  const auto name = parse_figure_name(options.figure);
  const auto program = load_program(options.program, console);
  if (!program) return failed;
  const Store store(options.program.store);
  try {
    const auto traced = trace_stored(name, std::nullopt, *program, store, options.program);
    const auto candidates = chosen(traced, options.failed);
    if (options.as_json) {
      console.out << dumped(traced_json(traced, candidates, store), 1) << '\n';
      return fine;
    }
    show_head(traced, console.out);
    show_stages(traced, plan_of(*program, traced.experiment), store, console.out);
    if (options.failed.empty()) show_reasons(candidates, traced.from, console.out);
    show_candidates(candidates, options, traced.column, !traced.from.empty(), console);
  } catch (const UnknownName& unknown) {
    suggest(unknown);
  }
  return fine;
}

}  // namespace

void add_trace(Command trl, Console& console, int& status) {
  auto options = std::make_shared<TraceCommand>();
  auto command = trl.add_command("trace", "List the candidates that a number in a table counts");
  add_file(command, options->program);
  command.add_option("FIGURE", options->figure, "The number: 'TABLE[ROW, COLUMN]', in quotes")
      .required()
      .type_name("");
  command.add_option("--experiment", options->program.name, "The experiment, if several have the table")
      .type_name("NAME");
  add_store(command, options->program);
  add_kernel_times(command, options->program);
  command.add_flag("--all", options->all, "List every candidate instead of the first 20");
  command
      .add_option("--failed", options->failed,
                  "List only those that failed for this reason, or at this stage")
      .type_name("REASON");
  command.add_flag("--json", options->as_json, "Everything, as JSON");
  add_examples(command,
               "  trl trace experiments/ablation.trl 'main[inputs + stages, correct]'\n"
               "  trl trace experiments/ablation.trl 'main[none, pass_at(1)]' --failed full",
               "0 listed, 1 errors or missing stages, 2 wrong usage");
  command.callback([options, &console, &status] { status = trace(*options, console); });
}

}  // namespace trl::interpreter
