#pragma once
// libdevice's functions.
#include <string_view>
#include <unordered_map>

#include "runtime/verify/executor/values/code.hpp"

namespace trl::executor {

/// Functions by name, without the `__nv_` before and the `f` behind. Code::nothing: known and refused.
const std::unordered_map<std::string_view, Code>& library();

}  // namespace trl::executor
