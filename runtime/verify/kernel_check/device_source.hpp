#pragma once
#include <string>

#include "runtime/verify/kernel_check/unit.hpp"

namespace trl::kernel_check {

/// The candidate's text for a compiler of device code: functions of the host alone, bindings for Python and
/// headers of the host are blanks. In front stands what PyTorch's
/// headers give kernels; a `#line` behind it keeps the lines' numbers.
std::string device_source(const Unit& unit, const std::vector<const clang::Decl*>& declarations);

}  // namespace trl::kernel_check
