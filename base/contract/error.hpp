// The error for JSON that differs from docs/interfaces.md.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>

namespace trl::contract {

/// A field that is missing, or that holds something else than it may.
class ContractError : public std::runtime_error {
 public:
  /// `found` is the value as JSON, empty where there is none.
  ContractError(std::string field, std::string expected, std::string found);
  /// The same error, seen from the object that holds the value as `name`: "trials" in "timing" is
  /// "timing.trials".
  ContractError inside(const std::string& name) const;
  bool missing() const { return found.empty(); }

  std::string field;     ///< "timing.trials"; empty: the value itself
  std::string expected;  ///< "an integer"
  std::string found;     ///< "\"ten\"", cut where it is long
};

/// An error that says that `value` is something else.
ContractError unexpected(const nlohmann::json& value, std::string expected);

}  // namespace trl::contract
