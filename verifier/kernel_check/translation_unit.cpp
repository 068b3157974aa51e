#include "verifier/kernel_check/translation_unit.hpp"

#include <clang/AST/Attr.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <unordered_set>

namespace trl::kernel_check {

using namespace clang;

namespace {

constexpr std::size_t no_caller = ~std::size_t{0};

bool on_device(const FunctionDecl* function) {
  return function->hasAttr<CUDAGlobalAttr>() ||
         (function->hasAttr<CUDADeviceAttr>() && !function->hasAttr<CUDAHostAttr>());
}

const FunctionDecl* function_of(const Expr* expression) {
  const Expr* bare = TranslationUnit::bare(expression);
  if (const auto* address = llvm::dyn_cast_or_null<UnaryOperator>(bare);
      address && address->getOpcode() == UO_AddrOf)
    bare = TranslationUnit::bare(address->getSubExpr());
  if (const auto* named = llvm::dyn_cast_or_null<DeclRefExpr>(bare))
    return llvm::dyn_cast<FunctionDecl>(named->getDecl());
  return nullptr;
}

}  // namespace

void walk(const Stmt* root, const std::function<bool(const Stmt*)>& visit) {
  if (!root || !visit(root)) return;
  for (const Stmt* child : root->children()) walk(child, visit);
}

TranslationUnit::TranslationUnit(ASTContext& context, FileID candidate,
                                 const std::vector<const Decl*>& declarations, Limits limits,
                                 Language language)
    : context(context), candidate(candidate), limits(limits), language(language) {
  for (const Decl* one : declarations)
    if (in_candidate(one->getLocation())) declaration(one);
  for (std::size_t i = 0; i < calls.size(); ++i)
    if (call_callers_[i] != no_caller) calls[i].caller = &functions[call_callers_[i]];
  for (std::size_t i = 0; i < launches.size(); ++i)
    if (launch_callers_[i] != no_caller) launches[i].caller = &functions[launch_callers_[i]];
  std::sort(changed_.begin(), changed_.end());
}

SourceLocation TranslationUnit::in_file(SourceLocation place) const {
  return context.getSourceManager().getFileLoc(place);
}

bool TranslationUnit::in_candidate(SourceLocation place) const {
  return place.isValid() && context.getSourceManager().getFileID(in_file(place)) == candidate;
}

std::pair<int, int> TranslationUnit::position(SourceLocation place) const {
  if (!in_candidate(place)) return {0, 0};
  const auto at = context.getSourceManager().getDecomposedLoc(in_file(place));
  return {static_cast<int>(context.getSourceManager().getLineNumber(at.first, at.second)),
          static_cast<int>(context.getSourceManager().getColumnNumber(at.first, at.second))};
}

void TranslationUnit::declaration(const Decl* declaration) {
  if (const auto* variable = llvm::dyn_cast<VarDecl>(declaration)) {
    if (!in_candidate(variable->getLocation()) || variable->getType()->isDependentType()) return;
    globals.push_back(variable);
    if (variable->getInit() && !variable->getInit()->isValueDependent())
      statement(variable->getInit(), no_caller);
  } else if (const auto* one = llvm::dyn_cast<FunctionDecl>(declaration)) {
    function(one);
  } else if (const auto* function_template = llvm::dyn_cast<FunctionTemplateDecl>(declaration)) {
    function(function_template->getTemplatedDecl());
    for (const FunctionDecl* instance : function_template->specializations()) function(instance);
  } else if (const auto* class_template = llvm::dyn_cast<ClassTemplateDecl>(declaration)) {
    for (const auto* instance : class_template->specializations()) this->declaration(instance);
  } else if (const auto* scope = llvm::dyn_cast<DeclContext>(declaration);
             scope && llvm::isa<NamespaceDecl, LinkageSpecDecl, CXXRecordDecl, ExportDecl>(declaration)) {
    for (const Decl* inner : scope->noload_decls())
      if (in_candidate(inner->getLocation()) || llvm::isa<NamespaceDecl, LinkageSpecDecl>(inner))
        this->declaration(inner);
  } else {
    others.push_back(declaration);
  }
}

void TranslationUnit::function(const FunctionDecl* function) {
  if (!in_candidate(function->getLocation())) return;
  if (function->hasAttr<CUDAGlobalAttr>() && function->doesThisDeclarationHaveABody() &&
      !function->isTemplateInstantiation())
    kernels.push_back(function);
  if (!function->doesThisDeclarationHaveABody() || function->isDependentContext()) {
    others.push_back(function);
    return;
  }
  const std::size_t self = functions.size();
  functions.push_back({function, on_device(function)});
  if (const auto* constructor = llvm::dyn_cast<CXXConstructorDecl>(function))
    for (const CXXCtorInitializer* one : constructor->inits()) statement(one->getInit(), self);
  statement(function->getBody(), self);
}

void TranslationUnit::statement(const Stmt* root, std::size_t caller) {
  if (!root) return;
  if (const auto* declared = llvm::dyn_cast<DeclStmt>(root)) {
    for (const Decl* one : declared->decls()) {
      if (const auto* variable = llvm::dyn_cast<VarDecl>(one)) {
        locals.push_back(variable);
        if (variable->getType()->isReferenceType() && variable->getInit())
          if (const VarDecl* referred = this->variable(variable->getInit());
              referred && !variable->getType()->getPointeeType().isConstQualified())
            changed_.push_back(referred);
      } else if (llvm::isa<CXXRecordDecl>(one)) {
        declaration(one);
      }
    }
  } else if (const auto* binary = llvm::dyn_cast<BinaryOperator>(root)) {
    if (binary->isAssignmentOp()) {
      const Expr* left = bare(binary->getLHS());
      while (const auto* member = llvm::dyn_cast_or_null<MemberExpr>(left)) left = bare(member->getBase());
      if (const VarDecl* one = variable(left)) changed_.push_back(one);
    }
  } else if (const auto* unary = llvm::dyn_cast<UnaryOperator>(root)) {
    if (unary->isIncrementDecrementOp() || unary->getOpcode() == UO_AddrOf)
      if (const VarDecl* one = variable(unary->getSubExpr())) changed_.push_back(one);
  } else if (const auto* lambda = llvm::dyn_cast<LambdaExpr>(root)) {
    if (const CXXMethodDecl* body = lambda->getCallOperator()) {
      if (const FunctionTemplateDecl* generic = body->getDescribedFunctionTemplate()) {
        for (const FunctionDecl* instance : generic->specializations())
          statement(instance->getBody(), caller);
        return;
      }
    }
  } else if (const auto* expression = llvm::dyn_cast<CallExpr>(root)) {
    call(expression, caller);
  }
  for (const Stmt* child : root->children()) statement(child, caller);
}

void TranslationUnit::call(const CallExpr* expression, std::size_t caller) {
  const FunctionDecl* callee = expression->getDirectCallee();
  calls.push_back({expression, callee, nullptr});
  call_callers_.push_back(caller);
  // An argument that is passed by a non-const reference may be changed.
  if (callee)
    for (unsigned i = 0; i < std::min(callee->getNumParams(), expression->getNumArgs()); ++i) {
      const QualType type = callee->getParamDecl(i)->getType();
      if (type->isLValueReferenceType() && !type->getPointeeType().isConstQualified())
        if (const VarDecl* one = variable(expression->getArg(i))) changed_.push_back(one);
    }
  // The left side of an assignment between objects may be changed, too, and so may the object of a non-const
  // method.
  if (const auto* own = llvm::dyn_cast<CXXOperatorCallExpr>(expression); own && own->isAssignmentOp())
    if (const VarDecl* one = variable(own->getArg(0))) changed_.push_back(one);
  if (const auto* member = llvm::dyn_cast<CXXMemberCallExpr>(expression))
    if (const CXXMethodDecl* method = member->getMethodDecl(); method && !method->isConst())
      if (const VarDecl* one = variable(member->getImplicitObjectArgument())) changed_.push_back(one);
  const auto argument = [&](unsigned i) -> const Expr* {
    return i < expression->getNumArgs() ? expression->getArg(i) : nullptr;
  };
  Launch launch;
  launch.expression = expression;
  if (const auto* configured = llvm::dyn_cast<CUDAKernelCallExpr>(expression)) {
    launch.kernel = callee;
    if (const CallExpr* configuration = configured->getConfig()) {
      const auto part = [&](unsigned i) {
        return i < configuration->getNumArgs() ? configuration->getArg(i) : nullptr;
      };
      launch.grid = part(0);
      launch.block = part(1);
      launch.shared = part(2);
      launch.stream = part(3);
      statement(configuration, caller);
    }
    for (unsigned i = 0; i < expression->getNumArgs(); ++i) launch.arguments.push_back(argument(i));
    launches.push_back(launch);
    launch_callers_.push_back(caller);
    return;
  }
  if (!callee || !callee->getDeclName().isIdentifier()) return;
  const llvm::StringRef name = callee->getName();
  if (name == "cudaLaunchKernel" || name == "cudaLaunchCooperativeKernel") {
    launch.kernel = function_of(argument(0));
    launch.grid = argument(1);
    launch.block = argument(2);
    launch.argument_array = argument(3);
    launch.shared = argument(4);
    launch.stream = argument(5);
    launches.push_back(launch);
    launch_callers_.push_back(caller);
  } else if (name == "cudaLaunchKernelEx" || name == "cuLaunchKernelEx" || name == "cuLaunchKernel") {
    launch.kernel = name == "cudaLaunchKernelEx" ? function_of(argument(1)) : nullptr;
    launches.push_back(launch);
    launch_callers_.push_back(caller);
  }
}

const FunctionDecl* TranslationUnit::written(const FunctionDecl* function) const {
  if (!function) return nullptr;
  if (const FunctionDecl* pattern = function->getTemplateInstantiationPattern()) function = pattern;
  const FunctionDecl* definition = nullptr;
  return function->isDefined(definition) ? definition : function;
}

bool TranslationUnit::is_kernel(const FunctionDecl* function) const {
  return function && function->hasAttr<CUDAGlobalAttr>();
}

std::string TranslationUnit::annotation(const Decl* declaration) const {
  if (!declaration) return {};
  if (const auto* function = llvm::dyn_cast<FunctionDecl>(declaration))
    if (const FunctionDecl* pattern = function->getTemplateInstantiationPattern()) declaration = pattern;
  for (const auto* one : declaration->specific_attrs<AnnotateAttr>())
    if (one->getAnnotation().startswith("trl::") && !in_candidate(declaration->getLocation()))
      return one->getAnnotation().drop_front(5).str();
  return {};
}

const Expr* TranslationUnit::bare(const Expr* expression) {
  while (expression) {
    const Expr* inner = expression->IgnoreParenCasts()->IgnoreImplicit();
    if (const auto* temporary = llvm::dyn_cast<ExprWithCleanups>(inner)) inner = temporary->getSubExpr();
    if (const auto* held = llvm::dyn_cast<MaterializeTemporaryExpr>(inner)) inner = held->getSubExpr();
    if (const auto* bound = llvm::dyn_cast<CXXBindTemporaryExpr>(inner)) inner = bound->getSubExpr();
    if (const auto* copy = llvm::dyn_cast<CXXConstructExpr>(inner);
        copy && copy->getNumArgs() == 1 && copy->getConstructor()->isCopyOrMoveConstructor())
      inner = copy->getArg(0);
    if (const auto* fallback = llvm::dyn_cast<CXXDefaultArgExpr>(inner)) inner = fallback->getExpr();
    if (inner == expression) return inner;
    expression = inner;
  }
  return nullptr;
}

const VarDecl* TranslationUnit::variable(const Expr* expression) {
  const auto* named = llvm::dyn_cast_or_null<DeclRefExpr>(bare(expression));
  return named ? llvm::dyn_cast<VarDecl>(named->getDecl()) : nullptr;
}

std::optional<std::int64_t> TranslationUnit::bits(QualType type) const {
  if (type.isNull() || type->isDependentType() || type->isIncompleteType() || type->isFunctionType() ||
      type->isPlaceholderType())
    return std::nullopt;
  if (const DeducedType* deduced = type->getContainedDeducedType(); deduced && !deduced->isDeduced())
    return std::nullopt;
  const TagDecl* tag = type->getBaseElementTypeUnsafe()->getAsTagDecl();
  if (tag && tag->isInvalidDecl()) return std::nullopt;
  return static_cast<std::int64_t>(context.getTypeSize(type));
}

bool TranslationUnit::changed(const VarDecl* variable) const {
  return std::binary_search(changed_.begin(), changed_.end(), variable);
}

const Expr* TranslationUnit::only_value(const VarDecl* variable) const {
  // After a syntax error, expressions may have no type.
  if (!variable || llvm::isa<ParmVarDecl>(variable) || !variable->getInit() || variable->isInvalidDecl() ||
      variable->getInit()->containsErrors() || changed(variable))
    return nullptr;
  return variable->getInit();
}

std::optional<std::int64_t> TranslationUnit::constant(const Expr* expression, int depth) const {
  if (!expression || depth > 16 || expression->isValueDependent() || expression->getType().isNull())
    return std::nullopt;
  expression = expression->IgnoreParens();
  if (!expression->getType()->isIntegralOrEnumerationType()) return std::nullopt;
  Expr::EvalResult result;
  if (expression->EvaluateAsInt(result, context, Expr::SE_NoSideEffects)) {
    const llvm::APSInt& value = result.Val.getInt();
    if (value.isSigned() ? value.getMinSignedBits() > 64 : value.getActiveBits() > 63) return std::nullopt;
    return value.getExtValue();
  }
  const Expr* inner = bare(expression);
  if (const VarDecl* named = variable(inner)) return constant(only_value(named), depth + 1);
  if (const auto* binary = llvm::dyn_cast<BinaryOperator>(inner)) {
    const auto left = constant(binary->getLHS(), depth + 1), right = constant(binary->getRHS(), depth + 1);
    if (!left || !right) return std::nullopt;
    std::int64_t value = 0;
    switch (binary->getOpcode()) {
      case BO_Add:
        return __builtin_add_overflow(*left, *right, &value) ? std::nullopt : std::optional(value);
      case BO_Sub:
        return __builtin_sub_overflow(*left, *right, &value) ? std::nullopt : std::optional(value);
      case BO_Mul:
        return __builtin_mul_overflow(*left, *right, &value) ? std::nullopt : std::optional(value);
      case BO_Div:
        return *right > 0 ? std::optional(*left / *right) : std::nullopt;
      default:
        return std::nullopt;
    }
  }
  return std::nullopt;
}

Triple TranslationUnit::constants(const Expr* dim3) const {
  const Expr* expression = bare(dim3);
  if (!expression) return {};
  if (const VarDecl* named = variable(expression)) {
    expression = bare(only_value(named));
    if (!expression) return {};
  }
  if (expression->getType().isNull()) return {};
  if (expression->getType()->isIntegralOrEnumerationType()) return {constant(expression), 1, 1};
  const auto* made = llvm::dyn_cast<CXXConstructExpr>(expression);
  if (!made) return {};
  if (made->getNumArgs() == 1 && !made->getArg(0)->getType()->isIntegralOrEnumerationType()) return {};
  Triple all{1, 1, 1};
  for (unsigned i = 0; i < std::min(3u, made->getNumArgs()); ++i) {
    const Expr* one = made->getArg(i);
    if (const auto* fallback = llvm::dyn_cast<CXXDefaultArgExpr>(one)) one = fallback->getExpr();
    // The parameter is unsigned, so a conversion could hide a negative number; therefore the expression
    // before the conversion is used.
    all[i] = constant(one->IgnoreImpCasts());
  }
  return all;
}

std::string TranslationUnit::text(const Expr* expression) const {
  if (!expression) return {};
  const SourceManager& sources = context.getSourceManager();
  const CharSourceRange range = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(expression->getSourceRange()), sources, context.getLangOpts());
  std::string written = Lexer::getSourceText(range, sources, context.getLangOpts()).str();
  for (char& letter : written)
    if (letter == '\n' || letter == '\t') letter = ' ';
  if (written.size() > 60) written.replace(57, std::string::npos, "...");
  return written;
}

void Report::found(const Check& check, SourceLocation place, std::string message, std::string help) {
  Finding one;
  one.check = check.id;
  one.severity = check.severity;
  one.reason = check.reason;
  one.message = std::move(message);
  one.help = std::move(help);
  std::tie(one.line, one.column) = unit_.position(place);
  for (const Finding& other : findings_)
    if (other.check == one.check && other.line == one.line && other.column == one.column) return;
  if (findings_.size() < 100) findings_.push_back(std::move(one));
}

std::vector<Finding> Report::take() {
  std::stable_sort(findings_.begin(), findings_.end(), [](const Finding& a, const Finding& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  return std::move(findings_);
}

}  // namespace trl::kernel_check
