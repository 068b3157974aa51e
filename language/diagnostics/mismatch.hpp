// The wording of all messages about a value of the wrong kind.
#pragma once

#include <string>
#include <string_view>

namespace trl::language {

/// Returns a message such as "expected a boolean, found a number".
std::string mismatch(std::string_view expected, std::string_view found);

/// Returns a message such as "expected a set of tasks, found `adam`, which is a model". Pass `name` without
/// the quotes.
std::string mismatch_of(std::string_view expected, std::string_view name, std::string_view found);

}  // namespace trl::language
