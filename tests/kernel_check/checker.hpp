// trl-kernel-check in its server mode, and the files on which it is tested.
#pragma once
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#include "base/support/child_process.hpp"

namespace trl::test {

class Checker {
 public:
  Checker();
  /// Returns the answer for a source; `more` is added to the request. Throws std::runtime_error when there is
  /// none.
  nlohmann::json check(const std::string& source, const nlohmann::json& more = nlohmann::json::object());
  /// Returns the answer to a line that is sent as it is.
  nlohmann::json ask(const std::string& line);

 private:
  ChildProcess process_;
};

struct File {
  std::string name, text;
};
/// The .cu files of tests/kernel_check/FOLDER, sorted by name.
std::vector<File> files(const std::string& folder);

/// "refuse check" of each finding, for messages.
std::string shown(const nlohmann::json& answer);

}  // namespace trl::test
