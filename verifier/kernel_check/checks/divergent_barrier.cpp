#include "verifier/kernel_check/thread_dependence.hpp"

namespace trl::kernel_check {

namespace {

using namespace clang;

/// Follows the statements of a function in order, and keeps track of whether all threads of the block execute
/// the current one.
class Follow {
 public:
  Follow(const TranslationUnit& unit, const FunctionDecl* function, Report& report)
      : unit_(unit), dependence_(function, ThreadDependence::Among::threads), report_(report) {
    statement(function->getBody());
  }

 private:
  void statement(const Stmt* one) {
    if (!one) return;
    if (const auto* branch = llvm::dyn_cast<IfStmt>(one)) {
      if (branch->isConstexpr()) {
        for (const Stmt* child : one->children()) statement(child);
        return;
      }
      statement(branch->getInit());
      statement(branch->getCond());
      under(branch->getCond(), {branch->getThen(), branch->getElse()});
    } else if (const auto* loop = llvm::dyn_cast<ForStmt>(one)) {
      statement(loop->getInit());
      under(loop->getCond(), {loop->getBody(), loop->getInc()});
    } else if (const auto* loop = llvm::dyn_cast<WhileStmt>(one)) {
      under(loop->getCond(), {loop->getBody()});
    } else if (const auto* loop = llvm::dyn_cast<DoStmt>(one)) {
      under(loop->getCond(), {loop->getBody()});
    } else if (const auto* choice = llvm::dyn_cast<SwitchStmt>(one)) {
      under(choice->getCond(), {choice->getBody()});
    } else if (llvm::isa<ReturnStmt>(one)) {
      for (const Stmt* child : one->children()) statement(child);
      if (divergent_ && !left_) left_ = divergent_;
    } else if (llvm::isa<LambdaExpr>(one)) {
      return;
    } else {
      if (const auto* call = llvm::dyn_cast<CallExpr>(one)) barrier(call);
      for (const Stmt* child : one->children()) statement(child);
    }
  }

  void under(const Expr* condition, std::initializer_list<const Stmt*> parts) {
    const Expr* before = divergent_;
    if (!divergent_ && condition && dependence_.differs(condition)) divergent_ = condition;
    for (const Stmt* one : parts) statement(one);
    divergent_ = before;
  }

  void barrier(const CallExpr* call) {
    const FunctionDecl* callee = call->getDirectCallee();
    if (!is_block_barrier(callee) &&
        !(unit_.in_candidate(callee ? callee->getLocation() : SourceLocation()) && has_barrier(callee)))
      return;
    const Expr* because = divergent_ ? divergent_ : left_;
    if (!because) return;
    const std::string line = std::to_string(unit_.position(because->getBeginLoc()).first);
    report_.found(checks::divergent_barrier, call->getBeginLoc(),
                  divergent_ ? "not all threads of a block come to this barrier: `" + unit_.text(because) +
                                   "` in line " + line + " differs between them"
                             : "threads that returned in line " + line + " by `" + unit_.text(because) +
                                   "` never come to this barrier",
                  "let every thread of the block reach it, and guard loads and stores instead");
  }

  const TranslationUnit& unit_;
  ThreadDependence dependence_;
  Report& report_;
  const Expr* divergent_ = nullptr;
  const Expr* left_ = nullptr;
};

void check_divergent_barrier(const TranslationUnit& unit, Report& report) {
  for (const Function& one : unit.functions)
    if (one.device && has_barrier(one.declaration)) Follow(unit, one.declaration, report);
}

}  // namespace

const Check checks::divergent_barrier{
    "divergent_barrier", Severity::warn, "divergent_barrier",
    "A barrier that some threads of a block never reach is undefined (CUDA programming guide, "
    "synchronization functions).",
    check_divergent_barrier};

}  // namespace trl::kernel_check
