#include "verifier/tasks/kernel_language.hpp"

#include <fmt/format.h>

#include <string>

#include "base/support/error.hpp"

namespace trl::runtime {

KernelLanguage kernel_language(std::string_view name) {
  if (name == "triton") return KernelLanguage::triton;
  if (name == "cuda") return KernelLanguage::cuda;
  throw UserError(fmt::format("kernels are written in triton or cuda, not in \"{}\"", name),
                  "set `language` to one of the two");
}

KernelLanguage language_of(const nlohmann::json& spec) {
  const auto given = spec.find("language");
  if (given == spec.end()) return KernelLanguage::triton;
  return kernel_language(given->is_string() ? given->get<std::string>() : given->dump());
}

std::string_view title(KernelLanguage language) {
  return language == KernelLanguage::cuda ? "CUDA" : "Triton";
}

}  // namespace trl::runtime
