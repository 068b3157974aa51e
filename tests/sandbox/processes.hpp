#pragma once
// What runs on this machine, for tests of what must not.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace trl::runtime {

/// True when a process of that argument exists on the machine, this one aside.
inline bool somebody_runs(const std::string& argument) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream in(entry.path() / "cmdline");
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (text.find(argument) != std::string::npos && entry.path().filename() != std::to_string(getpid()))
      return true;
  }
  return false;
}

}  // namespace trl::runtime
