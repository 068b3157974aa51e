// Other programs that turn a text into another.
#pragma once

#include <string>
#include <vector>

namespace trl::interpreter {

struct Filtered {
  int status = 0;  ///< of its exit; 128 + signal when it was killed; -1 when it couldn't be started
  int code = 0;    ///< errno, when it couldn't be started
  std::string out, err;
  /// Whether there is no such program here.
  bool missing() const;
};

/// Runs a program of PATH on `input`. `environment` is added to this one's, each "NAME=value"; "NAME" alone
/// takes a variable away.
Filtered run_filter(const std::string& program, const std::vector<std::string>& arguments,
                    const std::string& input, const std::vector<std::string>& environment = {});

}  // namespace trl::interpreter
