#include <clang/AST/ExprCXX.h>
#include <fmt/format.h>

#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

namespace {

void check_framework_compute(const TranslationUnit& unit, Report& report) {
  for (const Call& one : unit.calls) {
    if (unit.annotation(one.callee) != "framework_compute") continue;
    const auto* op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(one.expression);
    report.found(
        checks::framework_compute, one.expression->getExprLoc(),
        fmt::format("{} computes by PyTorch instead of a kernel of the candidate",
                    op ? fmt::format("`{}` of tensors", clang::getOperatorSpelling(op->getOperator()))
                       : one.callee->getNameAsString()),
        "write it as a kernel; a wrapper allocates, views, fills, copies and launches");
  }
}

}  // namespace

const Check checks::framework_compute{"framework_compute", Severity::refuse, "framework_compute",
                                      "The kernel is what is judged, so the framework may not do its work.",
                                      check_framework_compute};

}  // namespace trl::kernel_check
