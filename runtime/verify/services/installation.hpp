#pragma once
// Where the verifier finds what it starts.
#include <filesystem>
#include <string>
#include <vector>

namespace trl::runtime {

struct Installation {
  std::filesystem::path python;          ///< $TRL_PYTHON, else .venv/bin/python under `home`
  std::filesystem::path scripts;         ///< runtime/verify of $TRL_HOME, else of a folder above the binary
  std::filesystem::path sandbox;         ///< trl-sandbox, beside the binary
  std::filesystem::path runner;          ///< trl-runner, beside the binary
  std::filesystem::path executor;        ///< trl-executor, beside trl-sandbox
  std::filesystem::path kernel_check;    ///< trl-kernel-check, beside trl-sandbox; it needn't be there
  std::vector<std::string> read;         ///< what Python with torch and triton needs to read
  std::vector<std::string> environment;  ///< NAME=VALUE that it needs besides

  /// The command that runs one of our scripts ("recorder/recorder.py") confined. `options` go to trl-sandbox.
  std::vector<std::string> confined(const std::string& script, const std::vector<std::string>& options) const;
};

/// Finds the parts and asks Python, once, where its libraries are. Throws UserError naming what is missing.
Installation find_installation();

}  // namespace trl::runtime
