// Reward-weighted fine-tuning: the loss of each sampled answer, times its reward or a function of it.
#include "base/contract/form.hpp"
#include "base/contract/stages/select.hpp"
#include "interpreter/plan/trainers/rounds.hpp"
#include "interpreter/plan/trainers/trainers.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

trainers::RoundsDeclared read_weighted_sft(const json& declared) {
  auto fields = trainers::read_rounds(declared);
  contract::Reading(declared).if_any("reward_temperature", fields.select.temperature);
  fields.select.weigh = fields.select.temperature ? contract::Weigh::exponential : contract::Weigh::reward;
  return fields;
}

}  // namespace

const Trainer trainers::weighted_sft = {
    .variant = "weighted_sft", .stages = read_weighted_sft, .from_nothing = false};

}  // namespace trl::interpreter
