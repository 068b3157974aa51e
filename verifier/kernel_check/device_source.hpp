#pragma once
#include <string>

#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

/// Returns the candidate's text as a compiler of device code needs it: blanks replace host functions,
/// bindings for Python and host headers. The result begins with declarations from PyTorch's headers that
/// kernels may need; after these, a `#line` directive keeps the candidate's line numbers.
std::string device_source(const TranslationUnit& unit, const std::vector<const clang::Decl*>& declarations);

}  // namespace trl::kernel_check
