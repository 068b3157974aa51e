// A function call in the form in which the resolved program stores it (docs/interfaces.md, 2).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trl::contract {

/// A call of a library function: {"call": "windtunnel.corpus", "args": […], "named": {…}}.
struct Call {
  std::string call;
  std::vector<nlohmann::json> args;
  nlohmann::json named = nlohmann::json::object();

  static Call read(const nlohmann::json& input);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
