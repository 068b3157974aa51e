#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "base/support/kernelbench_results.hpp"
#include "base/support/named_path.hpp"
#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(imported_results)
DECLARE_RULE(imported_partly)
namespace {
namespace fs = std::filesystem;

/// Returns the path that a call `path("…")` names; a relative one starts in the folder of the file. Empty if
/// there is no path.
fs::path path_of(const Value* call, const std::string& folder) {
  if (call == nullptr || call->items.empty()) return {};
  return named_path(folder, call->items.front().string()).lexically_normal();
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

/// Returns the data that an imported row lacks for a column, and the remedy; two empty texts if it lacks
/// nothing.
std::pair<std::string, std::string> lacking(const Value& column, const RunResults& results) {
  const std::string write = "write `imported(…, ";
  if (needs(column, contract::ColumnNeeds::kernel_times)) {
    if (!results.reference) return {"the references' times aren't known", write + "baseline = path(\"…\"))`"};
    if (!results.timed()) return {"none of its right answers was timed", "leave the column out"};
  }
  if (needs(column, contract::ColumnNeeds::compiled_times) && !results.compiled)
    return {"torch.compile's times aren't known", write + "compiled_baseline = path(\"…\"))`"};
  return {};
}

/// Returns a name without the underscores at its end, in which versions of KernelBench differ.
std::string bare(std::string name) {
  while (name.ends_with('_')) name.pop_back();
  return name;
}

// Looks at the imported rows of one table.
class Imports {
 public:
  Imports(Inspection& inspection, const Resolved& table) : inspection_(inspection), table_(table) {}

  void examine(const Value& call) {
    const Resolved* exam = inspection_.evaluation();
    const Value* name = call.entry("name");
    if (call.items.empty() || name == nullptr) return;
    if (const std::string wrong = wrong_row_name(name->string()); !wrong.empty())
      error(name->range, "the row can't be called so: " + wrong,
            "use letters, digits, blanks between them, and . , : + - _ ( ) / @ # =");
    else if (!names_.insert(name->string()).second)
      error(name->range, fmt::format("two imported rows are called `{}`", name->string()),
            "give each a name of its own");
    if (exam == nullptr)
      return error(
          call.range,
          fmt::format("`{}` has no exam whose tasks these results are of", inspection_.experiment.name),
          "give it `evaluate = …`");
    const Value* split = exam->field("split");
    if (split == nullptr || !exam->sound("split")) return;
    std::vector<Problem> problems;
    std::map<Problem, std::string> called_so;
    for (const SuiteTask* task : split->tasks)
      if (const auto problem = problem_of(task->own, static_cast<std::int64_t>(task->id)))
        problems.push_back(*problem), called_so[*problem] = task->name;
    try {
      const RunResults results =
          read_results(place_of(call, inspection_.folder), problems,
                       [&](const fs::path& file) { return inspection_.options.read(file.string()); });
      look_at_tasks(call, results, problems, *split);
      look_at_names(call, results, called_so);
      look_at_columns(call, results);
    } catch (const ResultsError& wrong) {
      const Value* argument = call.entry(wrong.argument);
      error(argument == nullptr || argument->absent() ? call.items.front().range : argument->range,
            wrong.what(), wrong.help);
    }
  }

 private:
  void report(const Rule& rule, const Range& range, const std::string& what, const std::string& help) {
    auto d = found(rule, range, what);
    d.helped(help);
    std::vector<const Resolved*> about = {&table_};
    if (const Resolved* exam = inspection_.evaluation()) about.push_back(exam);
    inspection_.report(std::move(d), about);
  }
  void error(const Range& range, const std::string& what, const std::string& help) {
    report(rules::imported_results, range, what, help);
  }
  void warn(const Range& range, const std::string& what, const std::string& help) {
    report(rules::imported_partly, range, what, help);
  }

  void look_at_tasks(const Value& call, const RunResults& results, const std::vector<Problem>& problems,
                     const Value& split) {
    const auto shown =
        static_cast<std::size_t>(std::count_if(problems.begin(), problems.end(), [&](const Problem& one) {
          return results.levels.contains(one.level);
        }));
    const std::string name = call.entry("name")->string();
    if (const auto absent = shown - results.results.size(); absent > 0)
      warn(call.items.front().range,
           fmt::format("`{}` has no result for {} of the {} tasks, which counts as wrong answers", name,
                       absent, shown),
           "name the whole run's results, or take these tasks out of the exam");
    if (const auto missing = results.missing(); missing > 0)
      warn(call.items.front().range,
           fmt::format("`{}` has up to {} answers to a task, and {} to others {} missing, which counts as "
                       "wrong answers",
                       name, results.answers(), missing, missing == 1 ? "is" : "are"),
           "name results of as many answers to each task");
    if (results.timed() && results.untimed() > 0)
      warn(call.items.front().range,
           fmt::format("{} of the right answers of `{}` {} no time, which counts as not fast",
                       results.untimed(), name, results.untimed() == 1 ? "has" : "have"),
           "name results of a run that timed all right answers");
    if (shown < split.tasks.size() && !by_suites())
      warn(call.range,
           fmt::format("`{}` is about {} of the {} tasks of the exam, so its shares aren't of the same tasks "
                       "as the other rows'",
                       name, shown, split.tasks.size()),
           "write `rows = … + suites`, whose rows for each suite can be compared, or import all levels");
  }

  /// Whether the table has rows for each suite.
  bool by_suites() const {
    const Value* rows = table_.field("rows");
    return rows != nullptr && std::any_of(rows->items.begin(), rows->items.end(),
                                          [](const Value& part) { return called(part) == "suites"; });
  }

  void look_at_names(const Value& call, const RunResults& results,
                     const std::map<Problem, std::string>& called_so) {
    if (!results.reference) return;
    for (const auto& [problem, time] : *results.reference) {
      const auto task = called_so.find(problem);
      if (task == called_so.end() || bare(task->second) == bare(time.name)) continue;
      return warn(
          call.range,
          fmt::format("the references' times call problem {} of level {} `{}`, and the exam's task is "
                      "`{}`",
                      problem.number, problem.level, time.name, task->second),
          "problems are found by their numbers: name results and times of the same version of "
          "KernelBench");
    }
  }

  void look_at_columns(const Value& call, const RunResults& results) {
    const Value* columns = table_.field("columns");
    if (columns == nullptr) return;
    std::set<std::string> said;
    for (const Value& written : columns->items) {
      const Value& column = untitled(written);
      const auto [what, help] = lacking(column, results);
      if (what.empty() || !said.insert(what).second) continue;
      auto d = found(
          rules::imported_partly, call.range,
          fmt::format("`{}` shows nothing of `{}`: {}", called(column), call.entry("name")->string(), what));
      d.note("the column", column.range);
      d.helped(help);
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
                                   false,
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

// The check of imported_results also reports this rule, since it reads the same files.
const Rule rules::imported_partly{
    "imported_partly",
    Severity::warning,
    true,
    "Where published results lack tasks, answers or times, a row of them shows less "
    "than it seems to.",
    R"(import example
experiment e : example.study { allow(no_filter_control, "no claim is made here") }
table main { of = e, rows = cells }
)",
    R"(
)"};

}  // namespace trl::language
