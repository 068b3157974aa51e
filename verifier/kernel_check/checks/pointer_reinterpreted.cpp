#include <fmt/format.h>

#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

namespace {

using namespace clang;

/// The element type's name: the name of a 16-bit float class, else of the builtin type.
std::string element(QualType type) {
  const std::string name = type.getCanonicalType().getUnqualifiedType().getAsString();
  if (name.find("__half") != std::string::npos || name == "c10::Half") return "half";
  if (name.find("__nv_bfloat16") != std::string::npos || name == "c10::BFloat16") return "bfloat16";
  if (name == "float" || name == "double") return name;
  return {};
}

void check_pointer_reinterpreted(const TranslationUnit& unit, Report& report) {
  for (const Launch& one : unit.launches)
    for (const Expr* argument : one.arguments) {
      const auto* cast = llvm::dyn_cast<ExplicitCastExpr>(argument->IgnoreParenImpCasts());
      if (!cast || !cast->getType()->isPointerType()) continue;
      const auto* from = llvm::dyn_cast_or_null<CXXMemberCallExpr>(TranslationUnit::bare(cast->getSubExpr()));
      const CXXMethodDecl* method = from ? from->getMethodDecl() : nullptr;
      if (!method || !method->getNameAsString().ends_with("data_ptr") || !from->getType()->isPointerType() ||
          from->getExprLoc().isMacroID())
        continue;
      const std::string has = element(from->getType()->getPointeeType()),
                        gets = element(cast->getType()->getPointeeType());
      if (!has.empty() && !gets.empty() && has != gets)
        report.found(
            checks::pointer_reinterpreted, cast->getBeginLoc(),
            fmt::format("a pointer to {} is passed as one to {}: the bytes mean something else", has, gets),
            "convert in the kernel, or make the tensor in the kernel's type");
    }
}

}  // namespace

const Check checks::pointer_reinterpreted{"pointer_reinterpreted", Severity::warn, "wrong_launch",
                                          "Casting a pointer doesn't convert the values that it points to.",
                                          check_pointer_reinterpreted};

}  // namespace trl::kernel_check
