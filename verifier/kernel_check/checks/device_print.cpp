#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

namespace {

void check_device_print(const TranslationUnit& unit, Report& report) {
  for (const Call& one : unit.calls)
    if (one.caller && one.caller->device && one.callee && one.callee->getNameAsString() == "printf")
      report.found(checks::device_print, one.expression->getBeginLoc(), "a kernel that prints is slow",
                   "remove it");
}

}  // namespace

const Check checks::device_print{"device_print", Severity::warn, "device_print",
                                 "Printing from a kernel costs time, and nobody reads it.",
                                 check_device_print};

}  // namespace trl::kernel_check
