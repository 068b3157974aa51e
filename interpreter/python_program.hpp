// Runs Python programs that need nothing but Python's standard library.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace trl::interpreter {

struct PythonProgram {
  std::filesystem::path home;  ///< the folder to which `program` is relative
  std::string program;         ///< the program's path, such as "verifier/kernelbench/read_tasks.py"
  std::vector<std::string> arguments = {};
  std::string input = {};  ///< the program's standard input
  std::function<bool()> stopped =
      {};  ///< called about ten times a second; if it returns true, the program is ended
};

/// Runs the program and passes each line that it prints to `line` as soon as the line has arrived. The
/// program must print at least one line. Throws the errors of the overload below.
void run_python(const PythonProgram& program, const std::function<void(const std::string&)>& line);

/// Runs the program and returns the first line that it prints. Throws UserError if the program doesn't exist,
/// was stopped, or failed; after a failure, the error has the program's standard error (`error: …`, `  help:
/// …`).
std::string run_python(const PythonProgram& program);

}  // namespace trl::interpreter
