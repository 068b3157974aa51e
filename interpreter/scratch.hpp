// A temporary folder for a command.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "base/support/error.hpp"

namespace trl::interpreter {

/// A temporary folder, for the worker's log or for files that are made before they are installed. The
/// destructor removes it with all its contents.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (std::filesystem::temp_directory_path() / "trl-command-XXXXXX").string();
    if (!::mkdtemp(pattern.data()))
      throw UserError("there is no room for a folder in " + std::filesystem::temp_directory_path().string(),
                      "Set TMPDIR to a folder that can be written.");
    path_ = pattern;
  }
  ~Scratch() {
    std::error_code none;
    std::filesystem::remove_all(path_, none);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace trl::interpreter
