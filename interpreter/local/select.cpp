#include <algorithm>
#include <cmath>
#include <numbers>

#include "contract/formula.hpp"
#include "contract/rows.hpp"
#include "contract/stages.hpp"
#include "contract/verdict.hpp"
#include "ground/error.hpp"
#include "ground/random.hpp"
#include "interpreter/files.hpp"
#include "interpreter/local/local_stage.hpp"
#include "interpreter/store/rows.hpp"
#include "language/formulas/evaluate.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

struct Scored {
  std::size_t row = 0;
  std::int64_t sample = 0;
  double reward = 0;
};

/// The verdict as the record of a reward formula. A step that was not tried (no tiny stage, no cubin for
/// wrong values) counts as passed exactly when the candidate is correct.
json as_record(const contract::Verdict& verdict, double speedup, const contract::SelectSpec& spec) {
  double credit = 0;
  if (spec.failing)
    if (const auto found = spec.failing->find(verdict.failed); found != spec.failing->end())
      credit = found->second;
  return {{"valid", verdict.valid},
          {"compiled", verdict.compiled.value_or(verdict.correct)},
          {"tiny", verdict.tiny.value_or(verdict.correct)},
          {"correct", verdict.correct},
          {"speedup", speedup},
          {"credit", credit}};
}

/// A random factor for a time, as if a timer with this coefficient of variation had measured it: log-normal
/// with mean 1, by the method of Box and Muller (1958).
double timer_noise(double cv, RandomStream random) {
  const double sigma = std::sqrt(std::log1p(cv * cv));
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  const double normal = radius * std::cos(2 * std::numbers::pi * random.uniform());
  return std::exp(sigma * normal - sigma * sigma / 2);
}

double reward_of(const contract::Formula& formula, const json& record) {
  language::Bindings bindings;
  bindings.names[formula.params.at(0)] = record;
  try {
    return language::evaluate_number(formula.body, bindings);
  } catch (const language::EvaluationError& error) {
    throw UserError(std::string("the reward has no value: ") + error.what() + "\n  of the candidate " +
                    record.dump());
  }
}

}  // namespace

json run_select(const LocalStage& stage) {
  const auto spec = contract::SelectSpec::read(stage.spec);
  const auto formula = contract::Formula::read(spec.reward);
  const auto seed = std::to_string(spec.seed), round = std::to_string(spec.round);
  const auto tasks = tasks_of(stage.inputs.at("tasks"));
  const auto candidates = rows_as<contract::Candidate>(stage.inputs.at("candidates"), "candidates.jsonl");
  const auto verdicts = rows_as<contract::VerdictRow>(stage.inputs.at("verdicts"), "verdicts.jsonl");
  if (candidates.size() != verdicts.size())
    throw UserError(std::to_string(candidates.size()) + " candidates, but " +
                    std::to_string(verdicts.size()) + " verdicts in " +
                    stage.inputs.at("verdicts").folder().string());

  std::vector<std::vector<Scored>> by_task(tasks.size());
  std::vector<contract::Reward> rewards;
  double sum = 0;
  int correct = 0;
  std::map<std::string, std::pair<int, int>> by_group;  // how many are correct, of how many
  for (std::size_t row = 0; row < verdicts.size(); ++row) {
    const auto& verdict = verdicts[row];
    const auto& task = tasks.at(verdict.task);
    double speedup = verdict.correct ? verdict.speedup : 0;
    if (spec.timing_noise)
      speedup /= timer_noise(*spec.timing_noise, RandomStream(seed + "/timer/" + task.key + "/" + round +
                                                              "/" + std::to_string(verdict.sample)));
    const double reward = reward_of(formula, as_record(verdict, speedup, spec));
    by_task[verdict.task].push_back({row, verdict.sample, reward});
    rewards.push_back({verdict.task, verdict.sample, reward, false});
    sum += reward;
    correct += verdict.correct;
    auto& [right, all] = by_group[task.suite];
    right += verdict.correct, ++all;
  }

  std::vector<std::size_t> kept;
  int tasks_without = 0;
  for (std::size_t task = 0; task < by_task.size(); ++task) {
    auto& scored = by_task[task];
    std::sort(scored.begin(), scored.end(), [](auto& a, auto& b) { return a.sample < b.sample; });
    if (spec.keep_by == contract::KeepBy::reward) {
      std::erase_if(scored, [&](const Scored& s) { return !(s.reward > spec.min_reward); });
      std::stable_sort(scored.begin(), scored.end(), [](auto& a, auto& b) { return a.reward > b.reward; });
    } else {
      RandomStream(seed + "/keep/" + tasks[task].key + "/" + round + "/0").shuffle(scored);
    }
    if (scored.size() > spec.keep) scored.resize(spec.keep);
    tasks_without += scored.empty();
    for (const auto& s : scored) kept.push_back(s.row);
  }

  std::vector<contract::Sample> samples;
  std::vector<contract::Candidate> sampled;
  for (const std::size_t row : kept) {
    const auto& candidate = candidates[row];
    samples.push_back({candidate.name, candidate.group, tasks.at(candidate.task).key, candidate.prompt,
                       candidate.answer, ""});
    sampled.push_back(candidate);
    rewards[row].kept = true;
  }
  write_json_lines(stage.output / "samples.jsonl", written_rows(samples));
  write_json_lines(stage.output / "candidates.jsonl", written_rows(sampled));
  write_json_lines(stage.output / "rewards.jsonl", written_rows(rewards));

  auto accuracy = json::object();
  for (const auto& [group, counts] : by_group)
    accuracy[group] = {{"correct", counts.first}, {"candidates", counts.second}};

  const double n = static_cast<double>(verdicts.size());
  return {{"candidates", verdicts.size()},
          {"correct", correct},
          {"kept", kept.size()},
          {"tasks_without", tasks_without},
          {"mean_reward", verdicts.empty() ? json() : json(sum / n)},
          {"accuracy", accuracy}};
}

}  // namespace trl::interpreter
