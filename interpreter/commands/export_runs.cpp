// Writes an exam's answers and verdicts in the layout of KernelBench's runs, for KernelBench's own analysis
// and for programs that read this layout: for each level a folder with the answers and eval_results.json, and
// beside it the references' times.
#include "interpreter/commands/export_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "base/contract/rows.hpp"
#include "base/contract/verdict.hpp"
#include "base/support/counted.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "base/support/generations.hpp"
#include "base/support/kernelbench_results.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/commands/row.hpp"
#include "interpreter/commands/subject.hpp"
#include "interpreter/store/rows.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {
namespace {
namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

struct RunsOptions {
  std::string source, row, folder, by = "strict";
  ProgramOptions program;
};

/// The programs of answers, as verification takes them.
std::vector<std::string> programs_of(const std::vector<contract::Candidate>& candidates) {
  json answers = json::array();
  for (const auto& candidate : candidates) answers.push_back(candidate.answer);
  std::vector<std::string> programs(candidates.size());
  const Interrupt interrupt;
  ask_verifier(
      {{"extract", std::move(answers)}},
      [&](const json& row) { programs.at(row.at("number").get<std::size_t>()) = row.at("text"); }, interrupt);
  return programs;
}

/// Returns an answer's result in KernelBench's form.
EvalResult result_of(const contract::VerdictRow& verdict, bool by_kernelbench) {
  EvalResult result;
  result.sample = verdict.sample;
  result.correct =
      by_kernelbench ? verdict.kernelbench && verdict.kernelbench->correct.value_or(false) : verdict.correct;
  result.compiled = result.correct || verdict.compiled.value_or(verdict.valid);
  if (result.correct && verdict.time_us) result.runtime = *verdict.time_us / 1e3;
  result.metadata = {{"judged_by", by_kernelbench ? judged_by_protocol : judged_by_trl},
                     {"times", verdict.modelled ? "modelled" : "measured"}};
  if (result.correct) return result;
  const bool by_other = by_kernelbench && verdict.kernelbench;
  result.metadata["reason"] = by_other ? verdict.kernelbench->reason : verdict.reason;
  result.metadata["message"] = by_other ? verdict.kernelbench->message : verdict.message;
  return result;
}

/// The files of one level.
struct Level {
  EvalResults results;
  std::map<std::string, double> reference;  ///< milliseconds by the file's name
};

const Trace& trace_of(const Plan& plan, const std::string& row) {
  const auto traces = traces_of_row(plan, row);
  if (traces.size() > 1)
    throw WrongUsage(fmt::format("row `{}` has {} exams, one for each seed", row, traces.size()),
                     fmt::format("Name one: \"{}/seed {}\".", row, traces.front()->seed));
  return *traces.front();
}

int export_runs(RunsOptions& options, Console& console) {
  options.program.file = options.source;
  const auto program = load_program(options.program, console);
  if (!program) return failed;
  if (program->jobs.size() != 1)
    throw WrongUsage(options.source + " has several experiments", "Name one of them with --experiment.");
  const Plan& plan = program->jobs.front().plan;
  const Trace& trace = trace_of(plan, options.row);
  const Store store(options.program.store);
  for (const auto& key : {trace.exam_sample, trace.exam_verify})
    if (key.empty() || !store.has(key))
      throw UserError("the exam of row `" + options.row + "` isn't in the store " + options.program.store,
                      "Run it first: " + go_on_with(options.program, "run"));
  const auto tasks = tasks_of(store.result(plan.find(trace.exam_verify)->inputs.at("tasks")));
  const auto candidates = rows_as<contract::Candidate>(store.result(trace.exam_sample), "candidates.jsonl");
  const auto verdicts = rows_as<contract::VerdictRow>(store.result(trace.exam_verify), "verdicts.jsonl");
  const bool by_kernelbench = options.by == "kernelbench";
  if (by_kernelbench &&
      std::none_of(verdicts.begin(), verdicts.end(), [](const auto& v) { return v.kernelbench; }))
    throw UserError("the exam of row `" + options.row + "` wasn't judged by KernelBench's protocol",
                    "Write `also_by = kernelbench` in the evaluation, or export without --by.");
  if (fs::exists(options.folder) && !fs::is_empty(options.folder))
    throw WrongUsage(options.folder + " already exists and isn't empty",
                     "Name another folder with --to DIR.");
  const auto programs = programs_of(candidates);
  const auto level_of = [&](const contract::Task& task) {
    const auto problem = problem_of(task.whole, task.id);
    if (!problem)
      throw UserError(task.suite + "/" + std::to_string(task.id) + " is no task of KernelBench",
                      "Answers to suites whose `source` is kernelbench(…) have such a layout.");
    return problem->level;
  };
  std::map<std::int64_t, Level> levels;
  const fs::path folder(options.folder);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto& task = tasks.at(candidates[i].task);
    const std::int64_t level = level_of(task);
    const fs::path own = folder / fmt::format("level{}", level);
    fs::create_directories(own);
    if (!candidates[i].answer.empty())
      write_text(own / generation_file(level, task.id, candidates[i].sample), programs[i]);
  }
  for (const auto& verdict : verdicts) {
    const auto& task = tasks.at(verdict.task);
    Level& level = levels[level_of(task)];
    if (!verdict.judged()) continue;  // a result in this file is right or wrong
    level.results[task.id].push_back(result_of(verdict, by_kernelbench));
    if (verdict.reference_us)
      level.reference[fmt::format("{}_{}.py", task.id, task.name)] = *verdict.reference_us / 1e3;
  }
  ordered_json baseline = ordered_json::object();
  for (const auto& [number, level] : levels) {
    const fs::path own = folder / fmt::format("level{}", number);
    write_text(own / "eval_results.json", eval_results_text(level.results));
    auto& its = baseline[fmt::format("level{}", number)] = ordered_json::object();
    for (const auto& [name, mean] : level.reference) its[name] = {{"mean", mean}};
    console.out << "  " << (own / "eval_results.json").string()
                << fmt::format("  {}\n", counted(level.results.size(), "problem"));
  }
  write_text(folder / "baseline.json", baseline.dump(4) + "\n");
  console.out << "  " << (folder / "baseline.json").string() << "\n";
  return fine;
}

}  // namespace

