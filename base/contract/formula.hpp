// A formula in the JSON form of resolved programs and specs (docs/interfaces.md, 2).
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/formulas/expression.hpp"

namespace trl::contract {

/// A function of its parameters: {"formula": {"params": ["c"], "body": EXPR}}.
struct Formula {
  std::vector<std::string> params;
  formulas::Expression body;

  /// Throws ContractError.
  static Formula read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
  /// Returns an equivalent formula without source positions, whose parameters are named _0, _1, …
  Formula normalised() const;
};

/// A group's share of the tasks of each round: the value of a formula, or "rest", the share that the other
/// groups leave.
struct GroupShare {
  std::optional<Formula> formula;  ///< none: "rest"

  /// Throws ContractError.
  static GroupShare read(const nlohmann::json& input);
  nlohmann::json write() const;
};

}  // namespace trl::contract
