#include "base/contract/stages/generations.hpp"
#include "base/support/generations.hpp"

#include "base/contract/rows.hpp"
#include "base/support/error.hpp"
#include "base/support/kernelbench_results.hpp"
#include "base/support/reading.hpp"
#include "interpreter/files.hpp"
#include "interpreter/local/local_stage.hpp"
#include "interpreter/store/rows.hpp"

namespace trl::interpreter {
using nlohmann::json;
namespace fs = std::filesystem;

json run_generations(const LocalStage& stage) {
  const auto spec = contract::GenerationsSpec::read(stage.spec);
  const auto& folder = stage.outside.at("folder");
  const auto tasks = tasks_of(stage.inputs.at("tasks"));
  std::string rows;
  std::int64_t candidates = 0, absent = 0;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    if (stage.stopped && stage.stopped()) throw UserError("it was stopped");
    const auto problem = problem_of(tasks[t].whole, tasks[t].id);
    if (!problem)
      throw UserError(tasks[t].suite + "/" + std::to_string(tasks[t].id) + " is no task of KernelBench",
                      "Evaluate on suites whose `source` is kernelbench(…).");
    for (std::int64_t sample = 0; sample < spec.samples; ++sample) {
      contract::Candidate row;
      row.task = t, row.name = tasks[t].name, row.group = tasks[t].suite, row.sample = sample;
      row.prompt = tasks[t].whole["module"].value("code", ""), row.finish = "stop";
      const auto answer = text_if_there(folder / generation_file(problem->level, problem->number, sample),
                                        {.within = folder, .most = most_generation});
      row.answer = answer.value_or("");
      absent += !answer;
      rows += row.ordered().dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
      ++candidates;
    }
  }
  write_text(stage.output / "candidates.jsonl", rows);
  return {{"candidates", candidates}, {"absent", absent}, {"tokens", 0}};
}

}  // namespace trl::interpreter
