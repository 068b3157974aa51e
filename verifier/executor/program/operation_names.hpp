#pragma once
// The names of float operations for messages.
#include <string_view>

#include "verifier/executor/values/code.hpp"

namespace trl::executor {

/// Returns the name of an operation, such as "exp" or "sqrt"; "operation" when it has no name for messages.
std::string_view operation_name(Code code);
/// Returns the sign that is written between an operation's operands, such as "+" or "/"; empty for other
/// operations.
std::string_view operation_sign(Code code);

}  // namespace trl::executor
