#pragma once
#include <map>
#include <string>

namespace trl::kernel_check {

/// The prelude's files by name, as they were when this was built.
const std::map<std::string, std::string>& embedded();

}  // namespace trl::kernel_check
