#pragma once
// Names of float operations in messages.
#include <string_view>

#include "verifier/executor/values/code.hpp"

namespace trl::executor {

/// "exp", "sqrt"; "operation" for operations that have no name in messages.
std::string_view operation_name(Code code);
/// "+", "/"; empty for operations that aren't written between their operands.
std::string_view operation_sign(Code code);

}  // namespace trl::executor
