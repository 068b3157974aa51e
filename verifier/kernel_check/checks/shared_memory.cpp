#include <clang/AST/Attr.h>
#include <fmt/format.h>

#include <set>

#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

namespace {

using namespace clang;

struct Use {
  std::int64_t bytes = 0;
  const VarDecl* largest = nullptr;
  bool dynamic = false;
};

void add(const TranslationUnit& unit, const FunctionDecl* function, Use& use, std::set<const Decl*>& seen) {
  const FunctionDecl* definition = nullptr;
  if (!function || !function->hasBody(definition) || !seen.insert(definition).second) return;
  std::int64_t largest = -1;
  walk(definition->getBody(), [&](const Stmt* one) {
    if (const auto* declared = llvm::dyn_cast<DeclStmt>(one)) {
      for (const Decl* each : declared->decls()) {
        const auto* variable = llvm::dyn_cast<VarDecl>(each);
        if (!variable || !variable->hasAttr<CUDASharedAttr>()) continue;
        if (variable->getType()->isIncompleteType()) {
          use.dynamic = true;
        } else if (const auto bits = unit.bits(variable->getType())) {
          use.bytes += *bits / 8;
          if (*bits > largest) largest = *bits, use.largest = variable;
        }
      }
    } else if (const auto* call = llvm::dyn_cast<CallExpr>(one)) {
      add(unit, call->getDirectCallee(), use, seen);
    } else if (const auto* named = llvm::dyn_cast<DeclRefExpr>(one)) {
      const auto* variable = llvm::dyn_cast<VarDecl>(named->getDecl());
      if (variable && variable->hasAttr<CUDASharedAttr>() && variable->getType()->isIncompleteType())
        use.dynamic = true;
    }
    return true;
  });
}

void check_shared_memory(const TranslationUnit& unit, Report& report) {
  bool raised = false;  // whether the limit of some kernel was raised
  for (const Call& one : unit.calls)
    raised |= one.callee && one.callee->getNameAsString() == "cudaFuncSetAttribute";
  for (const Function& one : unit.functions) {
    if (!unit.is_kernel(one.declaration)) continue;
    Use use;
    std::set<const Decl*> seen;
    add(unit, one.declaration, use, seen);
    if (use.bytes > unit.limits.shared_bytes && use.largest)
      report.found(checks::shared_memory, use.largest->getLocation(),
                   fmt::format("kernel {} has {} bytes of shared memory: at most {} can be static",
                               one.declaration->getNameAsString(), use.bytes, unit.limits.shared_bytes),
                   "use smaller tiles, or extern __shared__ with cudaFuncSetAttribute");
  }
  for (const Launch& one : unit.launches) {
    if (!one.kernel) continue;
    Use use;
    std::set<const Decl*> seen;
    add(unit, one.kernel, use, seen);
    const std::optional<std::int64_t> known = one.shared ? unit.constant(one.shared) : std::nullopt;
    const SourceLocation place = one.shared && unit.in_candidate(one.shared->getExprLoc())
                                     ? one.shared->getExprLoc()
                                     : one.expression->getBeginLoc();
    const std::string name = one.kernel->getNameAsString();
    if (!known) continue;
    const std::int64_t dynamic = known.value_or(0);
    if (use.dynamic && dynamic == 0)
      report.found(checks::shared_memory, place,
                   fmt::format("kernel {} uses extern __shared__ memory, and the launch gives it none", name),
                   "pass the bytes as the third argument of <<<…>>>");
    else if (dynamic < 0 || dynamic + use.bytes > unit.limits.shared_bytes_optin)
      report.found(checks::shared_memory, place,
                   fmt::format("{} bytes of shared memory for {}: a block has at most {}",
                               dynamic + use.bytes, name, unit.limits.shared_bytes_optin));
    else if (dynamic > 0 && dynamic + use.bytes > unit.limits.shared_bytes && !raised)
      report.found(checks::shared_memory, place,
                   fmt::format("{} bytes of shared memory for {}: more than {} have to be asked for",
                               dynamic + use.bytes, name, unit.limits.shared_bytes),
                   "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)");
  }
}

}  // namespace

const Check checks::shared_memory{
    "shared_memory", Severity::refuse, "wrong_launch",
    "A launch that asks for more shared memory than there is fails, and one that gives too little lets "
    "kernels write where nothing is.",
    check_shared_memory};

}  // namespace trl::kernel_check
