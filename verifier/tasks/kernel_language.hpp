// The languages in which models write kernels.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace trl::runtime {

enum class KernelLanguage { triton, cuda };

/// Parses "triton" or "cuda". Throws UserError for other names.
KernelLanguage kernel_language(std::string_view name);

/// Reads the member `language` of a stage's spec (docs/interfaces.md, 3); Triton if it is missing. Throws
/// UserError for an unknown language.
KernelLanguage language_of(const nlohmann::json& spec);

/// The language's name in sentences: "Triton", "CUDA".
std::string_view title(KernelLanguage language);

}  // namespace trl::runtime
