#pragma once
// Finds the programs and files that the verifier starts.
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace trl::runtime {

struct Installation {
  std::filesystem::path python;          ///< $TRL_PYTHON, else .venv/bin/python under `home`
  std::filesystem::path scripts;         ///< verifier of $TRL_HOME, else of a folder above the binary
  std::filesystem::path sandbox;         ///< trl-sandbox, beside the binary
  std::filesystem::path runner;          ///< trl-runner, beside the binary
  std::filesystem::path executor;        ///< trl-executor, beside trl-sandbox
  std::filesystem::path kernel_check;    ///< trl-kernel-check, beside trl-sandbox; it may be missing
  std::vector<std::string> read;         ///< folders and files that Python with torch and triton has to read
  std::vector<std::string> environment;  ///< environment variables that it needs, as NAME=VALUE
  std::map<std::string, std::string> versions;  ///< of its torch and triton; absent where it doesn't say

  /// The command that runs one of the project's scripts ("recorder/recorder.py") confined. `options` go to
  /// trl-sandbox.
  std::vector<std::string> confined(const std::string& script, const std::vector<std::string>& options) const;
};

/// Finds the programs, and asks Python where its libraries are. Throws UserError, which names the
/// missing part.
Installation find_installation();

}  // namespace trl::runtime
