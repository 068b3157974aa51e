// What a model is asked to write its kernels in.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace trl::runtime {

enum class KernelLanguage { triton, cuda };

/// Reads "triton" or "cuda". Throws UserError for anything else.
KernelLanguage kernel_language(std::string_view name);

/// `language` of a stage's spec (docs/interfaces.md, 3); Triton where it says none. Throws UserError.
KernelLanguage language_of(const nlohmann::json& spec);

/// What it is called in sentences: "Triton", "CUDA".
std::string_view title(KernelLanguage language);

}  // namespace trl::runtime
