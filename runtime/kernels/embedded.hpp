// The text of each file in the folders named device/, by file name. CMake embeds them in the program.
#pragma once

#include <map>
#include <string>

namespace trl::runtime {

const std::map<std::string, std::string>& embedded();

}  // namespace trl::runtime
