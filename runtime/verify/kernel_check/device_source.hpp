#pragma once
#include <string>

#include "runtime/verify/kernel_check/unit.hpp"

namespace trl::kernel_check {

/// The candidate's text for a compiler of device code: functions of the host alone, bindings for Python and
/// headers of the host are blanks. Lines keep their numbers, by a `#line`
/// behind the include of <torch/types.h>, which stands for what PyTorch's headers give kernels.
std::string device_source(const Unit& unit, const std::vector<const clang::Decl*>& declarations);

}  // namespace trl::kernel_check
