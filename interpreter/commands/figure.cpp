#include "interpreter/commands/figure.hpp"

#include <algorithm>

#include "base/support/error.hpp"
#include "language/diagnostics/suggest.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

/// Returns the experiment whose report has the table: of several, the first one in the file. If the command
/// names an experiment, `program` has only this one.
const Job& job_with(const std::string& table, const Program& program) {
  std::vector<std::string> known;
  for (const auto& job : program.jobs)
    for (const auto& layout : job.request.tables) {
      if (layout.name == table) return job;
      known.push_back(layout.name);
    }
  throw UnknownName("there is no table " + table, "Tables", known, table);
}

const TableLayout& layout_of(const std::string& table, const Job& job) {
  return *std::find_if(job.request.tables.begin(), job.request.tables.end(),
                       [&](const TableLayout& layout) { return layout.name == table; });
}

void check_stored(const Row& row, const Store& store, const ProgramOptions& options) {
  std::size_t missing = 0;
  std::string first;
  for (const auto& trace : row.traces)
    for (const auto& [slot, key] : trace.slots)
      if (!store.has(key) && missing++ == 0) first = slot;
  if (missing)
    throw UserError(
        fmt::format("{1} stages of row `{0}` are missing, the first is {2}", row.label, missing, first),
        "Run them with: " + go_on_with(options));
}

}  // namespace

void suggest(const UnknownName& unknown) {
  const auto near = language::closest(unknown.wanted, unknown.known);
  throw UserError(unknown.what(), near ? "did you mean " + *near + "? " + unknown.help : unknown.help);
}

FigureTrace trace_stored(const FigureName& name, const std::optional<Column>& column, const Program& program,
                         const Store& store, const ProgramOptions& options) {
  const auto& job = job_with(name.table, program);
  const auto& layout = layout_of(name.table, job);
  const auto rows = rows_of(layout, job.plan);
  const auto& row = find_row(name.row, name.table, rows);
  const auto chosen = column ? *column : find_column(name.column, name.table, columns_of(layout));
  check_stored(row, store, options);
  const Evidence evidence(job.plan, store);
  return trace_figure(name.table, row, chosen, Inference(evidence));
}

std::string fastest_candidate(const std::string& row, const std::string& task, const Program& program,
                              const Store& store, const ProgramOptions& options) {
  const auto end = row.rfind(']');
  if (end == std::string::npos)
    throw UserError("`" + row + "` isn't a row of a table",
                    "Write TABLE[ROW] in quotes: 'main[inputs + stages]'.");
  const auto traced = trace_stored(parse_figure_name(row.substr(0, end) + ", speedup]"),
                                   column_of(ColumnName::speedup), program, store, options);
  const TracedCandidate* best = nullptr;
  std::vector<std::string> tasks;
  for (const auto& candidate : traced.candidates) {
    if (!candidate.verdict.correct) continue;
    tasks.push_back(candidate.task);
    const bool wanted =
        task.empty() || task == candidate.task || task == candidate.group + "/" + candidate.task;
    if (wanted && (!best || candidate.verdict.speedup > best->verdict.speedup)) best = &candidate;
  }
  if (tasks.empty())
    throw UserError("no candidate of " + row + " is correct", "`trl trace` lists why they failed.");
  if (!best) throw UnknownName("no candidate of " + row + " is correct for " + task, "Solved", tasks, task);
  return best->id;
}

}  // namespace trl::interpreter
