#include "base/contract/stages/select.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

template <class Form, class Self>
void SelectSpec::fields(Form& form, Self& self) {
  form.field("seed", self.seed);
  form.field("round", self.round);
  form.field("keep", self.keep);
  form.field("keep_by", self.keep_by);
  form.unless("duplicates", self.duplicates, Duplicates::keep);
  form.unless("match", self.match, Match::none);
  form.unless("weigh", self.weigh, Weigh::none);
  form.if_any("temperature", self.temperature);
  form.field("min_reward", self.min_reward);
  form.field("reward", self.reward);
  form.if_any("plan_reward", self.plan_reward);
  form.or_null("failing", self.failing);
  form.if_any("timing_noise", self.timing_noise);
  form.unless("turns", self.turns, 1);
  form.unless("discount", self.discount, 1);
}
SelectSpec SelectSpec::read(const nlohmann::json& spec) { return read_fields<SelectSpec>(spec); }
nlohmann::json SelectSpec::write() const { return written_fields(*this); }

std::string input_of_turn(const std::string& what, int turn) {
  return turn == 1 ? what : what + "_" + std::to_string(turn);
}

}  // namespace trl::contract
