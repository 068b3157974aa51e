#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "ground/error.hpp"
#include "ground/kernelbench_results.hpp"
#include "language/check/inspection.hpp"

namespace trl::language {
namespace {
namespace fs = std::filesystem;

/// The path of a call `path("…")`, from the folder of the file; empty where there is none.
fs::path path_of(const Value* call, const std::string& folder) {
  if (call == nullptr || call->items.empty()) return {};
  return (fs::path(folder) / call->items.front().string()).lexically_normal();
}

ResultsPlace place_of(const Value& call, const std::string& folder) {
  ResultsPlace place;
  place.path = path_of(&call.items.front(), folder);
  if (const Value* level = call.entry("level"); level != nullptr && !level->absent())
    place.level = static_cast<std::int64_t>(level->number());
  place.baseline = path_of(call.entry("baseline"), folder);
  place.compiled_baseline = path_of(call.entry("compiled_baseline"), folder);
  return place;
}

/// The argument without which a column has nothing to show of results; empty where it lacks nothing.
std::string lacking(const std::string& column, const RunResults& results) {
  if ((column == "speedup" || column == "fast") && !results.timed()) return "baseline";
  if ((column == "speedup_over_compiled" || column == "fast_over_compiled") && !results.compiled)
    return "compiled_baseline";
  return {};
}

class Imports {
 public:
  Imports(Inspection& inspection, const Resolved& table) : inspection_(inspection), table_(table) {}

  void examine(const Value& call) {
    const Resolved* exam = inspection_.evaluation();
    const Value* name = call.entry("name");
    if (call.items.empty() || name == nullptr) return;
    if (!names_.insert(name->string()).second)
      report(Severity::error, name->range, fmt::format("two imported rows are called `{}`", name->string()),
             "give each a name of its own");
    if (exam == nullptr)
      return report(
          Severity::error, call.range,
          fmt::format("`{}` has no exam whose tasks these results are of", inspection_.experiment.name),
          "give it `evaluate = …`");
    const Value* split = exam->field("split");
    if (split == nullptr || !exam->sound("split")) return;
    std::vector<Problem> problems;
    for (const SuiteTask* task : split->tasks)
      if (const auto problem = problem_of(task->own, static_cast<std::int64_t>(task->id)))
        problems.push_back(*problem);
    try {
      const RunResults results =
          read_results(place_of(call, inspection_.folder), problems,
                       [&](const fs::path& file) { return inspection_.options.read(file.string()); });
      count(call, results, problems, *split);
      look_at_columns(call, results);
    } catch (const UserError& error) {
      report(Severity::error, call.items.front().range, error.what(), error.help);
    }
  }

 private:
  void report(Severity severity, const Range& range, const std::string& what, const std::string& help) {
    auto d = found(rules::imported_results, range, what);
    d.severity = severity;
    d.helped(help);
    std::vector<const Resolved*> about = {&table_};
    if (const Resolved* exam = inspection_.evaluation()) about.push_back(exam);
    inspection_.report(std::move(d), about);
  }

  void count(const Value& call, const RunResults& results, const std::vector<Problem>& problems,
             const Value& split) {
    std::size_t shown = 0, absent = 0;
    for (const Problem& problem : problems) {
      if (!results.of_level(problem.level)) continue;
      ++shown, absent += results.of(problem).empty();
    }
    const std::string name = call.entry("name")->string();
    if (absent == shown)
      report(Severity::error, call.items.front().range,
             fmt::format("`{}` has no result for any of the {} tasks of the exam", name, shown),
             "name the results of the level that the exam asks");
    else if (absent > 0)
      report(Severity::warning, call.items.front().range,
             fmt::format("`{}` has no result for {} of the {} tasks, which counts as wrong answers", name,
                         absent, shown),
             "name the whole run's results, or take these tasks out of the exam");
    if (shown < split.tasks.size())
      report(
          Severity::warning, call.range,
          fmt::format("`{}` is about {} of the {} tasks of the exam, so its shares aren't of the same tasks "
                      "as the other rows'",
                      name, shown, split.tasks.size()),
          "write `rows = … + suites`, whose rows for each suite can be compared, or import all levels");
  }

  void look_at_columns(const Value& call, const RunResults& results) {
    const Value* columns = table_.field("columns");
    if (columns == nullptr) return;
    std::set<std::string> said;
    for (const Value& column : columns->items) {
      const std::string lacks = lacking(called(column), results);
      if (lacks.empty() || !said.insert(lacks).second) continue;
      auto d = found(rules::imported_results, call.range,
                     fmt::format("`{}` shows nothing of `{}`, whose references' times aren't known",
                                 called(column), call.entry("name")->string()));
      d.severity = Severity::warning;
      d.note("the column", column.range);
      d.helped(fmt::format("write `imported(…, {} = path(\"…\"))`", lacks));
      inspection_.report(std::move(d), {&table_});
    }
  }

  Inspection& inspection_;
  const Resolved& table_;
  std::set<std::string> names_;
};

void check_imported_results(Inspection& inspection) {
  for (const Resolved* table : inspection.tables) {
    const Value* rows = table->field("rows");
    if (rows == nullptr) continue;
    Imports imports(inspection, *table);
    if (called(*rows) == "imported") imports.examine(*rows);
    if (!rows->is(Value::Kind::sum)) continue;
    for (const Value& part : rows->items)
      if (called(part) == "imported") imports.examine(part);
  }
}

}  // namespace

const Rule rules::imported_results{"imported_results",
                                   Severity::error,
                                   true,
                                   "Results that were made elsewhere stand beside the exam's own only where "
                                   "they are of the same tasks, and can "
                                   "be read before anything is trained.",
                                   R"(import example
experiment e : example.study { allow(no_filter_control, "no claim is made here") }
table main { of = e, rows = cells }
)",
                                   R"(import example
experiment e : example.study { allow(no_filter_control, "no claim is made here") }
table main { of = e, rows = cells + imported(path("runs/others"), name = "others") }
)",
                                   check_imported_results};

}  // namespace trl::language
