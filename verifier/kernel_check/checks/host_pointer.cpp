#include <clang/AST/Attr.h>
#include <fmt/format.h>

#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

namespace {

using namespace clang;

/// If a pointer points to memory of the host, a description of that memory; else an empty text.
std::string host_memory(const TranslationUnit& unit, const Expr* expression, int depth = 0) {
  const Expr* bare = TranslationUnit::bare(expression);
  if (!bare || depth > 8) return {};
  if (const VarDecl* named = TranslationUnit::variable(bare)) {
    if (named->getType()->isArrayType() && named->hasLocalStorage() && !named->hasAttr<CUDASharedAttr>())
      return "the local array " + named->getNameAsString();
    const Expr* value = named->getType()->isPointerType() ? unit.only_value(named) : nullptr;
    return value ? host_memory(unit, value, depth + 1) : std::string();
  }
  if (const auto* address = llvm::dyn_cast<UnaryOperator>(bare);
      address && address->getOpcode() == UO_AddrOf) {
    const VarDecl* named = TranslationUnit::variable(address->getSubExpr());
    return named && named->hasLocalStorage() ? "the address of " + named->getNameAsString() : std::string();
  }
  if (const auto* call = llvm::dyn_cast<CXXMemberCallExpr>(bare)) {
    const CXXMethodDecl* method = call->getMethodDecl();
    if (!method || !method->getDeclName().isIdentifier()) return {};
    const std::string owner = method->getParent()->getNameAsString();
    if (method->getName() == "data" && (owner == "vector" || owner == "array" || owner == "ArrayRef"))
      return "the elements of a std::" + owner;
    if (method->getName().endswith("data_ptr"))
      if (const VarDecl* tensor = TranslationUnit::variable(call->getImplicitObjectArgument()))
        if (const Expr* value = unit.only_value(tensor)) {
          // torch::empty({…}) or torch::empty({…}, torch::kFloat32) without a device: PyTorch's default
          // device is the CPU.
          const auto* made = llvm::dyn_cast<CallExpr>(TranslationUnit::bare(value));
          const FunctionDecl* maker = made ? made->getDirectCallee() : nullptr;
          if (!maker || !maker->getDeclName().isIdentifier() || llvm::isa<CXXMethodDecl>(maker) ||
              unit.in_candidate(maker->getLocation()))
            return {};
          const llvm::StringRef name = maker->getName();
          if (name != "empty" && name != "zeros" && name != "ones" && name != "full") return {};
          bool elsewhere = false;
          for (const Expr* argument : made->arguments()) {
            if (argument->getType().getNonReferenceType().getAsString().find("TensorOptions") ==
                std::string::npos)
              continue;
            walk(argument, [&](const Stmt* one) {
              if (const auto* part = llvm::dyn_cast<DeclRefExpr>(one)) {
                const std::string type = part->getType().getAsString();
                elsewhere |=
                    part->getNameInfo().getAsString() == "kCUDA" ||
                    (llvm::isa<VarDecl>(part->getDecl()) && type.find("ScalarType") == std::string::npos &&
                     part->getNameInfo().getAsString() != "kCPU");
              }
              if (const auto* inner = llvm::dyn_cast<CXXMemberCallExpr>(one); inner && inner->getMethodDecl())
                elsewhere |= inner->getMethodDecl()->getNameAsString() == "options";
              return !elsewhere;
            });
          }
          if (!elsewhere) return "the tensor " + tensor->getNameAsString() + ", which is on the CPU,";
        }
  }
  return {};
}

void check_host_pointer(const TranslationUnit& unit, Report& report) {
  for (const Launch& one : unit.launches)
    for (const Expr* argument : one.arguments) {
      if (!argument->getType()->isPointerType()) continue;
      const std::string what = host_memory(unit, argument);
      if (!what.empty())
        report.found(checks::host_pointer, argument->getExprLoc(),
                     fmt::format("{} is memory of the host: a kernel can't reach it", what),
                     "pass numbers by value, and tensors that were allocated on the GPU");
    }
}

}  // namespace

const Check checks::host_pointer{"host_pointer", Severity::refuse, "wrong_launch",
                                 "A kernel that follows a pointer of the host ends in an illegal access.",
                                 check_host_pointer};

}  // namespace trl::kernel_check
