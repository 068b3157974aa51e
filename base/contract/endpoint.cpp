#include "base/contract/endpoint.hpp"

#include "base/contract/form.hpp"

namespace trl::contract {

template <class Form, class Self>
void Endpoint::fields(Form& form, Self& self) {
  form.field("address", self.address);
  form.unless("key_env", self.key_env, "");
  form.unless("key_header", self.key_header, "Authorization");
  form.unless("headers", self.headers, {});
  form.unless("place", self.place, "");
  form.field_or("concurrency", self.concurrency);
  form.if_any("requests_per_minute", self.requests_per_minute);
  form.if_any("tokens_per_minute", self.tokens_per_minute);
  form.field_or("timeout", self.timeout);
  form.field_or("attempts", self.attempts);
  form.if_any("context", self.context);
  form.unless("max_without_text", self.max_without_text, 0.1);
  form.unless("judge_reasoning", self.judge_reasoning, false);
  form.unless("adapters", self.adapters, "");
}
Endpoint Endpoint::read(const nlohmann::json& input) { return read_fields<Endpoint>(input); }
nlohmann::json Endpoint::write() const { return written_fields(*this); }

}  // namespace trl::contract
