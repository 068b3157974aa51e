#pragma once
#include <map>
#include <string>

namespace trl::kernel_check {

/// The prelude's files by name, with their contents at build time.
const std::map<std::string, std::string>& embedded();

}  // namespace trl::kernel_check
