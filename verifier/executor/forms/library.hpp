#pragma once
// libdevice's functions.
#include <string_view>
#include <unordered_map>

#include "verifier/executor/values/code.hpp"

namespace trl::executor {

/// Functions that have codes of their own, by name without the prefix `__nv_` and the suffix `f`.
const std::unordered_map<std::string_view, Code>& library();

}  // namespace trl::executor
