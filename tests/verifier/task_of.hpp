// Tasks for tests, written in the language.
#pragma once

#include <map>
#include <stdexcept>
#include <string>

#include "language/program/program.hpp"
#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// Returns the tasks of a program, by name. Throws if the checker reports an error.
inline std::map<std::string, Task> tasks_of(const std::string& program) {
  language::CheckOptions options;
  options.read = [&](const std::string& path) -> std::optional<std::string> {
    if (path == "all.trl") return program;
    return std::nullopt;
  };
  const language::Checked checked = language::check_file("all.trl", options);
  if (!checked.resolved)
    throw std::runtime_error(checked.diagnostics.empty() ? program : checked.diagnostics.front().message);
  std::map<std::string, Task> out;
  for (const auto& [id, task] : checked.resolved->at("tasks").items()) out.emplace(id, Task::parse(task));
  return out;
}

/// One task from its line in the language: "[N = 64](x: f32[N, N]) = relu(x)".
inline Task task_of(const std::string& line) {
  return tasks_of("suite s {\n  ## A task.\n  task t" + line + "\n}\n").begin()->second;
}

}  // namespace trl::runtime
