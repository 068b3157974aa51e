#include "base/contract/endpoint.hpp"

#include <algorithm>

#include "base/contract/call.hpp"

namespace trl::contract {

bool AskedModel::sends(Parameter parameter) const {
  return std::find(parameters.begin(), parameters.end(), parameter) != parameters.end();
}

template <class Form, class Self>
void AskedModel::fields(Form& form, Self& self) {
  form.field("name", self.name);
  form.unless("revision", self.revision, "");
  form.if_any("system", self.system);
  form.field("parameters", self.parameters);
}
AskedModel AskedModel::read(const nlohmann::json& input) { return read_fields<AskedModel>(input); }
nlohmann::json AskedModel::write() const { return written_fields(*this); }

template <class Form, class Self>
void AskSpec::fields(Form& form, Self& self) {
  form.field("model", self.model);
  form.field("samples", self.samples);
  Sampling::fields(form, self.sampling);
  form.field("purpose", self.purpose);
  form.field_or("seed", self.seed);
  form.unless("language", self.language, KernelLanguage::triton);
  form.unless("prompt", self.prompt, "");
  form.unless("turn", self.turn, 1);
  form.unless("feedback", self.feedback, "");
}
AskSpec AskSpec::read(const nlohmann::json& spec) { return read_fields<AskSpec>(spec); }
nlohmann::json AskSpec::write() const { return written_fields(*this); }

template <class Form, class Self>
void GenerationsSpec::fields(Form& form, Self& self) {
  form.field("samples", self.samples);
}
GenerationsSpec GenerationsSpec::read(const nlohmann::json& spec) {
  return read_fields<GenerationsSpec>(spec);
}
nlohmann::json GenerationsSpec::write() const { return written_fields(*this); }

template <class Form, class Self>
void ImportedSpec::fields(Form& form, Self& self) {
  form.if_any("level", self.level);
}
ImportedSpec ImportedSpec::read(const nlohmann::json& spec) { return read_fields<ImportedSpec>(spec); }
nlohmann::json ImportedSpec::write() const { return written_fields(*this); }

bool gives_candidates(const std::string& kind) {
  return kind == SampleSpec::kind || kind == AskSpec::kind || kind == GenerationsSpec::kind;
}

template <class Form, class Self>
void Endpoint::fields(Form& form, Self& self) {
  form.field("address", self.address);
  form.unless("key_env", self.key_env, "");
  form.unless("place", self.place, "");
  form.field_or("concurrency", self.concurrency);
  form.if_any("requests_per_minute", self.requests_per_minute);
  form.if_any("tokens_per_minute", self.tokens_per_minute);
  form.field_or("timeout", self.timeout);
  form.field_or("attempts", self.attempts);
}
Endpoint Endpoint::read(const nlohmann::json& input) { return read_fields<Endpoint>(input); }
nlohmann::json Endpoint::write() const { return written_fields(*this); }

double price_of(const Price& price, const nlohmann::json& summary) {
  return (price.in * summary.value("prompt_tokens", 0.0) + price.out * summary.value("tokens", 0.0)) / 1e6;
}

std::optional<DeclaredEndpoint> declared_endpoint(const nlohmann::json& weights, const std::string& place) {
  if (!weights.is_object() || weights.value("call", nlohmann::json()) != "endpoint") return std::nullopt;
  const auto call = Call::read(weights);
  if (call.args.empty()) throw ContractError("address", "needed", "");
  DeclaredEndpoint declared;
  declared.endpoint = Endpoint::read([&] {
    auto fields = call.named;
    fields["address"] = call.args.front();
    return fields;
  }());
  declared.endpoint.place = place;
  declared.model = AskedModel::read(call.named);
  std::optional<double> in, out;
  Reading form(call.named);
  form.if_any("price_in", in);
  form.if_any("price_out", out);
  if (in || out) declared.price = Price{in.value_or(0), out.value_or(0)};
  return declared;
}

template <class Form, class Self>
void Asked::fields(Form& form, Self& self) {
  form.field("asked", self.asked);
  form.field("body", self.body);
  form.field("answer", self.answer);
  form.field("finish", self.finish);
  form.or_null("prompt_tokens", self.prompt_tokens);
  form.or_null("answer_tokens", self.answer_tokens);
  form.unless("model", self.model, "");
  form.unless("id", self.id, "");
  form.unless("fingerprint", self.fingerprint, "");
  form.field_or("attempts", self.attempts);
  form.field_or("seconds", self.seconds);
}
Asked Asked::read(const nlohmann::json& row) { return read_fields<Asked>(row); }
nlohmann::json Asked::write() const { return written_fields(*this); }

}  // namespace trl::contract
