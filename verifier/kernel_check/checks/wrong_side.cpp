#include <clang/AST/Attr.h>
#include <fmt/format.h>

#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

namespace {

void check_wrong_side(const TranslationUnit& unit, Report& report) {
  for (const Call& one : unit.calls) {
    if (!one.caller || !one.caller->device || !one.callee || one.callee->getBuiltinID()) continue;
    const clang::FunctionDecl* callee = one.callee;
    if (callee->hasAttr<clang::CUDADeviceAttr>() || callee->hasAttr<clang::CUDAGlobalAttr>() ||
        callee->isConstexpr() || callee->isImplicit() || callee->isDefaulted() || callee->isTrivial())
      continue;
    if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
        method && method->getParent()->isLambda())
      continue;
    report.found(checks::wrong_side, one.expression->getBeginLoc(),
                 fmt::format("{} runs on the host and is called on the device", callee->getNameAsString()),
                 "declare it __device__");
  }
}

}  // namespace

const Check checks::wrong_side{
    "wrong_side", Severity::refuse, "compile_error",
    "Host code can call only host functions, and device code only device functions.", check_wrong_side};

}  // namespace trl::kernel_check
