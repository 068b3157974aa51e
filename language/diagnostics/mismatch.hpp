// The words of every finding that a value isn't of the kind that its place takes.
#pragma once

#include <string>
#include <string_view>

namespace trl::language {

/// "expected a boolean, found a number".
std::string mismatch(std::string_view expected, std::string_view found);

/// "expected a set of tasks, found `adam`, which is a model". `name` is written without quotes.
std::string mismatch_of(std::string_view expected, std::string_view name, std::string_view found);

}  // namespace trl::language
