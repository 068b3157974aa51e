#include "interpreter/python_program.hpp"

#include "base/support/child_process.hpp"
#include "base/support/error.hpp"
#include "base/support/home.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
namespace {

/// Returns the rest of the line behind the first place where `text` has the label; empty if it has none.
std::string after(const std::string& label, const std::string& text) {
  const auto at = text.find(label);
  if (at == std::string::npos) return {};
  const auto begin = at + label.size();
  return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace

void run_python(const PythonProgram& what, const std::function<void(const std::string&)>& line) {
  std::error_code error;
  const fs::path file = what.home / what.program;
  if (what.home.empty() || !fs::exists(file, error))
    throw UserError(what.program + " isn't beside trl",
                    "set TRL_HOME to the folder that holds verifier/kernelbench/");
  std::vector<std::string> command = {find_python(what.home).string(), "-B", "-s", file.string()};
  command.insert(command.end(), what.arguments.begin(), what.arguments.end());
  ChildProcess child(command, {.input = what.input, .dies_with_us = true});
  constexpr std::size_t most_answer = std::size_t{1} << 30;
  WaitLimit limit;
  limit.cancelled = what.stopped;
  bool answered = false;
  for (auto read = child.read_line(limit, most_answer); read; read = child.read_line(limit, most_answer)) {
    answered = true;
    line(*read);
  }
  if (what.stopped && what.stopped()) throw UserError(what.program + " was stopped");
  const std::string errors = child.errors(std::size_t{1} << 16);
  const int status = child.wait();
  if (status == 0 && answered) return;
  const std::string message = after("error: ", errors);
  if (!message.empty()) throw UserError(message, after("  help: ", errors));
  throw UserError(what.program + " " + how_it_ended(status) + (errors.empty() ? "" : ": " + errors));
}

std::string run_python(const PythonProgram& what) {
  std::string answer;
  run_python(what, [&](const std::string& line) {
    if (answer.empty()) answer = line;
  });
  return answer;
}

}  // namespace trl::interpreter
