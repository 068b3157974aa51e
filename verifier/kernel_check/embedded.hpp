#pragma once
#include <map>
#include <string>

namespace trl::kernel_check {

/// Returns the files of the prelude (the headers with which candidates are checked) by name, with their
/// contents at build time.
const std::map<std::string, std::string>& embedded();

}  // namespace trl::kernel_check
