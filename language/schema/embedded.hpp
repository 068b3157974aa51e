#pragma once
#include <map>
#include <string>

namespace trl::language {

/// The standard library's files by name, `schema.trl`; part of the binary.
const std::map<std::string, std::string>& embedded();

}  // namespace trl::language
