#include "base/contract/stages/imported.hpp"
#include "base/contract/rows.hpp"
#include "base/contract/verdict.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "base/support/json_text.hpp"
#include "base/support/kernelbench_results.hpp"
#include "interpreter/files.hpp"
#include "interpreter/local/local_stage.hpp"
#include "interpreter/store/rows.hpp"

namespace trl::interpreter {
using nlohmann::json;
namespace fs = std::filesystem;
namespace {

/// Returns the first text that a result's metadata has under one of these names, which are this project's and
/// KernelBench's; empty if it has none.
std::string text_of(const EvalResult& result, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const auto said = result.metadata.find(name); said != result.metadata.end() && said->is_string())
      return said->get<std::string>();
  return {};
}

double microseconds(double milliseconds) { return 1e3 * milliseconds; }

contract::VerdictRow verdict_of(const EvalResult& result, const Problem& problem, const RunResults& run) {
  contract::VerdictRow row;
  row.sample = result.sample;
  row.compiled = result.compiled, row.valid = result.compiled;
  row.correct = row.values = result.correct;
  if (!result.correct) {
    row.failed = result.compiled ? "full" : "compile";
    row.reason = text_of(result, {"reason"});
    row.message = text_of(result, {"message", "compilation_error", "runtime_error", "correctness_issue"});
  }
  row.modelled = run.modelled();
  if (run.by_kernelbench()) row.kernelbench = contract::OtherVerdict{result.correct, {}, row.message};
  if (!result.correct || !result.runtime) return row;
  row.time_us = microseconds(*result.runtime);
  if (run.reference) {
    row.reference_us = microseconds(run.reference->at(problem).milliseconds);
    row.speedup = *row.reference_us / *row.time_us;
  }
  if (run.compiled) row.compiled_us = microseconds(run.compiled->at(problem).milliseconds);
  return row;
}

}  // namespace

json run_imported(const LocalStage& stage) {
  const auto spec = contract::ImportedSpec::read(stage.spec);
  const auto tasks = tasks_of(stage.inputs.at("tasks"));
  std::vector<std::optional<Problem>> problems;
  std::vector<Problem> all;
  for (const auto& task : tasks) {
    problems.push_back(problem_of(task.whole, task.id));
    if (problems.back()) all.push_back(*problems.back());
  }
  const auto outside = [&](const char* name) {
    const auto found = stage.outside.find(name);
    return found == stage.outside.end() ? fs::path() : found->second;
  };
  const ResultsPlace place{outside("results"), spec.level, outside("baseline"), outside("compiled_baseline")};
  const RunResults run = read_results(place, all, files_of_run(place));
  std::string candidates, verdicts;
  std::size_t count = 0, excessive = 0, shown = 0;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    if (!problems[t] || !run.levels.contains(problems[t]->level)) continue;
    ++shown;
    for (const auto& result : run.complete(*problems[t])) {
      auto verdict = verdict_of(result, *problems[t], run);
      verdict.task = t;
      contract::Candidate candidate;
      candidate.task = t, candidate.name = tasks[t].name, candidate.group = tasks[t].suite;
      candidate.sample = result.sample, candidate.finish = "stop";
      candidates += candidate.ordered().dump() + "\n", verdicts += dumped(verdict.write()) + "\n";
      ++count, excessive += result.correct && result.metadata.value("excessive_speedup", json()) == true;
    }
  }
  write_text(stage.output / "candidates.jsonl", candidates);
  write_text(stage.output / "verdicts.jsonl", verdicts);
  return {{"candidates", count},
          {"tasks", shown},
          {"absent", shown - run.results.size()},
          {"missing", run.missing()},
          {"timed", run.timed()},
          {"untimed", run.untimed()},
          {"modelled", run.modelled()},
          {"excessive", excessive},
          {"compiled_timed", run.compiled.has_value()},
          {"by_kernelbench", run.by_kernelbench()}};
}

}  // namespace trl::interpreter
