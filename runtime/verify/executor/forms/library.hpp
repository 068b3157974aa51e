#pragma once
// libdevice's functions.
#include <string_view>
#include <unordered_map>

#include "runtime/verify/executor/values/code.hpp"

namespace trl::executor {

/// Functions by name, without the prefix `__nv_` and the suffix `f`. Code::nothing: known, but not supported.
const std::unordered_map<std::string_view, Code>& library();

}  // namespace trl::executor