void add_export_kernelbench(Command group, Console& console, int& status) {
  auto options = std::make_shared<RunsOptions>();
  auto command = group.add_command(
      "kernelbench", "Write an exam's answers and verdicts in the layout of KernelBench's runs");
  command.add_option("FILE", options->source, "The .trl file").required().type_name("");
  command
      .add_option("ROW", options->row, "A row of the file's experiment, or one seed of it: \"inputs/seed 2\"")
      .required()
      .type_name("");
  command.add_option("--to", options->folder, "The folder to write, which must be empty or absent")
      .required()
      .type_name("DIR");
  command
      .add_option("--by", options->by,
                  "Whose verdicts: those of the exam (strict), or KernelBench's protocol's, where the "
                  "evaluation has `also_by = kernelbench`")
      .type_name("strict|kernelbench");
  command.add_option("--experiment", options->program.name, "The experiment, where the file has several")
      .type_name("NAME");
  add_sets(command, options->program.sets);
  add_store(command, options->program);
  add_kernel_times(command, options->program);
  add_examples(command,
               "  trl export kernelbench exam.trl coder --to runs/coder\n"
               "Each level gets a folder with the answers and eval_results.json, as KernelBench's\n"
               "scripts write and read them; baseline.json has the references' times.",
               "0 written, 1 errors, 2 wrong usage");
  command.callback([options, &console, &status] {
    if (options->by != "strict" && options->by != "kernelbench")
      throw WrongUsage("--by is strict or kernelbench, not " + options->by);
    status = export_runs(*options, console);
  });
}

}  // namespace trl::interpreter
