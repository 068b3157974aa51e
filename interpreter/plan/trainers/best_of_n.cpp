// Rejection sampling: fine-tuning on the best answers to each task.
#include "base/contract/form.hpp"
#include "base/contract/stages/select.hpp"
#include "interpreter/plan/trainers/rounds.hpp"
#include "interpreter/plan/trainers/trainers.hpp"

namespace trl::interpreter {
namespace {
using contract::KeepBy;
using nlohmann::json;

trainers::RoundsDeclared read_best_of_n(const json& declared) {
  auto fields = trainers::read_rounds(declared);
  contract::Reading form(declared);
  form.field("keep", fields.select.keep);
  form.field("keep_by", fields.select.keep_by);
  form.field_or("duplicates", fields.select.duplicates);
  form.field_or("match", fields.select.match);
  form.field("min_reward", fields.select.min_reward);
  if (fields.select.keep_by == KeepBy::reward) fields.select.match = contract::Match::none;
  return fields;
}

}  // namespace

const Trainer trainers::best_of_n = {.variant = "best_of_n", .stages = read_best_of_n, .from_nothing = false};

}  // namespace trl::interpreter
