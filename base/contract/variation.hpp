// A variation of a task's inputs on which a candidate is tested, as programs, specs and requests write it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>

namespace trl::contract {

/// "original", or a call with an argument: {"call": "resize", "args": [1.5], "named": {}}.
struct Variation {
  std::string name = "original";
  std::optional<std::variant<double, std::string>> argument = {};  ///< a number, or a dtype

  /// Throws ContractError.
  static Variation read(const nlohmann::json& input);
  nlohmann::json write() const;
  /// Returns the variation as a program writes it: "resize(150%)", "extreme".
  std::string text() const;
};

}  // namespace trl::contract
