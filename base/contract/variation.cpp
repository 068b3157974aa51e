#include "base/contract/variation.hpp"

#include <fmt/format.h>

#include "base/contract/call.hpp"
#include "base/contract/error.hpp"

namespace trl::contract {

Variation Variation::read(const nlohmann::json& input) {
  if (input.is_string()) return {input.get<std::string>()};
  const Call call = Call::read(input);
  if (call.args.empty()) return {call.call};
  const auto& argument = call.args.front();
  if (call.args.size() > 1 || !(argument.is_number() || argument.is_string()))
    throw unexpected(input, "a variation: a name, or a call with a number or a dtype");
  if (argument.is_number()) return {call.call, argument.get<double>()};
  return {call.call, argument.get<std::string>()};
}

nlohmann::json Variation::write() const {
  if (!argument) return name;
  Call call{name, {}};
  std::visit([&](const auto& value) { call.args.emplace_back(value); }, *argument);
  return call.write();
}

std::string Variation::text() const {
  if (!argument) return name;
  if (const auto* dtype = std::get_if<std::string>(&*argument)) return name + "(" + *dtype + ")";
  const double number = std::get<double>(*argument);
  return name == "resize" ? fmt::format("resize({:g}%)", 100 * number)
                          : fmt::format("{}({:g})", name, number);
}

}  // namespace trl::contract
