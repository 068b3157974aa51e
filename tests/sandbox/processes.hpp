#pragma once
// Finds processes of this machine, for tests of processes that must not exist.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace trl::runtime {

/// Whether another process on the machine has this text on its command line.
inline bool somebody_runs(const std::string& argument) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream in(entry.path() / "cmdline");
    std::ostringstream text;
    text << in.rdbuf();  // fails, and doesn't throw, if the process ends meanwhile
    if (text.str().find(argument) != std::string::npos && entry.path().filename() != std::to_string(getpid()))
      return true;
  }
  return false;
}

}  // namespace trl::runtime
