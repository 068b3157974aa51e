// The spec of the stage `tasks` (docs/interfaces.md, 3).
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "base/contract/task.hpp"

namespace trl::contract {

struct TasksSpec {
  static constexpr const char* kind = "tasks";
  std::vector<Task> tasks;
  static TasksSpec read(const nlohmann::json& spec);
  nlohmann::json write() const;
  template <class Form, class Self>
  static void fields(Form& form, Self& self);
};

}  // namespace trl::contract
