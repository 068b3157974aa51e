#include "base/contract/protocol.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

template <class Form, class Self>
void Timing::fields(Form& form, Self& self) {
  form.field_or("warmup", self.warmup);
  form.field_or("trials", self.trials);
  form.field_or("trim", self.trim);
}
Timing Timing::read(const nlohmann::json& input) { return read_fields<Timing>(input); }
nlohmann::json Timing::write() const { return written_fields(*this); }

template <class Form, class Self>
void Limits::fields(Form& form, Self& self) {
  form.field_or("seconds", self.seconds);
  form.field_or("memory_bytes", self.memory_bytes);
  form.field_or("total_seconds", self.total_seconds);
  form.field_or("wall_seconds", self.wall_seconds);
}
Limits Limits::read(const nlohmann::json& input) { return read_fields<Limits>(input); }
nlohmann::json Limits::write() const { return written_fields(*this); }

template <class Form, class Self>
void Protocol::fields(Form& form, Self& self) {
  form.field_or("variations", self.variations);
  form.field_or("tiny", self.tiny);
  form.field_or("compile", self.compile);
  form.field_or("memory_checks", self.memory_checks);
  form.field_or("strict", self.strict);
  form.or_empty("timing", self.timing);
  form.field_or("limits", self.limits);
  form.unless("modelled_for", self.modelled_for, "");
  form.unless("timed", self.timed, false);
  form.if_any("language", self.language);
  form.unless("precision", self.precision, Precision::task);
  form.unless("framework", self.framework, Framework::none);
  form.unless("also_by", self.also_by, OtherProtocol::none);
  form.unless("second_baseline", self.second_baseline, SecondBaseline::none);
  form.unless("judge_reasoning", self.judge_reasoning, false);
}
Protocol Protocol::read(const nlohmann::json& spec) { return read_fields<Protocol>(spec); }
nlohmann::json Protocol::write() const { return written_fields(*this); }

}  // namespace trl::contract
