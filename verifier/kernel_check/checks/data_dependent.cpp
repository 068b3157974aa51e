#include <fmt/format.h>

#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

namespace {

constexpr int device_to_host = 2;  // cudaMemcpyDeviceToHost

void check_data_dependent(const TranslationUnit& unit, Report& report) {
  for (const Call& one : unit.calls) {
    if (!one.callee || !one.callee->getDeclName().isIdentifier()) continue;
    const std::string name = one.callee->getNameAsString();
    const bool copy = (name == "cudaMemcpy" || name == "cudaMemcpyAsync") &&
                      one.expression->getNumArgs() > 3 &&
                      unit.constant(one.expression->getArg(3)) == device_to_host;
    if (unit.annotation(one.callee) == "data_dependent" || copy)
      report.found(checks::data_dependent, one.expression->getExprLoc(),
                   fmt::format("{} needs a tensor's contents, and there are none while a wrapper runs", name),
                   "let kernels read what kernels wrote");
  }
}

}  // namespace

const Check checks::data_dependent{"data_dependent", Severity::refuse, "data_dependent",
                                   "A wrapper is recorded as a list of launches, before there is any data.",
                                   check_data_dependent};

}  // namespace trl::kernel_check
