#include <set>

#include "verifier/kernel_check/thread_dependence.hpp"

namespace trl::kernel_check {

namespace {

using namespace clang;

/// Whether an expression, or the value of one of its variables, contains a division: such a grid is rounded
/// to whole blocks.
bool divides(const TranslationUnit& unit, const Expr* expression, int depth = 0) {
  bool found = false;
  walk(expression, [&](const Stmt* one) {
    if (const auto* binary = llvm::dyn_cast<BinaryOperator>(one))
      found |= binary->getOpcode() == BO_Div || binary->getOpcode() == BO_Shr;
    if (const auto* call = llvm::dyn_cast<CallExpr>(one))
      if (const FunctionDecl* callee = call->getDirectCallee(); callee && depth < 8) {
        const FunctionDecl* definition = nullptr;
        if (unit.in_candidate(callee->getLocation()) && callee->hasBody(definition))
          walk(definition->getBody(), [&](const Stmt* inner) {
            const auto* binary = llvm::dyn_cast<BinaryOperator>(inner);
            found |= binary && (binary->getOpcode() == BO_Div || binary->getOpcode() == BO_Shr);
            return !found;
          });
      }
    if (const auto* named = llvm::dyn_cast<DeclRefExpr>(one); named && depth < 8 && !found)
      if (const Expr* value = unit.only_value(llvm::dyn_cast<VarDecl>(named->getDecl())))
        found = divides(unit, value, depth + 1);
    return !found;
  });
  return found;
}

bool compares(const Stmt* body, const ThreadDependence& dependence) {
  bool found = false;
  walk(body, [&](const Stmt* one) {
    if (const auto* binary = llvm::dyn_cast<BinaryOperator>(one))
      found |= binary->isComparisonOp() && dependence.differs(binary);
    if (const auto* call = llvm::dyn_cast<CallExpr>(one)) {
      const FunctionDecl* callee = call->getDirectCallee();
      const bool named = callee && callee->getDeclName().isIdentifier();
      // The index is clamped, or passed together with its bound to a function of the candidate that may
      // compare them.
      if (named && (callee->getName() == "min" || callee->getName() == "max" || callee->hasBody()))
        for (const Expr* argument : call->arguments()) found |= dependence.differs(argument);
    }
    return !found;
  });
  return found;
}

void check_bounds_guard(const TranslationUnit& unit, Report& report) {
  std::set<const FunctionDecl*> rounded;
  for (const Launch& one : unit.launches)
    if (one.kernel && divides(unit, one.grid)) rounded.insert(one.kernel->getCanonicalDecl());
  for (const Function& one : unit.functions) {
    if (!rounded.count(one.declaration->getCanonicalDecl())) continue;
    const Stmt* body = one.declaration->getBody();
    const ThreadDependence dependence(one.declaration, ThreadDependence::Among::programs);
    if (compares(body, dependence)) continue;
    const Expr* store = nullptr;
    walk(body, [&](const Stmt* each) {
      const auto* binary = llvm::dyn_cast<BinaryOperator>(each);
      if (!store && binary && binary->isAssignmentOp()) {
        const auto* element = llvm::dyn_cast<ArraySubscriptExpr>(binary->getLHS()->IgnoreParens());
        if (element && !element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType() &&
            dependence.differs(element->getIdx()))
          store = element;
      }
      return !store;
    });
    if (store)
      report.found(checks::bounds_guard, store->getExprLoc(),
                   "kernel " + one.declaration->getNameAsString() + " stores at " + unit.text(store) +
                       " without comparing the index, and its grid is rounded to whole blocks",
                   "return, or skip the store, where the index is past the end");
  }
}

}  // namespace

const Check checks::bounds_guard{
    "bounds_guard", Severity::warn, "out_of_bounds",
    "The last block of a rounded grid reaches past the end at sizes that aren't multiples.",
    check_bounds_guard};

}  // namespace trl::kernel_check
