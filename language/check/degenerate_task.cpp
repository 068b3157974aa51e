#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "language/check/inspection.hpp"
#include "language/check/program_inspection.hpp"

namespace trl::language {
DECLARE_RULE(degenerate_task)
namespace {

constexpr FileId program_file = 0;

using Tasks = std::vector<const SuiteTask*>;

/// A use of tasks: which declaration uses them, where, and in which precision. All tasks of one use share the
/// severity of the finding and the `allow`s of that declaration.
struct Use {
  std::string by;  ///< name of the declaration; empty for the tasks of a file without experiments
  Range range;     ///< where that declaration names the tasks
  std::string precision = "task";
  bool exam = false;
};

/// Returns the tasks that can be assessed: tasks whose expression is known, and for which no `allow` silences
/// the rule.
template <typename Allowed>
Tasks to_assess(const Tasks& tasks, const Allowed& allowed) {
  Tasks out;
  for (const SuiteTask* task : tasks)
    if (task->is_lowered() && !task->lowered().contains("source") && !allowed(*task)) out.push_back(task);
  return out;
}

/// Returns the assessment of each task, in the order of the tasks, from `answers`. Requests the missing ones.
std::vector<const Assessment*> assess(const Tasks& tasks, const Use& use, const CheckOptions& options,
                                      Answers& answers) {
  std::vector<const nlohmann::json*> lowered;
  std::vector<Assessment*> places;
  std::vector<const Assessment*> all;
  for (const SuiteTask* task : tasks) {
    const auto [at, fresh] = answers.assessments.try_emplace({task, use.precision});
    all.push_back(&at->second);
    if (!fresh) continue;
    lowered.push_back(task->smaller ? task->smaller.get() : &task->lowered());
    places.push_back(&at->second);
  }
  if (!lowered.empty()) {
    std::vector<Assessment> found = options.assess(lowered, use.precision);
    for (std::size_t i = 0; i < places.size(); ++i) *places[i] = std::move(found.at(i));
  }
  return all;
}

/// The trivial answers of docs/interfaces.md, section 4, in words.
std::string answer_in_words(const std::string& passes) {
  static const std::map<std::string, std::string> words = {
      {"zeros", "an answer of zeros"},
      {"constant", "one constant everywhere (a number, or NaN)"},
      {"nan", "an answer of NaN"},
      {"output of another draw", "the output of another draw of inputs"},
      {"first tile alone", "an output whose first tile alone is computed"},
      {"last tile missing", "an output whose last tile is missing"},
      {"an arbitrary part", "an output of which more than an eighth, where no bound is known, is arbitrary"},
  };
  if (passes.empty()) return "a trivial answer";
  if (const auto known = words.find(passes); known != words.end()) return known->second;
  if (passes.starts_with("copy of ")) return "a " + passes;
  if (passes.find(" as ") != passes.npos || passes.ends_with(" of another draw"))
    return "the value with " + passes;
  return "the trivial answer `" + passes + "`";
}

/// "`mine/1` (shifted): an answer of zeros passes"
std::string sentence(const SuiteTask& task, const Assessment& assessment) {
  const std::string name = "`" + task.text() + "` (" + task.name + ")";
  if (assessment.passes == "nan") return name + " is NaN everywhere, so an answer of NaN passes";
  return name + " can be passed without computing it: " + answer_in_words(assessment.passes) + " passes";
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

/// Notes which variations accept the trivial answer, which refuse it (though too few do), and which other
/// trivial answers pass.
void note_variations(const Assessment& assessment, Diagnostic& d) {
  std::vector<std::string> accepting, refusing, also;
  bool first = true;
  for (const auto& [label, passes] : assessment.variations) {
    const bool accepts = std::find(passes.begin(), passes.end(), assessment.passes) != passes.end();
    (accepts ? accepting : refusing).push_back(label);
    if (!accepts) continue;
    if (std::exchange(first, false)) also = passes;
    std::erase_if(also, [&, &passes = passes](const std::string& answer) {
      return answer == assessment.passes || std::find(passes.begin(), passes.end(), answer) == passes.end();
    });
  }
  if (accepting.empty()) return;
  d.note("it passes under " + joined(accepting) +
         (refusing.empty() ? "" : "; " + joined(refusing) + " alone would refuse it"));
  constexpr std::size_t most = 6;
  const std::size_t left_out = also.size() > most ? also.size() - most : 0;
  also.resize(also.size() - left_out);
  if (!also.empty())
    d.note("so do: " + joined(also) + (left_out > 0 ? fmt::format(", and {} more", left_out) : ""));
}

Diagnostic finding(Range range, std::string message, const Use& use) {
  auto d = found(rules::degenerate_task, range, std::move(message));
  if (!use.exam) d.severity = Severity::warning;
  return d;
}

const char* const remedy =
    "let the values depend on every input so strongly that a wrong answer fails, or remove the task";

/// Returns the finding about a task that the checked file declares, placed at the task.
Diagnostic at_its_place(const SuiteTask& task, const Assessment& assessment, const Use& use) {
  auto d = finding(task.range, sentence(task, assessment), use);
  note_variations(assessment, d);
  if (!use.by.empty()) d.note("`" + use.by + "` uses it here", use.range);
  d.helped(remedy);
  return d;
}

/// Returns the finding about tasks of imported files, placed where the checked file uses them.
Diagnostic where_brought_in(const std::vector<std::pair<const SuiteTask*, const Assessment*>>& tasks,
                            const Use& use) {
  const auto& [first, assessment] = tasks.front();
  constexpr std::size_t most = 4;
  auto d = tasks.size() == 1 ? finding(use.range, sentence(*first, *assessment), use)
                             : finding(use.range,
                                       std::to_string(tasks.size()) + " tasks of `" + use.by +
                                           "` can be passed without computing them",
                                       use);
  for (std::size_t i = 0; i < tasks.size() && i < most; ++i)
    d.note(tasks.size() == 1 ? "the task"
                             : "`" + tasks[i].first->text() + "` (" + tasks[i].first->name +
                                   "): " + answer_in_words(tasks[i].second->passes) + " passes",
           tasks[i].first->range);
  if (tasks.size() > most) d.note("and " + std::to_string(tasks.size() - most) + " more");
  if (tasks.size() == 1) note_variations(*assessment, d);
  d.helped("leave them out: `where(…)` and `-` remove tasks from a split");
  return d;
}

/// The number of tasks that could not be assessed, by reason.
using Unknown = std::map<std::string, std::size_t>;

/// Reports degenerate tasks. Returns the tasks that could not be assessed.
template <typename Report>
Unknown judge(const Tasks& tasks, const Use& use, const CheckOptions& options, Answers& answers,
              const Report& report) {
  if (tasks.empty()) return {};
  const std::vector<const Assessment*> assessments = assess(tasks, use, options, answers);
  std::vector<std::pair<const SuiteTask*, const Assessment*>> elsewhere;
  Unknown unknown;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const Assessment& a = *assessments.at(i);
    if (a.known == Assessment::Known::unknown) ++unknown[a.why];
    if (a.known != Assessment::Known::degenerate) continue;
    if (tasks[i]->range.file == program_file)
      report(at_its_place(*tasks[i], a, use));
    else
      elsewhere.emplace_back(tasks[i], &a);
  }
  if (!elsewhere.empty()) report(where_brought_in(elsewhere, use));
  return unknown;
}

/// Reports the number of tasks that could not be assessed, if the reason is known.
template <typename Report>
void tell(const Unknown& unknown, Range range, const Report& report) {
  for (const auto& [why, count] : unknown) {
    if (why.empty()) continue;
    auto d = found(rules::degenerate_task, range,
                   std::to_string(count) + (count == 1 ? " task was" : " tasks were") +
                       " not tried with trivial answers: " + why);
    d.severity = Severity::note;
    d.helped(
        "the file is checked but for that: `trl doctor` says which program or library is missing and how it "
        "is got, and the tasks are tried at the next check");
    report(std::move(d));
  }
}

void check_degenerate_task(Inspection& inspection) {
  if (inspection.experiment.range.file != program_file) return;  // it is checked with its own file
  Unknown unknown;
  const auto visit = [&](const Resolved& declaration, const Value& tasks, bool exam) {
    if (!tasks.is(Value::Kind::tasks) || !declaration.sound("precision")) return;
    const auto allowed_here = [&] { return inspection.allowed(rules::degenerate_task.id, {&declaration}); };
    if (!inspection.options.assess) {
      allowed_here();  // without assessments, an `allow` is not reported as unused
      return;
    }
    Use use{declaration.name, tasks.range, "task", exam};
    if (const Value* precision = declaration.field("precision")) use.precision = precision->string();
    const auto allowed = [&](const SuiteTask& task) {
      return inspection.allowed(task, rules::degenerate_task.id);
    };
    const Unknown here = judge(to_assess(tasks.tasks, allowed), use, inspection.options, inspection.answers,
                               [&](Diagnostic d) { inspection.report(std::move(d), {&declaration}); });
    if (here.empty() || allowed_here()) return;
    for (const auto& [why, count] : here) unknown[why] += count;
  };
  if (const Resolved* exam = inspection.evaluation())
    if (const Value* split = exam->field("split")) visit(*exam, *split, true);
  for (const auto& stage : inspection.stages())
    if (const Value* tasks = stage.train->field("tasks")) visit(*stage.train, *tasks, false);
  tell(unknown, inspection.experiment.range, [&](Diagnostic d) { inspection.report(std::move(d), {}); });
}

/// Checks the suites of a file without experiments: such a file exists for its tasks.
void check_program(ProgramInspection& inspection) {
  if (!inspection.options.assess) return;
  Answers answers;
  for (const ast::Declaration& d : inspection.program.ast.declarations)
    if (d.kind == "experiment") return;
  for (const ast::Declaration& d : inspection.program.ast.declarations) {
    const auto suite = inspection.suites.find(d.name);
    if (d.kind != "suite" || suite == inspection.suites.end()) continue;
    Tasks tasks;
    for (const SuiteTask& task : suite->second)
      if (task.range.file == program_file) tasks.push_back(&task);
    const auto allowed = [](const SuiteTask& task) {
      return std::any_of(task.allows.begin(), task.allows.end(),
                         [](const ast::Allow* allow) { return allow->rule == rules::degenerate_task.id; });
    };
    const auto report = [&](Diagnostic found) { inspection.report(std::move(found), d); };
    tell(judge(to_assess(tasks, allowed), {"", d.name_range, "task", false}, inspection.options, answers,
               report),
         d.name_range, report);
  }
}

}  // namespace

const Rule rules::degenerate_task{"degenerate_task",
                                  Severity::error,
                                  true,
                                  "A task on which zeros, a constant, a copy or the value without an input "
                                  "pass measures nothing: an error in exams, elsewhere a warning.",
                                  R"(import example
suite mine { task shifted[M = 64](x: f32[M]) = relu(x - 1) }
evaluation x : example.exam { split = mine }
experiment e : example.study { evaluate = x }
)",
                                  R"(import example
suite mine { task shifted[M = 64](x: f32[M]) = relu(x - 20) }
evaluation x : example.exam { split = mine }
experiment e : example.study { evaluate = x }
)",
                                  check_degenerate_task,
                                  check_program};

}  // namespace trl::language
