// REINFORCE: the log-probability of each sampled answer, times its advantage.
#include "interpreter/plan/trainers/rounds.hpp"
#include "interpreter/plan/trainers/trainers.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

trainers::RoundsDeclared read_policy_gradient(const json& declared) {
  auto fields = trainers::read_rounds(declared);
  contract::Reading form(declared);
  // What is subtracted from a reward; nothing is `none` in the language and the reward itself as a weight.
  fields.select.weigh = declared.at("baseline") == "none" ? contract::Weigh::reward : contract::Weigh::none;
  if (fields.select.weigh == contract::Weigh::none) form.field("baseline", fields.select.weigh);
  form.field_or("optimiser_state", fields.optimiser_state);
  return fields;
}

}  // namespace

const Trainer trainers::policy_gradient = {
    .variant = "policy_gradient",
    .add = [](ChainBuilder& builder, Chain& chain,
              const json& declared) { add_rounds(builder, chain, declared, read_policy_gradient(declared)); },
    .uses_rewards = [](const json&) { return true; },
    .has_rounds = true,
};

}  // namespace trl::interpreter
