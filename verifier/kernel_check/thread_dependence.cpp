#include "verifier/kernel_check/thread_dependence.hpp"

#include <clang/AST/Attr.h>

namespace trl::kernel_check {

using namespace clang;

namespace {

bool is_shared(const VarDecl* variable) { return variable->hasAttr<CUDASharedAttr>(); }

/// Returns the variable that an assignment changes: `x` for an assignment to `x`, to `x.y` or to an element
/// of the local array x; none for an assignment through a pointer.
const VarDecl* target(const Expr* left) {
  left = left->IgnoreParenImpCasts();
  while (true) {
    if (const auto* member = llvm::dyn_cast<MemberExpr>(left)) {
      if (member->isArrow()) return nullptr;
      left = member->getBase()->IgnoreParenImpCasts();
    } else if (const auto* element = llvm::dyn_cast<ArraySubscriptExpr>(left)) {
      const Expr* base = element->getBase()->IgnoreParenImpCasts();
      if (!base->getType()->isArrayType()) return nullptr;
      left = base;
    } else {
      break;
    }
  }
  const auto* named = llvm::dyn_cast<DeclRefExpr>(left);
  return named ? llvm::dyn_cast<VarDecl>(named->getDecl()) : nullptr;
}

const Stmt* body_of(const FunctionDecl* function) {
  const FunctionDecl* definition = nullptr;
  return function && function->hasBody(definition) ? definition->getBody() : nullptr;
}

bool has_barrier(const FunctionDecl* function, std::set<const FunctionDecl*>& seen) {
  if (!function || !seen.insert(function->getCanonicalDecl()).second) return false;
  bool found = false;
  walk(body_of(function), [&](const Stmt* one) {
    if (const auto* call = llvm::dyn_cast<CallExpr>(one); call && !found)
      found = is_block_barrier(call->getDirectCallee()) || has_barrier(call->getDirectCallee(), seen);
    return !found;
  });
  return found;
}

}  // namespace

bool is_block_barrier(const FunctionDecl* callee) {
  if (!callee || !callee->getDeclName().isIdentifier()) return false;
  const llvm::StringRef name = callee->getName();
  if (name.startswith("__syncthreads")) return true;
  if (name != "sync" && name != "sync_all") return false;
  if (const auto* method = llvm::dyn_cast<CXXMethodDecl>(callee)) {
    const std::string group = method->getParent()->getNameAsString();
    return group == "thread_block" || group == "grid_group";
  }
  // cooperative_groups::sync(group)
  return callee->getNumParams() == 1 &&
         callee->getParamDecl(0)->getType().getAsString().find("thread_block &") != std::string::npos;
}

bool has_barrier(const FunctionDecl* function) {
  std::set<const FunctionDecl*> seen;
  return has_barrier(function, seen);
}

ThreadDependence::ThreadDependence(const FunctionDecl* function, Among among) : among_(among) {
  const Stmt* body = body_of(function);
  for (int round = 0; round < 8; ++round) {
    const std::size_t before = differing_.size();
    walk(body, [&](const Stmt* one) {
      if (const auto* declared = llvm::dyn_cast<DeclStmt>(one)) {
        for (const Decl* each : declared->decls())
          if (const auto* variable = llvm::dyn_cast<VarDecl>(each))
            if (variable->getInit() && !is_shared(variable) && differs(variable->getInit()))
              differing_.insert(variable);
      } else if (const auto* binary = llvm::dyn_cast<BinaryOperator>(one);
                 binary && binary->isAssignmentOp()) {
        if (const VarDecl* variable = target(binary->getLHS());
            variable && !is_shared(variable) && differs(binary->getRHS()))
          differing_.insert(variable);
      }
      return true;
    });
    if (differing_.size() == before) break;
  }
}

bool ThreadDependence::differs(const Stmt* expression) const {
  bool found = false;
  walk(expression, [&](const Stmt* one) {
    if (found) return false;
    if (const auto* named = llvm::dyn_cast<DeclRefExpr>(one)) {
      const auto* variable = llvm::dyn_cast<VarDecl>(named->getDecl());
      if (!variable) return true;
      const llvm::StringRef name = variable->getName();
      found = differing_.count(variable) ||
              (variable->hasExternalStorage() &&
               (name == "threadIdx" || (among_ == Among::programs && name == "blockIdx")));
    } else if (const auto* call = llvm::dyn_cast<CallExpr>(one)) {
      const FunctionDecl* callee = call->getDirectCallee();
      if (is_block_barrier(callee)) return false;
      // A value that the whole block computes together is the same in all of its threads.
      if (among_ == Among::threads && has_barrier(callee)) return false;
      found = result_differs(callee);
    } else if (llvm::isa<GCCAsmStmt>(one)) {
      found = true;
    }
    return !found;
  });
  return found;
}

bool ThreadDependence::result_differs(const FunctionDecl* callee) const {
  if (!callee || !callee->getDeclName().isIdentifier()) return false;
  const llvm::StringRef name = callee->getName();
  if (name == "thread_rank" || name == "thread_index" || name.startswith("atomic")) return true;
  if (among_ == Among::programs && (name == "block_rank" || name == "group_index")) return true;
  const auto [known, fresh] = results_.emplace(callee->getCanonicalDecl(), false);
  if (!fresh) return known->second;
  bool found = false;
  walk(body_of(callee), [&](const Stmt* one) {
    if (const auto* named = llvm::dyn_cast<DeclRefExpr>(one)) {
      const auto* variable = llvm::dyn_cast<VarDecl>(named->getDecl());
      found |= variable && variable->hasExternalStorage() &&
               (variable->getName() == "threadIdx" ||
                (among_ == Among::programs && variable->getName() == "blockIdx"));
    } else if (const auto* call = llvm::dyn_cast<CallExpr>(one)) {
      found |= result_differs(call->getDirectCallee());
    }
    return !found;
  });
  return results_[callee->getCanonicalDecl()] = found;
}

}  // namespace trl::kernel_check
