// The files of all folders named device/, which CMake embeds.
#pragma once

#include <map>
#include <string>

namespace trl::runtime {

const std::map<std::string, std::string>& embedded();

}  // namespace trl::runtime
