// The languages in which models write kernels.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace trl::runtime {

enum class KernelLanguage { triton, cuda };

/// Reads "triton" or "cuda". Throws UserError for anything else.
KernelLanguage kernel_language(std::string_view name);

/// Reads `language` of a stage's spec (docs/interfaces.md, 3); Triton if it is missing. Throws UserError.
KernelLanguage language_of(const nlohmann::json& spec);

/// The language's name in sentences: "Triton", "CUDA".
std::string_view title(KernelLanguage language);

}  // namespace trl::runtime
