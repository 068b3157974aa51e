#pragma once
#include <map>
#include <string>

namespace trl::interpreter {

/// Files that are embedded in the binary, by name: `assessed.txt` of stdlib/.
const std::map<std::string, std::string>& embedded();

}  // namespace trl::interpreter
