// The error for JSON that doesn't conform to docs/interfaces.md.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>

namespace trl::contract {

/// Thrown for a field that is missing or has a value that isn't allowed.
class ContractError : public std::runtime_error {
 public:
  /// `found` is the value as JSON, empty where there is none.
  ContractError(std::string field, std::string expected, std::string found);
  /// Returns this error with the path extended by `name`, the field that holds the object: "trials" in
  /// "timing" becomes "timing.trials".
  ContractError inside(const std::string& name) const;
  bool missing() const { return found.empty(); }

  std::string field;     ///< the path of the field: "timing.trials"; empty: the whole value
  std::string expected;  ///< the expected kind of value: "an integer"
  std::string found;     ///< the value as JSON, shortened if long: "\"ten\""
};

/// Returns an error for `value`, which isn't of the kind `expected`.
ContractError unexpected(const nlohmann::json& value, std::string expected);

}  // namespace trl::contract
