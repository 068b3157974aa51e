// A task in the JSON form of resolved programs, specs and tasks.json (docs/interfaces.md, 1): the fields that
// every task has, and the whole JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace trl::contract {

struct Task {
  std::string suite, name;
  int id = 0;
  /// Equal for tasks that differ only in sizes and constants; empty if the task is stored elsewhere.
  std::string key;
  std::optional<std::string> source;  ///< where the task is stored, if its JSON isn't in `whole`
  nlohmann::json whole;               ///< the task's whole JSON, with dims, inputs, value and output

  /// Throws ContractError.
  static Task read(const nlohmann::json& input);
  nlohmann::json write() const { return whole; }
  /// Returns the task without its documentation, which specs leave out since it changes no result.
  Task undocumented() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
