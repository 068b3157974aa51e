#include <fmt/format.h>

#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

namespace {

using namespace clang;

/// The elements of the array that is passed to cudaLaunchKernel; null where the array isn't written there.
const InitListExpr* elements(const TranslationUnit& unit, const Expr* array) {
  const VarDecl* named = TranslationUnit::variable(array);
  if (!named || !named->getInit() || unit.changed(named)) return nullptr;
  return llvm::dyn_cast<InitListExpr>(named->getInit()->IgnoreParenImpCasts());
}

void check_argument_array(const TranslationUnit& unit, Report& report) {
  for (const Launch& one : unit.launches) {
    if (!one.argument_array || !one.kernel) continue;
    const InitListExpr* passed = elements(unit, one.argument_array);
    if (!passed) continue;
    const FunctionDecl* kernel = one.kernel;
    if (passed->getNumInits() != kernel->getNumParams()) {
      report.found(checks::argument_array, one.expression->getBeginLoc(),
                   fmt::format("launch of {}: {} arguments in the array, and it takes {}",
                               kernel->getNameAsString(), passed->getNumInits(), kernel->getNumParams()));
      continue;
    }
    for (unsigned i = 0; i < passed->getNumInits(); ++i) {
      const auto* address = llvm::dyn_cast_or_null<UnaryOperator>(TranslationUnit::bare(passed->getInit(i)));
      if (!address || address->getOpcode() != UO_AddrOf) continue;
      const QualType has = address->getSubExpr()->getType(), takes = kernel->getParamDecl(i)->getType();
      const auto has_bits = unit.bits(has), takes_bits = unit.bits(takes.getNonReferenceType());
      if (!has_bits || !takes_bits) continue;
      if (has_bits != takes_bits || has->isPointerType() != takes->isPointerType())
        report.found(
            checks::argument_array, address->getBeginLoc(),
            fmt::format("launch of {}: argument {} is {}, and `{}` is {}", kernel->getNameAsString(), i + 1,
                        has.getAsString(), kernel->getParamDecl(i)->getNameAsString(), takes.getAsString()),
            "the array holds the addresses of variables of the parameters' types");
    }
  }
}

}  // namespace

const Check checks::argument_array{
    "argument_array", Severity::refuse, "wrong_launch",
    "cudaLaunchKernel reads as many bytes as the parameter has, whatever was passed.", check_argument_array};

}  // namespace trl::kernel_check
