#pragma once
#include <map>
#include <string>

namespace trl::interpreter {

/// The texts of files that are embedded in the binary, by file name. The only file is `assessed.txt` of
/// stdlib/.
const std::map<std::string, std::string>& embedded();

}  // namespace trl::interpreter
