// Lists the suites of the library's modules and their tasks.
#pragma once
#include <string>

namespace trl::interpreter {

/// The library module's suites with the commands that list their tasks; empty if it has none.
std::string suites_text(const std::string& module);

/// The tasks of a suite of the library, `windtunnel.level1` or `level1`, with numbers, names and inputs; or
/// one of its tasks, `level1/7`. Empty if there is no such suite or task. Lines aren't wrapped.
std::string tasks_text(const std::string& name);

}  // namespace trl::interpreter
