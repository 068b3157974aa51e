#pragma once
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace trl::test {

/// A test's own folder, which is removed when this object is destroyed.
struct Scratch {
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "trl-ground-XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::filesystem::path path;
};

}  // namespace trl::test
