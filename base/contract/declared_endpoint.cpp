#include "base/contract/declared_endpoint.hpp"

#include "base/contract/call.hpp"
#include "base/contract/form.hpp"

namespace trl::contract {

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

}  // namespace trl::contract
