#include <algorithm>
#include <map>

#include "base/contract/form.hpp"
#include "base/contract/formula.hpp"
#include "base/contract/stages/draw.hpp"
#include "base/contract/verdict.hpp"
#include "base/formulas/evaluate.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "base/support/random.hpp"
#include "interpreter/files.hpp"
#include "interpreter/local/apportion.hpp"
#include "interpreter/local/local_stage.hpp"
#include "interpreter/store/rows.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

/// The tasks of one group in the order in which they are sampled.
struct Group {
  std::string name;
  std::vector<contract::Task> tasks;
};

std::vector<Group> shuffled_groups(const contract::DrawSpec& spec) {
  std::vector<Group> groups;
  for (const auto& task : spec.pool) {
    auto found =
        std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.name == task.suite; });
    if (found == groups.end()) found = groups.insert(groups.end(), {task.suite, {}});
    found->tasks.push_back(task);
  }
  for (auto& group : groups)
    RandomStream(std::to_string(spec.seed) + "/draw/" + group.name + "/" + std::to_string(spec.round) + "/0")
        .shuffle(group.tasks);
  return groups;
}

/// Returns each group's share of correct candidates in the last round; for a group without judged candidates
/// there, in the last round that had some.
std::map<std::string, double> measured_accuracy(const LocalStage& stage) {
  std::map<std::string, double> accuracy;
  if (stage.inputs.contains("previous")) {
    const auto before = stage.inputs.at("previous").value("accuracy.json");
    for (const auto& [group, value] : before.items()) accuracy[group] = value;
  }
  if (!stage.inputs.contains("verdicts")) return accuracy;
  const auto tasks = tasks_of(stage.inputs.at("tasks"));
  std::map<std::string, std::pair<int, int>> counts;
  for (const auto& verdict : rows_as<contract::VerdictRow>(stage.inputs.at("verdicts"), "verdicts.jsonl")) {
    if (!verdict.judged()) continue;
    auto& [correct, all] = counts[tasks.at(verdict.task).suite];
    correct += verdict.correct, ++all;
  }
  for (const auto& [group, count] : counts) accuracy[group] = double(count.first) / count.second;
  return accuracy;
}

std::vector<double> evaluated_shares(const contract::DrawSpec::Share& share, const std::vector<Group>& groups,
                                     const std::map<std::string, double>& accuracy) {
  formulas::Bindings bindings;
  bindings.functions["accuracy"] = [&](const std::vector<formulas::Value>& arguments) -> formulas::Value {
    const auto group = value_text(arguments.at(0));
    const auto found = accuracy.find(group);
    if (found == accuracy.end()) throw UserError("accuracy(" + group + ") was never measured");
    return found->second;
  };
  std::map<std::string, double> shares;
  std::string rest;
  double sum = 0;
  for (const auto& [name, of] : share)
    if (of.formula)
      sum += shares[name] = std::clamp(evaluate_number(of.formula->body, bindings), 0.0, 1.0);
    else
      rest = name;
  if (!rest.empty()) shares[rest] = std::max(0.0, 1.0 - sum);
  std::vector<double> ordered;
  for (const auto& group : groups) {
    ordered.push_back(shares.contains(group.name) ? shares.at(group.name) : 0.0);
    shares.erase(group.name);
  }
  for (const auto& [name, value] : shares)
    if (value > 0)
      throw UserError("the curriculum gives a share to group " + name + ", which has no task in the pool",
                      "Add tasks of " + name + " to the training split, or drop its share.");
  return ordered;
}

}  // namespace

json run_draw(const LocalStage& stage) {
  const auto spec = contract::DrawSpec::read(stage.spec);
  const auto groups = shuffled_groups(spec);
  std::vector<int> available, counts;
  std::vector<double> shares;
  for (const auto& group : groups) available.push_back(static_cast<int>(group.tasks.size()));
  const auto accuracy = measured_accuracy(stage);

  if (spec.each) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const bool wanted = std::find(spec.each->begin(), spec.each->end(), groups[i].name) != spec.each->end();
      counts.push_back(wanted ? std::min(spec.count, available[i]) : 0);
    }
  } else {
    if (spec.share)
      shares = evaluated_shares(*spec.share, groups, accuracy);
    else
      shares.assign(available.begin(), available.end());
    counts = apportion(shares, spec.count, available);
  }

  std::vector<contract::Task> drawn;
  json summary = {{"tasks", 0}, {"counts", json::object()}};
  double sum = 0;
  for (const double share : shares) sum += share;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (int n = 0; n < counts[i]; ++n) drawn.push_back(groups[i].tasks[n]);
    summary["counts"][groups[i].name] = counts[i];
    if (sum > 0) summary["shares"][groups[i].name] = shares[i] / sum;
  }
  summary["tasks"] = drawn.size();
  if (!accuracy.empty()) summary["accuracy"] = accuracy;
  write_text(stage.output / "tasks.json", contract::written(drawn).dump());
  write_text(stage.output / "accuracy.json", json(accuracy).dump());
  return summary;
}

}  // namespace trl::interpreter
