#include <algorithm>
#include <cmath>
#include <numbers>

#include "ground/error.hpp"
#include "ground/random.hpp"
#include "interpreter/files.hpp"
#include "interpreter/local/local_stage.hpp"
#include "language/formulas/evaluate.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

struct Scored {
  std::size_t row = 0;
  int sample = 0;
  double reward = 0;
};

bool is_true(const json& verdict, const char* field, bool otherwise) {
  const auto found = verdict.find(field);
  return found == verdict.end() || found->is_null() ? otherwise : found->get<bool>();
}

/// The verdict as the record of a reward formula. A step that was not tried (no tiny stage, no cubin for
/// wrong values) counts as passed exactly when the candidate is correct.
json as_record(const json& verdict, const json& failing) {
  const bool correct = verdict.at("correct");
  double credit = 0;
  if (failing.is_object() && verdict.at("failed").is_string())
    credit = failing.value(verdict["failed"].get<std::string>(), 0.0);
  return {{"valid", verdict.at("valid")},
          {"compiled", is_true(verdict, "compiled", correct)},
          {"tiny", is_true(verdict, "tiny", correct)},
          {"correct", correct},
          {"speedup", correct ? verdict.at("speedup").get<double>() : 0.0},
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

double reward_of(const json& formula, const json& record) {
  const auto& function = formula.at("formula");
  language::Bindings bindings;
  bindings.names[function.at("params").at(0).get<std::string>()] = record;
  try {
    return language::evaluate_number(function.at("body"), bindings);
  } catch (const language::EvaluationError& error) {
    throw UserError(std::string("the reward has no value: ") + error.what() + "\n  of the candidate " +
                    record.dump());
  }
}

}  // namespace

json run_select(const LocalStage& stage) {
  const auto& spec = stage.spec;
  const auto tasks = stage.inputs.at("tasks").value("tasks.json");
  const auto candidates = stage.inputs.at("candidates").rows("candidates.jsonl");
  const auto verdicts = stage.inputs.at("verdicts").rows("verdicts.jsonl");
  if (candidates.size() != verdicts.size())
    throw UserError(std::to_string(candidates.size()) + " candidates, but " +
                    std::to_string(verdicts.size()) + " verdicts in " +
                    stage.inputs.at("verdicts").folder().string());

  std::vector<std::vector<Scored>> by_task(tasks.size());
  std::vector<json> rewards;
  double sum = 0;
  int correct = 0;
  auto accuracy = json::object();
  for (std::size_t row = 0; row < verdicts.size(); ++row) {
    const auto& verdict = verdicts[row];
    const auto task = verdict.at("task").get<std::size_t>();
    const int sample = verdict.at("sample");
    json record = as_record(verdict, spec.at("failing"));
    if (spec.contains("timing_noise"))
      record["speedup"] = record["speedup"].get<double>() /
                          timer_noise(spec["timing_noise"],
                                      RandomStream(spec.at("seed").dump() + "/timer/" +
                                                   tasks[task].at("key").get<std::string>() + "/" +
                                                   spec.at("round").dump() + "/" + std::to_string(sample)));
    const double reward = reward_of(spec.at("reward"), record);
    by_task.at(task).push_back({row, sample, reward});
    rewards.push_back({{"task", task}, {"sample", sample}, {"reward", reward}, {"kept", false}});
    sum += reward;
    correct += verdict.at("correct").get<bool>();
    auto& group = accuracy[tasks[task].at("suite").get<std::string>()];
    if (group.is_null()) group = {{"correct", 0}, {"candidates", 0}};
    group["correct"] = group["correct"].get<int>() + verdict.at("correct").get<bool>();
    group["candidates"] = group["candidates"].get<int>() + 1;
  }

  const auto keep = spec.at("keep").get<std::size_t>();
  const bool by_reward = spec.at("keep_by") == "reward";
  std::vector<std::size_t> kept;
  int tasks_without = 0;
  for (std::size_t task = 0; task < by_task.size(); ++task) {
    auto& scored = by_task[task];
    std::sort(scored.begin(), scored.end(), [](auto& a, auto& b) { return a.sample < b.sample; });
    if (by_reward) {
      const double threshold = spec.at("min_reward");
      std::erase_if(scored, [&](const Scored& s) { return !(s.reward > threshold); });
      std::stable_sort(scored.begin(), scored.end(), [](auto& a, auto& b) { return a.reward > b.reward; });
    } else {
      RandomStream(spec.at("seed").dump() + "/keep/" + tasks[task].at("key").get<std::string>() + "/" +
                   spec.at("round").dump() + "/0")
          .shuffle(scored);
    }
    if (scored.size() > keep) scored.resize(keep);
    tasks_without += scored.empty();
    for (const auto& s : scored) kept.push_back(s.row);
  }

  std::vector<json> samples, sampled;
  for (const std::size_t row : kept) {
    const auto& candidate = candidates[row];
    const auto& task = tasks.at(candidate.at("task").get<std::size_t>());
    samples.push_back({{"task", candidate.at("name")},
                       {"group", candidate.at("group")},
                       {"key", task.at("key")},
                       {"prompt", candidate.at("prompt")},
                       {"answer", candidate.at("answer")},
                       {"flaw", nullptr}});
    sampled.push_back(candidate);
    rewards[row]["kept"] = true;
  }
  write_json_lines(stage.output / "samples.jsonl", samples);
  write_json_lines(stage.output / "candidates.jsonl", sampled);
  write_json_lines(stage.output / "rewards.jsonl", rewards);

  const double n = static_cast<double>(verdicts.size());
  return {{"candidates", verdicts.size()},
          {"correct", correct},
          {"kept", kept.size()},
          {"tasks_without", tasks_without},
          {"mean_reward", verdicts.empty() ? json() : json(sum / n)},
          {"accuracy", accuracy}};
}

}  // namespace trl::interpreter
