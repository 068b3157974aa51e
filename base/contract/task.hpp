// A task as documents, specs and tasks.json hold it (docs/interfaces.md, 1): the fields that every task
// has, and the whole.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace trl::contract {

struct Task {
  std::string suite, name;
  int id = 0;
  std::string key;  ///< equal for equal tasks, whatever their sizes; empty where it is kept elsewhere
  std::optional<std::string> source;  ///< where it is kept, if not here
  nlohmann::json whole;               ///< with dims, inputs, value and output

  /// Throws ContractError.
  static Task read(const nlohmann::json& input);
  nlohmann::json write() const { return whole; }
  /// The same without its documentation, as specs hold it: words change no result.
  Task undocumented() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
