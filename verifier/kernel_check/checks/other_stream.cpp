#include <fmt/format.h>

#include <set>

#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

namespace {

using namespace clang;

void check_other_stream(const TranslationUnit& unit, Report& report) {
  static const std::set<llvm::StringRef> names = {
      "cudaStreamCreate",       "cudaStreamCreateWithFlags", "cudaStreamCreateWithPriority",
      "cudaStreamBeginCapture", "cudaStreamEndCapture",      "cudaStreamWaitEvent"};
  for (const Call& one : unit.calls) {
    if (!one.callee || !one.callee->getDeclName().isIdentifier()) continue;
    if (names.count(one.callee->getName()) || unit.annotation(one.callee) == "other_stream")
      report.found(checks::other_stream, one.expression->getBeginLoc(),
                   fmt::format("{}: kernels run on the current stream alone", one.callee->getNameAsString()),
                   "launch with at::cuda::getCurrentCUDAStream()");
  }
  for (const VarDecl* one : unit.locals)
    if (const CXXRecordDecl* type = one->getType()->getAsCXXRecordDecl();
        type && unit.annotation(type) == "other_stream")
      report.found(checks::other_stream, one->getLocation(),
                   fmt::format("{}: kernels run on the current stream alone", type->getNameAsString()));
  // An integer in place of a pointer is a stream: 0 and 1 are the legacy stream, 2 is the per-thread one.
  for (const Launch& one : unit.launches) {
    if (!one.stream) continue;
    const Expr* stream = TranslationUnit::bare(one.stream);
    if (!stream || !stream->getType()->isIntegerType()) continue;
    const auto number = unit.constant(stream);
    if (number && *number != 0 && *number != 1)
      report.found(checks::other_stream, one.stream->getExprLoc(),
                   fmt::format("stream {}: kernels run on the current stream alone", *number),
                   "launch with at::cuda::getCurrentCUDAStream()");
  }
}

}  // namespace

const Check checks::other_stream{"other_stream", Severity::refuse, "unsupported",
                                 "Work on another stream would not be timed.", check_other_stream};

}  // namespace trl::kernel_check
