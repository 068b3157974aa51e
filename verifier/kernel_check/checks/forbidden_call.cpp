#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <fmt/format.h>

#include "verifier/kernel_check/names.hpp"
#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

namespace {

using namespace clang;

void check_forbidden_call(const TranslationUnit& unit, Report& report) {
  for (const Call& one : unit.calls) {
    if (!one.callee || !one.callee->getDeclName().isIdentifier()) continue;
    const std::string name = one.callee->getNameAsString();
    const bool own = unit.in_candidate(one.callee->getLocation());
    // PyTorch's own functions may be called like the system's: at::select.
    const bool of_torch = one.callee->getQualifiedNameAsString().starts_with("at::");
    if (!own && !of_torch && !llvm::isa<CXXMethodDecl>(one.callee) && forbidden_function(name))
      report.found(checks::forbidden_call, one.expression->getBeginLoc(),
                   fmt::format("{} is not for a wrapper to call", name));
    // A function that the candidate declares without a body would be taken from a library.
    else if (own && !one.callee->isDefined() && !one.callee->getTemplateInstantiationPattern() &&
             !one.callee->hasAttr<CUDADeviceAttr>() && !one.callee->isImplicit() &&
             !one.callee->getBuiltinID())
      report.found(checks::forbidden_call, one.expression->getBeginLoc(),
                   fmt::format("{} is declared here and defined elsewhere", name),
                   "define it, or use what PyTorch gives a wrapper");
    else if (own && one.callee->getBuiltinID() && forbidden_function(name))
      report.found(checks::forbidden_call, one.expression->getBeginLoc(),
                   fmt::format("{} is not for a wrapper to call", name));
  }
  const auto attributes = [&](const Decl* one) {
    if (one->hasAttr<ConstructorAttr>() || one->hasAttr<DestructorAttr>() || one->hasAttr<IFuncAttr>())
      report.found(checks::forbidden_call, one->getLocation(),
                   "a function that runs when the library is loaded or unloaded");
    if (const auto* label = one->getAttr<AsmLabelAttr>();
        label && !unit.context.getSourceManager().isInSystemHeader(one->getLocation()))
      report.found(checks::forbidden_call, one->getLocation(),
                   fmt::format("a function under another name of the linker: {}", label->getLabel().str()));
  };
  for (const Function& one : unit.functions) attributes(one.declaration);
  for (const Decl* one : unit.others) attributes(one);
}

}  // namespace

const Check checks::forbidden_call{
    "forbidden_call", Severity::refuse, "forbidden",
    "A wrapper needs no files, processes, libraries, network, threads or clocks.", check_forbidden_call};

}  // namespace trl::kernel_check
