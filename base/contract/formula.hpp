// A formula as documents and specs hold it (docs/interfaces.md, 2).
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/formulas/expression.hpp"

namespace trl::contract {

/// {"formula": {"params": ["c"], "body": EXPR}}
struct Formula {
  std::vector<std::string> params;
  formulas::Expression body;

  /// Throws ContractError.
  static Formula read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
  /// The formula without what doesn't affect its value: source places, the parameters' names.
  Formula normalised() const;
};

/// What a group of tasks has of each round: what a formula gives, or "rest".
struct GroupShare {
  std::optional<Formula> formula;  ///< none: the rest

  /// Throws ContractError.
  static GroupShare read(const nlohmann::json& input);
  nlohmann::json write() const;
};

}  // namespace trl::contract
