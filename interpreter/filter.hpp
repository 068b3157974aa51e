// Runs other programs that turn one text into another.
#pragma once

#include <string>
#include <vector>

namespace trl::interpreter {

struct Filtered {
  int status = 0;  ///< the program's exit status; 128 if the program was killed; -1 if it couldn't be started
  int code = 0;    ///< the errno value if the program couldn't be started
  std::string out, err;
  /// Whether the program doesn't exist on this machine.
  bool missing() const;
};

/// Runs a program that is found in PATH with `input` on its standard input. `environment` is added to this
/// process' environment: "NAME=value" sets a variable, "NAME" alone unsets it.
Filtered run_filter(const std::string& program, const std::vector<std::string>& arguments,
                    const std::string& input, const std::vector<std::string>& environment = {});

}  // namespace trl::interpreter
