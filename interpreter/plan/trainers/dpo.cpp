// DPO: trains on the difference between a right and a wrong answer to the same task.
#include "base/contract/form.hpp"
#include "base/contract/stages/select.hpp"
#include "interpreter/plan/trainers/rounds.hpp"
#include "interpreter/plan/trainers/trainers.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

trainers::RoundsDeclared read_dpo(const json& declared) {
  auto fields = trainers::read_rounds(declared);
  contract::Reading form(declared);
  fields.select.weigh = contract::Weigh::pairs;
  form.field("pairs", fields.select.keep);
  form.field("duplicates", fields.select.duplicates);
  contract::Objective objective;
  objective.loss = contract::LossKind::preference;
  form.field("beta", objective.beta);
  form.field("reference", fields.reference);
  fields.objective = objective;
  return fields;
}

}  // namespace

const Trainer trainers::dpo = {.variant = "dpo", .stages = read_dpo, .from_nothing = false};

}  // namespace trl::interpreter
