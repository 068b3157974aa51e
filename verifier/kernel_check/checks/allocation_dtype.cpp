#include <fmt/format.h>

#include <map>
#include <set>

#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

namespace {

using namespace clang;

/// The value of the c10::ScalarType constant in an expression, if it names exactly one.
std::optional<std::int64_t> named_type(const TranslationUnit& unit, const Stmt* expression) {
  std::set<std::int64_t> values;
  bool other = false;
  walk(expression, [&](const Stmt* one) {
    const auto* named = llvm::dyn_cast<DeclRefExpr>(one);
    if (named && llvm::isa<VarDecl>(named->getDecl()) &&
        named->getType().getAsString().find("ScalarType") != std::string::npos) {
      if (const auto value = unit.constant(named))
        values.insert(*value);
      else
        other = true;
    }
    // expressions such as `x.scalar_type() == kHalf ? kFloat : kHalf`
    other |= llvm::isa<ConditionalOperator>(one) || llvm::isa<LambdaExpr>(one);
    return true;
  });
  if (other || values.size() != 1) return std::nullopt;
  return *values.begin();
}

/// The element type with which a tensor was allocated.
std::optional<std::int64_t> allocated_type(const TranslationUnit& unit, const VarDecl* tensor) {
  const Expr* value = unit.only_value(tensor);
  const auto* made = llvm::dyn_cast_or_null<CallExpr>(value ? TranslationUnit::bare(value) : nullptr);
  const FunctionDecl* maker = made ? made->getDirectCallee() : nullptr;
  if (!maker || !maker->getDeclName().isIdentifier() || unit.in_candidate(maker->getLocation()))
    return std::nullopt;
  static const std::set<llvm::StringRef> makers = {"empty",      "zeros",      "ones", "full",
                                                   "empty_like", "zeros_like", "to",   "toType"};
  if (!makers.count(maker->getName())) return std::nullopt;
  std::optional<std::int64_t> type;
  for (unsigned i = 0; i < made->getNumArgs(); ++i) {
    const std::string kind = made->getArg(i)->getType().getNonReferenceType().getAsString();
    if (kind.find("TensorOptions") != std::string::npos || kind.find("ScalarType") != std::string::npos)
      if (const auto named = named_type(unit, made->getArg(i))) type = named;
  }
  return type;
}

/// Returns the element types that a body's TORCH_CHECKs test, by tensor. The macro expands to `if
/// (!(x.dtype() == kFloat)) refuse`.
std::map<const VarDecl*, std::int64_t> checked_types(const TranslationUnit& unit, const Stmt* body) {
  std::map<const VarDecl*, std::int64_t> found;
  walk(body, [&](const Stmt* one) {
    const auto* branch = llvm::dyn_cast<IfStmt>(one);
    const auto* negated =
        branch ? llvm::dyn_cast<UnaryOperator>(branch->getCond()->IgnoreParenImpCasts()) : nullptr;
    if (!negated || negated->getOpcode() != UO_LNot) return true;
    bool refuses = false;
    walk(branch->getThen(), [&](const Stmt* inner) {
      if (const auto* call = llvm::dyn_cast<CallExpr>(inner))
        refuses |= call->getDirectCallee() && call->getDirectCallee()->getNameAsString() == "refuse" &&
                   !unit.in_candidate(call->getDirectCallee()->getLocation());
      return !refuses;
    });
    const Expr* condition = negated->getSubExpr()->IgnoreParenImpCasts();
    const Expr *left = nullptr, *right = nullptr;
    if (const auto* compared = llvm::dyn_cast<BinaryOperator>(condition);
        compared && compared->getOpcode() == BO_EQ) {
      left = compared->getLHS();
      right = compared->getRHS();
    } else if (const auto* own = llvm::dyn_cast<CXXOperatorCallExpr>(condition);
               own && own->getOperator() == OO_EqualEqual && own->getNumArgs() == 2) {
      left = own->getArg(0);
      right = own->getArg(1);
    }
    const auto* asked = left ? llvm::dyn_cast<CXXMemberCallExpr>(TranslationUnit::bare(left)) : nullptr;
    if (!refuses || !asked || !asked->getMethodDecl()) return true;
    const std::string method = asked->getMethodDecl()->getNameAsString();
    if (method != "dtype" && method != "scalar_type") return true;
    const VarDecl* tensor = TranslationUnit::variable(asked->getImplicitObjectArgument());
    const auto type = named_type(unit, right);
    if (tensor && type && !unit.changed(tensor)) found[tensor] = *type;
    return true;
  });
  return found;
}

/// The c10::ScalarType of a C++ type, as the number in that enumeration; none for other types.
std::optional<std::int64_t> scalar_type(const TranslationUnit& unit, QualType type) {
  static const std::map<std::string, std::int64_t> types = {
      {"unsigned char", 0}, {"signed char", 1}, {"short", 2},     {"int", 3},
      {"long", 4},          {"long long", 4},   {"c10::Half", 5}, {"float", 6},
      {"double", 7},        {"bool", 11},       {"_Bool", 11},    {"c10::BFloat16", 15}};
  const auto found =
      types.find(type.getCanonicalType().getUnqualifiedType().getAsString(unit.context.getPrintingPolicy()));
  return found == types.end() ? std::nullopt : std::optional(found->second);
}

const char* name_of(std::int64_t type) {
  static const char* const names[] = {"uint8", "int8",    "int16",   "int32",
                                      "int64", "float16", "float32", "float64"};
  return type < 8 ? names[type] : type == 11 ? "bool" : type == 15 ? "bfloat16" : "another type";
}

void check_allocation_dtype(const TranslationUnit& unit, Report& report) {
  std::map<const FunctionDecl*, std::map<const VarDecl*, std::int64_t>> checked;
  for (const Call& one : unit.calls) {
    const auto* call = llvm::dyn_cast<CXXMemberCallExpr>(one.expression);
    const auto* method = call ? llvm::dyn_cast_or_null<CXXMethodDecl>(one.callee) : nullptr;
    // AT_DISPATCH instantiates its code for many types, but only the code for one of them runs.
    if (!method || !method->getDeclName().isIdentifier() || !method->getName().endswith("data_ptr") ||
        !method->getTemplateSpecializationArgs() || call->getExprLoc().isMacroID())
      continue;
    const VarDecl* tensor = TranslationUnit::variable(call->getImplicitObjectArgument());
    if (!tensor) continue;
    const QualType wanted = method->getTemplateSpecializationArgs()->get(0).getAsType();
    auto held = allocated_type(unit, tensor);
    bool made = held.has_value();
    if (!held && one.caller) {
      const auto [at, fresh] = checked.try_emplace(one.caller->declaration);
      if (fresh) at->second = checked_types(unit, one.caller->declaration->getBody());
      if (const auto found = at->second.find(tensor); found != at->second.end()) held = found->second;
    }
    const auto asked = scalar_type(unit, wanted);
    if (!held || (asked && *asked == *held)) continue;
    report.found(checks::allocation_dtype, call->getExprLoc(),
                 fmt::format("{} {} {}, and data_ptr<{}>() asks for another type", tensor->getNameAsString(),
                             made ? "was made as" : "was checked to be", name_of(*held),
                             wanted.getAsString(unit.context.getPrintingPolicy())),
                 "ask for the type that it has; PyTorch throws at this");
  }
}

}  // namespace

const Check checks::allocation_dtype{"allocation_dtype", Severity::refuse, "wrong_launch",
                                     "data_ptr<T>() of a tensor of another type throws.",
                                     check_allocation_dtype};

}  // namespace trl::kernel_check
