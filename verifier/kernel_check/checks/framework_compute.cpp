#include <clang/AST/ExprCXX.h>
#include <fmt/format.h>

#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

namespace {

// A candidate that never reaches such a call, because the call is for tensors on the CPU, isn't refused for
// it: the recorder refuses a candidate when it carries one out (emit.hpp).
void check_framework_compute(const TranslationUnit& unit, Report& report) {
  for (const Call& one : unit.calls)
    if (unit.annotation(one.callee) == checks::framework_compute.reason)
      report.found(checks::framework_compute, one.expression->getExprLoc(), computed_by_framework(one),
                   "write it as a kernel; a wrapper allocates, views, fills, copies and launches");
}

}  // namespace

std::string computed_by_framework(const Call& call) {
  const auto* op = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call.expression);
  return fmt::format("{} computes by PyTorch instead of a kernel of the candidate",
                     op ? fmt::format("`{}` of tensors", clang::getOperatorSpelling(op->getOperator()))
                        : call.callee->getNameAsString());
}

const Check checks::framework_compute{"framework_compute", Severity::warn, "framework_compute",
                                      "The kernel is what is judged, so the framework may not do its work.",
                                      check_framework_compute};

}  // namespace trl::kernel_check
