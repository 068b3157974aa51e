#include <fmt/format.h>

#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

namespace {

void check_static_tensor(const TranslationUnit& unit, Report& report) {
  const auto look = [&](const clang::VarDecl* one) {
    if (one->hasGlobalStorage() && one->getType().getAsString().find("Tensor") != std::string::npos &&
        one->getType().getAsString().find("TensorOptions") == std::string::npos)
      report.found(checks::static_tensor, one->getLocation(),
                   fmt::format("{} keeps a tensor from one call to the next", one->getNameAsString()),
                   "allocate it in the wrapper");
  };
  for (const clang::VarDecl* one : unit.globals) look(one);
  for (const clang::VarDecl* one : unit.locals) look(one);
}

}  // namespace

const Check checks::static_tensor{
    "static_tensor", Severity::warn, "static_tensor",
    "A call must compute its results itself, not return those of an earlier call.", check_static_tensor};

}  // namespace trl::kernel_check
