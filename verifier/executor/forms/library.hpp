#pragma once
// The functions of libdevice that are operations of the executor.
#include <string_view>
#include <unordered_map>

#include "verifier/executor/values/code.hpp"

namespace trl::executor {

/// The libdevice functions that have an operation code of their own. The keys are the names without the
/// prefix `__nv_` and the suffix `f`.
const std::unordered_map<std::string_view, Code>& library();

}  // namespace trl::executor
