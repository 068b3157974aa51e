#pragma once
// Finds the programs and scripts that the verifier starts.
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace trl::runtime {

struct Installation {
  std::filesystem::path python;    ///< $TRL_PYTHON, else .venv/bin/python under `home`
  std::filesystem::path scripts;   ///< the folder `verifier` in $TRL_HOME, else in a folder above the binary
  std::filesystem::path sandbox;   ///< trl-sandbox, beside the binary
  std::filesystem::path runner;    ///< trl-runner, beside the binary
  std::filesystem::path executor;  ///< trl-executor, beside trl-sandbox
  std::filesystem::path kernel_check;  ///< trl-kernel-check, beside trl-sandbox; the file may be missing
  std::vector<std::string> read;  ///< folders and files that Python, torch and triton must be able to read
  std::vector<std::string> environment;         ///< environment variables that Python needs, as NAME=VALUE
  std::map<std::string, std::string> versions;  ///< versions of torch and triton by name; missing if unknown

  /// Returns the command that runs a script of the project, such as "recorder/recorder.py", in trl-sandbox.
  /// `options` are options of trl-sandbox.
  std::vector<std::string> confined(const std::string& script, const std::vector<std::string>& options) const;
};

/// Finds the programs, and runs Python to find its libraries. If a part is missing, throws a UserError that
/// names the part.
Installation find_installation();

}  // namespace trl::runtime
