// The texts of device/, which CMake embeds.
#pragma once

#include <map>
#include <string>

namespace trl::runtime::decode {

const std::map<std::string, std::string>& embedded();

}  // namespace trl::runtime::decode
