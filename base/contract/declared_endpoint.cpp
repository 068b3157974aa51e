#include "base/contract/declared_endpoint.hpp"

#include <algorithm>

#include "base/contract/call.hpp"
#include "base/contract/form.hpp"

namespace trl::contract {

double price_of(const Price& price, const nlohmann::json& summary) {
  return (price.in * summary.value("prompt_tokens", 0.0) + price.out * summary.value("tokens", 0.0)) / 1e6;
}

nlohmann::json body_of(const nlohmann::json& fields) {
  auto body = nlohmann::json::object();
  for (const auto& one : fields) {
    const auto call = Call::read(one);
    if (call.args.size() != 2 || !call.args[0].is_string()) throw ContractError("body", "no field", "");
    auto* at = &body;
    const auto name = call.args[0].get<std::string>();
    for (std::size_t begin = 0; begin <= name.size();) {
      const auto end = std::min(name.find('.', begin), name.size());
      if (!at->is_object()) *at = nlohmann::json::object();
      at = &(*at)[name.substr(begin, end - begin)];
      begin = end + 1;
    }
    *at = call.args[1];
  }
  return body;
}

std::optional<DeclaredEndpoint> declared_endpoint(const nlohmann::json& value, const std::string& place) {
  if (!value.is_object() || value.value("call", nlohmann::json()) != "endpoint") return std::nullopt;
  auto call = Call::read(value);
  if (const auto body = call.named.find("body"); body != call.named.end()) *body = body_of(*body);
  if (const auto headers = call.named.find("headers"); headers != call.named.end()) {
    auto named = nlohmann::json::object();
    for (const auto& one : *headers) {
      const auto header = Call::read(one);
      if (header.args.size() != 2) throw ContractError("headers", "no header", "");
      named[header.args[0].get<std::string>()] = header.args[1];
    }
    *headers = std::move(named);
  }
  if (const auto folder = call.named.find("adapters"); folder != call.named.end() && folder->is_object()) {
    const auto named = Call::read(*folder);
    *folder = named.args.empty() ? nlohmann::json("") : named.args.front();
  }
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
  form.field_or("server", declared.server);
  form.if_any("price_in", in);
  form.if_any("price_out", out);
  if (in || out) declared.price = Price{in.value_or(0), out.value_or(0)};
  return declared;
}

}  // namespace trl::contract
