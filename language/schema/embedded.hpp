#pragma once
#include <map>
#include <string>

namespace trl::language {

/// The files of the standard library that are embedded in the binary. The keys are file names such as
/// `schema.trl`.
const std::map<std::string, std::string>& embedded();

}  // namespace trl::language
