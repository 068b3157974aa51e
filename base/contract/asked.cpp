#include "base/contract/asked.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

template <class Form, class Self>
void Asked::fields(Form& form, Self& self) {
  form.field("asked", self.asked);
  form.field("body", self.body);
  form.field("answer", self.answer);
  form.if_any("no_text", self.no_text);
  form.unless("reasoning", self.reasoning, "");
  form.unless("refusal", self.refusal, "");
  form.unless("tool_calls", self.tool_calls, nullptr);
  form.unless("trouble", self.trouble, "");
  form.field("finish", self.finish);
  form.or_null("prompt_tokens", self.prompt_tokens);
  form.or_null("answer_tokens", self.answer_tokens);
  form.if_any("drawn", self.drawn);
  form.unless("model", self.model, "");
  form.unless("id", self.id, "");
  form.unless("fingerprint", self.fingerprint, "");
  form.field_or("attempts", self.attempts);
  form.field_or("seconds", self.seconds);
}
Asked Asked::read(const nlohmann::json& row) { return read_fields<Asked>(row); }
nlohmann::json Asked::write() const { return written_fields(*this); }

}  // namespace trl::contract
