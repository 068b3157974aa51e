// REINFORCE: the log-probability of each sampled answer, times its advantage.
#include "base/contract/form.hpp"
#include "base/contract/stages/select.hpp"
#include "interpreter/plan/trainers/rounds.hpp"
#include "interpreter/plan/trainers/trainers.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

trainers::RoundsDeclared read_policy_gradient(const json& declared) {
  auto fields = trainers::read_rounds(declared);
  // Without a baseline the reward itself is the weight.
  contract::Reading form(declared);
  form.field("baseline", fields.select.weigh);
  if (fields.select.weigh == contract::Weigh::none) fields.select.weigh = contract::Weigh::reward;
  trainers::read_discount(declared, fields);
  std::optional<double> clip;
  form.if_any("clip_ratio", clip);
  if (clip) {
    fields.objective.emplace();
    fields.objective->ratio = contract::RatioOf::answer;
    fields.objective->clip_low = fields.objective->clip_high = clip;
  }
  return fields;
}

}  // namespace

const Trainer trainers::policy_gradient = {
    .variant = "policy_gradient", .stages = read_policy_gradient, .from_nothing = false};

}  // namespace trl::interpreter
