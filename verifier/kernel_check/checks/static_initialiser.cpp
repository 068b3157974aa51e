#include <fmt/format.h>

#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

namespace {

using namespace clang;

bool is_tensor(QualType type) {
  const CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->getNameAsString() == "Tensor";
}

void check_static_initialiser(const TranslationUnit& unit, Report& report) {
  for (const VarDecl* one : unit.globals) {
    const Expr* value = one->getInit();
    if (!value || one->isConstexpr() || value->isValueDependent()) continue;
    bool effect = false;
    walk(value, [&](const Stmt* each) {
      if (llvm::isa<LambdaExpr>(each)) return false;
      const FunctionDecl* called = nullptr;
      if (const auto* call = llvm::dyn_cast<CallExpr>(each)) {
        called = call->getDirectCallee();
        effect |= !called;
      } else if (const auto* made = llvm::dyn_cast<CXXConstructExpr>(each)) {
        called = made->getConstructor();
      }
      // Functions of the prelude have no effects (they handle values and mathematics), except functions of
      // tensors and of CUDA's runtime.
      if (called && !called->isConstexpr() && !called->isTrivial() && !called->isImplicit())
        effect |= unit.in_candidate(called->getLocation()) || is_tensor(called->getReturnType()) ||
                  called->getReturnType().getAsString().find("cudaError_t") != std::string::npos;
      return !effect;
    });
    if (effect && !value->isConstantInitializer(unit.context, false))
      report.found(checks::static_initialiser, one->getLocation(),
                   fmt::format("{} is initialised by code that runs when the library is loaded",
                               one->getNameAsString()),
                   "make it a constant, or a local variable of the wrapper");
  }
}

}  // namespace

const Check checks::static_initialiser{
    "static_initialiser", Severity::refuse, "forbidden",
    "Code that runs before the wrapper is called is part of no recorded call.", check_static_initialiser};

}  // namespace trl::kernel_check
