#pragma once
#include <string>

#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

/// Makes the text for a compiler of device code from the candidate's: host functions, bindings for Python and
/// host headers are replaced by blanks. It is preceded by the declarations of PyTorch's headers for kernels,
/// and a
/// `#line` keeps the candidate's line numbers.
std::string device_source(const TranslationUnit& unit, const std::vector<const clang::Decl*>& declarations);

}  // namespace trl::kernel_check
