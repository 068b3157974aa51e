#include <fmt/format.h>

#include "runtime/verify/kernel_check/unit.hpp"

namespace trl::kernel_check {

namespace {

using namespace clang;

/// A product of two values that aren't constants, computed in 32 bits.
const BinaryOperator* product(const Unit& unit, const Expr* expression) {
  expression = expression->IgnoreParens();
  const auto* binary = llvm::dyn_cast<BinaryOperator>(expression->IgnoreParenImpCasts());
  if (!binary || unit.context.getTypeSize(binary->getType()) > 32) return nullptr;
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

void check(const Unit& unit, Report& report) {
  for (const Function& one : unit.functions) {
    if (!one.device) continue;
    walk(one.declaration->getBody(), [&](const Stmt* each) {
      const auto* cast = llvm::dyn_cast<ImplicitCastExpr>(each);
      if (!cast || cast->getCastKind() != CK_IntegralCast || !cast->getType()->isIntegerType()) return true;
      const Expr* inner = cast->getSubExpr();
      const auto to = unit.context.getTypeSize(cast->getType()),
                 from = unit.context.getTypeSize(inner->getType());
      if (to == 64 && from == 32) {
        if (const BinaryOperator* found = product(unit, inner)) {
          report.found(checks::index_overflow, found->getBeginLoc(),
                       fmt::format("`{}` is computed in 32 bits and only then becomes {}", unit.text(found),
                                   cast->getType().getAsString()),
                       "make the first factor 64 bits wide: static_cast<int64_t>(…) * …");
          return false;
        }
      } else if (to < 32 && from >= 32 && product(unit, inner)) {
        report.found(checks::index_overflow, inner->getBeginLoc(),
                     fmt::format("`{}` is cut to {} bits", unit.text(inner), to),
                     "keep indices in int or int64_t");
      }
      return true;
    });
  }
}

}  // namespace

const Check checks::index_overflow{
    "index_overflow", Severity::warn, "index_overflow",
    "Who asks for a 64-bit index expects more than 2^31 elements; a product in 32 bits wraps before it is "
    "widened.",
    check};

}  // namespace trl::kernel_check
