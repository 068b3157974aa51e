#include "base/contract/error.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

namespace trl::contract {
namespace {

std::string sentence(const std::string& field, const std::string& expected, const std::string& found) {
  if (found.empty()) return fmt::format("there is no field `{}`, which is {}", field, expected);
  const auto what = field.empty() ? std::string("the value") : "`" + field + "`";
  return fmt::format("{} is {}, and should be {}", what, found, expected);
}

}  // namespace

ContractError::ContractError(std::string field_name, std::string what_expected, std::string what_found)
    : std::runtime_error(sentence(field_name, what_expected, what_found)),
      field(std::move(field_name)),
      expected(std::move(what_expected)),
      found(std::move(what_found)) {}

ContractError ContractError::inside(const std::string& name) const {
  return {field.empty() ? name : name + "." + field, expected, found};
}

ContractError unexpected(const nlohmann::json& value, std::string expected) {
  constexpr std::size_t most = 80;
  auto text = value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  if (text.size() > most) text.replace(most, std::string::npos, "..");
  return ContractError(std::string(), std::move(expected), std::move(text));
}

}  // namespace trl::contract
