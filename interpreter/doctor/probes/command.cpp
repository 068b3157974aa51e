// Finds the program that the shell starts for `trl`: Hugging Face's TRL has a command of the same name.
#include <sstream>

#include "interpreter/doctor/probes.hpp"

namespace trl::interpreter {
namespace {
namespace fs = std::filesystem;

/// Whether a file belongs to this project: the program itself, or a script that starts it.
bool is_ours(const Machine& machine, const fs::path& file) {
  if (machine.real(file) == machine.real(machine.program())) return true;
  const auto text = machine.read(file);
  if (!text || !text->starts_with("#!")) return false;
  // The scripts trl-lang, ./trl and package/trl all set this variable.
  return text->find("TRL_HOME") != std::string::npos;
}

std::string name_of(const Machine& machine, const fs::path& file) {
  const auto text = machine.read(file);
  return text && text->find("from trl.") != std::string::npos ? "Hugging Face's TRL" : "another program";
}

}  // namespace

std::vector<Finding> probe_command(const Machine& machine, const Needs&) {
  std::istringstream folders(machine.variable("PATH"));
  fs::path ours;
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path file = fs::path(folder.empty() ? "." : folder) / "trl";
    if (!machine.executable(file)) continue;
    if (is_ours(machine, file)) {
      if (ours.empty()) ours = file;
      continue;
    }
    return {{"command trl", Finding::Outcome::note,
             file.string() + " is " + name_of(machine, file) +
                 (ours.empty() ? "" : "; " + ours.string() + " comes before it"),
             "", ours.empty() ? "Call this one by trl-lang, or by its path" : "Nothing has to be done"}};
  }
  if (ours.empty()) {
    const bool wheel = machine.home().filename() == "trl_kernels";
    return {{"command trl", Finding::Outcome::note, "none in PATH", "",
             wheel ? "`trl-lang install-command` makes it a second name of trl-lang"
                   : "Nothing has to be done: call this one by its path"}};
  }
  return {{"command trl", Finding::Outcome::fine, ours.string(), "", ""}};
}

}  // namespace trl::interpreter
