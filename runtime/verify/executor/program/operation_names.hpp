#pragma once
// What operations on floats are called in messages.
#include <string_view>

#include "runtime/verify/executor/values/code.hpp"

namespace trl::executor {

/// "exp", "sqrt"; "operation" for what messages don't name.
std::string_view operation_name(Code code);
/// "+", "/"; empty for what isn't written between its operands.
std::string_view operation_sign(Code code);

}  // namespace trl::executor
