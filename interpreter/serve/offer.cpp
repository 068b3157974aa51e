#include "interpreter/serve/offer.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/contract/form.hpp"
#include "base/contract/stages/ask.hpp"
#include "base/contract/stages/sample.hpp"
#include "base/formulas/expression.hpp"
#include "interpreter/plan/exam.hpp"

namespace trl::interpreter {
using nlohmann::json;

namespace {

/// A reward, and where it was found.
struct Found {
  std::string experiment, row, train;
  json protocol;
  OfferedReward reward;

  /// Whether two rewards have the same protocol, the same select stage (with the formula) and the same
  /// feedback.
  bool operator==(const Found& other) const {
    return protocol == other.protocol && reward.select.write() == other.reward.select.write() &&
           reward.feedback == other.reward.feedback;
  }
};

/// The formula with the parameter's usual name: plans call it _0.
contract::Formula with_usual_name(const contract::Formula& formula) {
  const formulas::Expression c = formulas::Node{formulas::Name{"c"}};
  return {{"c"}, formulas::replaced(formula.body, {{formula.params.at(0), c}}, std::nullopt)};
}

/// The name of the declaration whose stage is at this slot: "reinforce" for "reinforce/round 1/select".
std::string train_of(const std::string& slot) { return slot.substr(0, slot.find("/round ")); }

void add_rounds(const Plan& plan, const Row& row, std::vector<Found>& found, Offer& offer) {
  if (row.traces.empty()) return;
  const Trace& trace = row.traces.front();
  for (const auto& [slot, key] : trace.slots) {
    const auto round = std::find_if(trace.rounds.begin(), trace.rounds.end(),
                                    [&, &select = key](const Round& one) { return one.select == select; });
    const Stage* select = plan.find(key);
    if (round == trace.rounds.end() || select == nullptr) continue;
    Found one{plan.experiment, row.label, train_of(slot), plan.find(round->verify)->spec, {}};
    if (std::any_of(found.begin(), found.end(), [&](const Found& other) {
          return other.experiment == one.experiment && other.row == one.row && other.train == one.train;
        }))
      continue;  // a later round of the same
    one.reward.select = contract::SelectSpec::read(select->spec);
    one.reward.select.round = 0, one.reward.select.seed = 0;
    one.reward.select.reward = with_usual_name(one.reward.select.reward);
    if (!round->later.empty())
      one.reward.feedback = plan.find(round->later.front().sample)->spec.value("feedback", "");
    const json& sampled = plan.find(round->sample)->spec;
    if (found.empty())
      offer.prompt = sampled.value("prompt", ""), offer.language = sampled.value("language", "triton");
    found.push_back(std::move(one));
  }
}

/// Returns the shortest of a reward's names that is not also a name of a different reward.
std::string name_of(const Found& one, const std::vector<Found>& all) {
  const auto unique = [&](const auto& alike) {
    return std::all_of(all.begin(), all.end(),
                       [&](const Found& other) { return !alike(other) || other == one; });
  };
  if (unique([&](const Found& other) { return other.train == one.train; })) return one.train;
  if (unique([&](const Found& other) { return other.train == one.train && other.row == one.row; }))
    return one.row + "/" + one.train;
  return one.experiment + "/" + one.row + "/" + one.train;
}

}  // namespace

std::string OfferedReward::text() const { return formula_text(select.reward.body); }

std::optional<std::size_t> Offer::find(const std::string& called) const {
  std::optional<std::size_t> by_name;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].id == called) return i;
    const json& task = tasks[i].task;
    if (called != task.at("suite").get<std::string>() + "/" + task.at("name").get<std::string>()) continue;
    if (by_name) return std::nullopt;
    by_name = i;
  }
  return by_name;
}

void offer_plans(const std::vector<const Plan*>& plans, bool times_kernels, Offer& offer) {
  std::vector<Found> found;
  for (const Plan* plan : plans) {
    for (const Row& row : plan->rows) {
      add_rounds(*plan, row, found, offer);
      if (row.traces.empty() || row.traces.front().exam_verify.empty() || offer.protocols.contains("exam"))
        continue;
      if (const Stage* exam = plan->find(row.traces.front().exam_verify);
          exam != nullptr && exam->kind == contract::Protocol::kind)
        offer.protocols["exam"] = contract::Protocol::read(exam->spec);
    }
  }
  if (!offer.protocols.contains("exam")) offer.protocols["exam"] = exam_protocol(times_kernels);
  std::map<std::string, json> by_name;
  for (const Found& one : found) {
    const std::string name = name_of(one, found);
    if (offer.rewards.contains(name)) continue;
    OfferedReward reward = one.reward;
    const auto protocol = contract::Protocol::read(one.protocol);
    if (offer.protocols.try_emplace("training", protocol).second) by_name["training"] = one.protocol;
    const bool usual = by_name["training"] == one.protocol;
    reward.protocol = usual ? "training" : name;
    if (!usual) offer.protocols[name] = protocol;
    offer.rewards[name] = std::move(reward);
  }
  if (offer.protocols.contains("training")) return;
  contract::Protocol training;
  training.limits = candidate_limits();
  offer.protocols["training"] = timed_or_modelled(std::move(training), times_kernels);
}

}  // namespace trl::interpreter
