// GRPO: the ratio of each token's probabilities, clipped, times the answer's advantage within its group.
#include "base/contract/form.hpp"
#include "base/contract/stages/select.hpp"
#include "interpreter/plan/trainers/rounds.hpp"
#include "interpreter/plan/trainers/trainers.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

trainers::RoundsDeclared read_grpo(const json& declared) {
  auto fields = trainers::read_rounds(declared);
  contract::Reading form(declared);
  bool standardised = true;
  form.field("standardised", standardised);
  fields.select.weigh = contract::Weigh::mean;
  form.field_or("baseline", fields.select.weigh);
  if (standardised && fields.select.weigh == contract::Weigh::mean)
    fields.select.weigh = contract::Weigh::standardised;
  trainers::read_discount(declared, fields);
  contract::Objective objective;
  double clip = 0;
  form.field("clip_ratio", clip);
  objective.clip_low = objective.clip_high = clip;
  form.field_or("clip_higher", *objective.clip_high);
  form.field("kl", objective.kl);
  form.field("mean_over", objective.mean_over);
  if (objective.mean_over == contract::MeanOver::constant) objective.constant = fields.sampling.max_tokens;
  if (objective.kl > 0) form.field("reference", fields.reference);
  form.field("mismatch", objective.mismatch);
  form.field("mismatch_cap", objective.mismatch_cap);
  if (objective.mismatch != contract::Mismatch::ignore) {
    form.if_any("mismatch_answer_cap", objective.mismatch_answer_cap);
    form.if_any("mismatch_veto", objective.mismatch_veto);
  }
  form.if_any("plan_reward", fields.select.plan_reward);
  if (fields.select.plan_reward) {
    fields.select.plan_reward = fields.select.plan_reward->normalised();
    form.field("plan_weight", objective.plan_weight.emplace());
  }
  fields.objective = objective;
  return fields;
}

}  // namespace

const Trainer trainers::grpo = {.variant = "grpo", .stages = read_grpo, .from_nothing = false};

}  // namespace trl::interpreter
