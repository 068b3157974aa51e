#include <fmt/format.h>

#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

namespace {

using namespace clang;

/// A product of two values that aren't constants, computed in 32 bits.
const BinaryOperator* product(const TranslationUnit& unit, const Expr* expression) {
  expression = expression->IgnoreParens();
  const auto* binary = llvm::dyn_cast<BinaryOperator>(expression->IgnoreParenImpCasts());
  if (!binary || unit.bits(binary->getType()).value_or(64) > 32) return nullptr;
  if (binary->getOpcode() == BO_Add || binary->getOpcode() == BO_Sub) {
    const BinaryOperator* left = product(unit, binary->getLHS());
    return left ? left : product(unit, binary->getRHS());
  }
  if (binary->getOpcode() != BO_Mul) return nullptr;
  const auto constant = [&](const Expr* one) {
    return one->isValueDependent() || unit.constant(one).has_value();
  };
  return constant(binary->getLHS()) || constant(binary->getRHS()) ? nullptr : binary;
}

void value(const TranslationUnit& unit, QualType type, const Expr* value, Report& report) {
  const auto* cast = value ? llvm::dyn_cast<ImplicitCastExpr>(value->IgnoreParens()) : nullptr;
  if (!cast || cast->getCastKind() != CK_IntegralCast || type->isDependentType()) return;
  const Expr* inner = cast->getSubExpr();
  const BinaryOperator* found = product(unit, inner);
  if (!found) return;
  const std::int64_t bits = unit.bits(cast->getType()).value_or(0);
  if (bits == 64)
    report.found(checks::index_overflow, found->getBeginLoc(),
                 fmt::format("`{}` is computed in 32 bits and only then becomes {}", unit.text(found),
                             type.getAsString()),
                 "make the first factor 64 bits wide: static_cast<int64_t>(…) * …");
  else if (bits > 0 && bits < 32)
    report.found(checks::index_overflow, inner->getBeginLoc(),
                 fmt::format("`{}` is cut to {} bits", unit.text(inner), bits),
                 "keep indices in int or int64_t");
}

void check_index_overflow(const TranslationUnit& unit, Report& report) {
  for (const Function& one : unit.functions) {
    if (!one.device) continue;
    walk(one.declaration->getBody(), [&](const Stmt* each) {
      if (const auto* declared = llvm::dyn_cast<DeclStmt>(each)) {
        for (const Decl* part : declared->decls())
          if (const auto* variable = llvm::dyn_cast<VarDecl>(part))
            value(unit, variable->getType(), variable->getInit(), report);
      } else if (const auto* set = llvm::dyn_cast<BinaryOperator>(each);
                 set && set->getOpcode() == BO_Assign) {
        value(unit, set->getLHS()->getType(), set->getRHS(), report);
      } else if (const auto* result = llvm::dyn_cast<ReturnStmt>(each)) {
        value(unit, one.declaration->getReturnType(), result->getRetValue(), report);
      }
      return true;
    });
  }
}

}  // namespace

const Check checks::index_overflow{
    "index_overflow", Severity::warn, "index_overflow",
    "A 64-bit index is needed for more than 2^31 elements, where a product in 32 bits wraps before it is "
    "widened.",
    check_index_overflow};

}  // namespace trl::kernel_check
