// Programs in Python that need its standard library alone.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace trl::interpreter {

struct PythonProgram {
  std::filesystem::path home;  ///< under which the program lies
  std::string program;         ///< "verifier/kernelbench/read_tasks.py"
  std::vector<std::string> arguments = {};
  std::string input = {};              ///< its standard input
  std::function<bool()> stopped = {};  ///< asked about ten times a second; true ends the program
};

/// Runs it and returns the line that it writes. Throws UserError if it fails, with its standard
/// error (`error: …`, `  help: …`); if it isn't there; and if it was stopped.
std::string run_python(const PythonProgram& program);

}  // namespace trl::interpreter
