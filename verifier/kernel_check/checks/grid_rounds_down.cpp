#include <fmt/format.h>

#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

namespace {

using namespace clang;

/// A division `n / block` that loses the remainder: its divisor is above 1, and nothing is added to its
/// dividend.
const BinaryOperator* rounds_down(const TranslationUnit& unit, const Expr* expression, int depth = 0) {
  const Expr* bare = TranslationUnit::bare(expression);
  if (!bare || depth > 8) return nullptr;
  if (const VarDecl* named = TranslationUnit::variable(bare)) {
    const Expr* value = unit.only_value(named);
    return value ? rounds_down(unit, value, depth + 1) : nullptr;
  }
  if (const auto* made = llvm::dyn_cast<CXXConstructExpr>(bare)) {
    for (const Expr* one : made->arguments())
      if (const BinaryOperator* found = rounds_down(unit, one, depth + 1)) return found;
    return nullptr;
  }
  const auto* binary = llvm::dyn_cast<BinaryOperator>(bare);
  if (!binary || binary->getOpcode() != BO_Div || !binary->getType()->isIntegerType()) return nullptr;
  const auto divisor = unit.constant(binary->getRHS());
  if (!divisor || *divisor < 2 || unit.constant(binary->getLHS())) return nullptr;
  // Whether the dividend is a plain size: a name, a call of size() or numel(), or a product of these.
  // Anything else was probably written on purpose.
  bool plain = true;
  walk(binary->getLHS(), [&](const Stmt* one) {
    if (const auto* inner = llvm::dyn_cast<BinaryOperator>(one)) plain &= inner->getOpcode() == BO_Mul;
    plain &= !llvm::isa<ConditionalOperator>(one);
    if (const auto* named = llvm::dyn_cast<DeclRefExpr>(one))
      if (const Expr* value = unit.only_value(llvm::dyn_cast<VarDecl>(named->getDecl())))
        walk(value, [&](const Stmt* part) {
          const auto* inner = llvm::dyn_cast<BinaryOperator>(part);
          plain &= !(inner && inner->getOpcode() != BO_Mul);
          return plain;
        });
    return plain;
  });
  return plain ? binary : nullptr;
}

/// Whether the function looks at the remainder, that is, contains `n % 4` or `n & 3` anywhere.
bool looks_at_rest(const Function* caller) {
  bool found = false;
  if (caller)
    walk(caller->declaration->getBody(), [&](const Stmt* one) {
      const auto* binary = llvm::dyn_cast<BinaryOperator>(one);
      found |= binary && (binary->getOpcode() == BO_Rem || binary->getOpcode() == BO_And);
      return !found;
    });
  return found;
}

/// Whether a kernel has a grid-stride loop, so that a grid of any size will do.
bool strides_over_grid(const TranslationUnit& unit, const FunctionDecl* kernel) {
  bool found = false;
  const FunctionDecl* definition = nullptr;
  if (kernel && kernel->hasBody(definition))
    walk(definition->getBody(), [&](const Stmt* one) {
      const auto* named = llvm::dyn_cast<DeclRefExpr>(one);
      found |= named && !unit.in_candidate(named->getDecl()->getLocation()) &&
               named->getNameInfo().getAsString() == "gridDim";
      return !found;
    });
  return found;
}

void check_grid_rounds_down(const TranslationUnit& unit, Report& report) {
  for (const Launch& one : unit.launches) {
    const BinaryOperator* found = one.grid ? rounds_down(unit, one.grid) : nullptr;
    if (found && !looks_at_rest(one.caller) && !strides_over_grid(unit, one.kernel))
      report.found(checks::grid_rounds_down, found->getOperatorLoc(),
                   fmt::format("the grid is `{}`: the remainder has no block", unit.text(found)),
                   "round up: (n + block - 1) / block");
  }
}

}  // namespace

const Check checks::grid_rounds_down{"grid_rounds_down", Severity::warn, "wrong_launch",
                                     "A grid that is rounded down leaves the end of the data untouched.",
                                     check_grid_rounds_down};

}  // namespace trl::kernel_check
