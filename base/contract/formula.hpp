// A formula as documents and specs hold it (docs/interfaces.md, 2): what it means, base/formulas
// evaluates.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trl::contract {

/// {"formula": {"params": ["c"], "body": EXPR}}
struct Formula {
  std::vector<std::string> params;
  nlohmann::json body;

  /// Throws ContractError.
  static Formula read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
