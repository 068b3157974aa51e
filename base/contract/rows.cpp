#include "base/contract/rows.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

template <class Form, class Self>
void Drawn::fields(Form& form, Self& self) {
  form.field("tokens", self.tokens);
  form.field("scores", self.scores);
}
Drawn Drawn::read(const nlohmann::json& input) { return read_fields<Drawn>(input); }
nlohmann::json Drawn::write() const { return written_fields(*this); }

template <class Form, class Self>
void Candidate::fields(Form& form, Self& self) {
  form.field("task", self.task);
  form.field_or("name", self.name);
  form.field_or("group", self.group);
  form.field("sample", self.sample);
  form.field_or("prompt", self.prompt);
  form.field("answer", self.answer);
  form.field_or("tokens", self.tokens);
  form.field_or("finish", self.finish);
  form.if_any("drawn", self.drawn);
  form.unless("turn", self.turn, 1);
  form.if_any("no_text", self.no_text);
  form.unless("reasoning", self.reasoning, "");
}
Candidate Candidate::read(const nlohmann::json& row) { return read_fields<Candidate>(row); }
nlohmann::json Candidate::write() const { return written_fields(*this); }
nlohmann::ordered_json Candidate::ordered() const { return written_fields<nlohmann::ordered_json>(*this); }

template <class Form, class Self>
void Sample::fields(Form& form, Self& self) {
  form.field("task", self.task);
  form.field("group", self.group);
  form.field("key", self.key);
  form.field("prompt", self.prompt);
  form.field("answer", self.answer);
  form.or_null("flaw", self.flaw);
  form.if_any("finish", self.finish);
  form.unless("weight", self.weight, 1);
  form.if_any("plan", self.plan);
  form.if_any("pair", self.pair);
  form.if_any("drawn", self.drawn);
}
Sample Sample::read(const nlohmann::json& row) { return read_fields<Sample>(row); }
nlohmann::json Sample::write() const { return written_fields(*this); }

template <class Form, class Self>
void Reward::fields(Form& form, Self& self) {
  form.field("task", self.task);
  form.field("sample", self.sample);
  form.field("reward", self.reward);
  form.field("kept", self.kept);
  form.unless("turn", self.turn, 1);
  form.if_any("returned", self.returned);
  form.if_any("plan_reward", self.plan_reward);
}
Reward Reward::read(const nlohmann::json& row) { return read_fields<Reward>(row); }
nlohmann::json Reward::write() const { return written_fields(*this); }

}  // namespace trl::contract
