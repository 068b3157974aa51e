#include "interpreter/doctor/machine.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>

#include "base/support/child_process.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;

Filtered ThisMachine::run(const std::vector<std::string>& command) const {
  constexpr std::chrono::seconds longest{60};
  const auto deadline = std::chrono::steady_clock::now() + longest;
  try {
    ChildProcess child(command, {.input = ""});
    Filtered result;
    while (const auto line = child.read_line(WaitLimit(deadline))) result.out += *line + "\n";
    result.err = child.errors();
    result.status = child.wait(std::chrono::duration_cast<std::chrono::milliseconds>(
        std::max(deadline - std::chrono::steady_clock::now(), std::chrono::steady_clock::duration(0))));
    if (std::chrono::steady_clock::now() >= deadline) result.err = "it didn't end within a minute";
    return result;
  } catch (const StartError& error) {
    return {-1, error.code, "", ""};
  }
}

std::optional<std::string> ThisMachine::read(const fs::path& file) const {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  std::string text(64 << 10, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

bool ThisMachine::executable(const fs::path& file) const {
  std::error_code none;
  return fs::is_regular_file(file, none) && ::access(file.c_str(), X_OK) == 0;
}

fs::path ThisMachine::real(const fs::path& file) const {
  std::error_code error;
  const auto path = fs::canonical(file, error);
  return error ? file : path;
}

std::optional<std::uintmax_t> ThisMachine::free_bytes(const fs::path& folder) const {
  std::error_code error;
  for (fs::path existing = fs::absolute(folder, error); !existing.empty();
       existing = existing.parent_path()) {
    const auto space = fs::space(existing, error);
    if (!error) return space.available;
    if (existing == existing.parent_path()) break;
  }
  return std::nullopt;
}

std::string ThisMachine::variable(const std::string& name) const {
  const char* value = std::getenv(name.c_str());
  return value ? value : "";
}

fs::path ThisMachine::program() const {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

fs::path python_of(const Machine& machine) {
  const std::string named = machine.variable("TRL_PYTHON");
  return named.empty() ? machine.home() / ".venv/bin/python" : fs::path(named);
}

}  // namespace trl::interpreter
