// A candidate's syntax tree, sorted into lists of functions, calls, launches and so on. The lists are made
// once, and each check iterates over the lists that it needs.
#pragma once
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "verifier/kernel_check/check.hpp"

namespace trl::kernel_check {

/// A function with a body. A template is not listed itself, but each instantiation of it is.
struct Function {
  const clang::FunctionDecl* declaration = nullptr;
  bool device = false;  ///< whether it runs only on the device: __global__, or __device__ without __host__
};

struct Call {
  const clang::CallExpr* expression = nullptr;
  const clang::FunctionDecl* callee = nullptr;  ///< null when the callee is a computed value
  const Function* caller = nullptr;             ///< null when a global variable's initialiser has the call
};

/// A launch by `<<<…>>>`, cudaLaunchKernel, cudaLaunchCooperativeKernel, cudaLaunchKernelEx or
/// cuLaunchKernelEx.
struct Launch {
  const clang::Expr* expression = nullptr;
  const clang::FunctionDecl* kernel = nullptr;  ///< null when the kernel is a variable's value
  /// The expressions of the launch configuration; null for an expression that can't be found in the text.
  const clang::Expr *grid = nullptr, *block = nullptr, *shared = nullptr, *stream = nullptr;
  std::vector<const clang::Expr*> arguments;    ///< the kernel's arguments in a launch by `<<<…>>>`
  const clang::Expr* argument_array = nullptr;  ///< the array of arguments in a launch by cudaLaunchKernel
  const Function* caller = nullptr;
};

using Triple = std::array<std::optional<std::int64_t>, 3>;

class TranslationUnit {
 public:
  TranslationUnit(clang::ASTContext& context, clang::FileID candidate,
                  const std::vector<const clang::Decl*>& declarations, Limits limits, Language language);

  clang::ASTContext& context;
  const clang::FileID candidate;
  const Limits limits;
  const Language language;
  /// Whether Clang found errors in host code, so that calls may be missing from the tree.
  bool broken_host = false;

  std::vector<const clang::FunctionDecl*> kernels;  ///< kernels in the text: a template is listed once
  std::vector<Function> functions;
  std::vector<const clang::VarDecl*> globals;  ///< variables in namespaces and classes
  std::vector<const clang::VarDecl*> locals;   ///< variables in `functions`
  std::vector<const clang::Decl*> others;      ///< other declarations in namespaces
  std::vector<Call> calls;
  std::vector<Launch> launches;

  /// Returns the position in the candidate's text: for code from a macro, the position at which the macro is
  /// used.
  clang::SourceLocation in_file(clang::SourceLocation place) const;
  bool in_candidate(clang::SourceLocation place) const;
  /// Returns line and column, counted from 1; {0, 0} for a position outside of the candidate's text.
  std::pair<int, int> position(clang::SourceLocation place) const;

  /// Returns the function's declaration in the text: for an instance of a template, the template's function.
  const clang::FunctionDecl* written(const clang::FunctionDecl* function) const;
  bool is_kernel(const clang::FunctionDecl* function) const;
  /// Returns the `reason` of the annotation "trl::reason" that a declaration has in the prelude; empty when
  /// it has no such annotation.
  std::string annotation(const clang::Decl* declaration) const;
  /// Returns the value of an integer expression that consists of constants and of variables that never
  /// change; none for other expressions.
  std::optional<std::int64_t> constant(const clang::Expr* expression, int depth = 0) const;
  /// Like `constant`, for each of the three members of a dim3.
  Triple constants(const clang::Expr* dim3) const;
  /// Returns the number of bits of an integer type; none for other types, and for a type that has no size
  /// because of an error in the text.
  std::optional<std::int64_t> bits(clang::QualType type) const;
  /// Returns the expression without the parentheses, casts, temporaries and copies around it.
  static const clang::Expr* bare(const clang::Expr* expression);
  /// Returns the variable that an expression names; null for other expressions.
  static const clang::VarDecl* variable(const clang::Expr* expression);
  /// Returns the initialiser of `variable` if the variable always has this value, since nothing changes the
  /// variable or takes its address; else null.
  const clang::Expr* only_value(const clang::VarDecl* variable) const;
  bool changed(const clang::VarDecl* variable) const;
  std::string text(const clang::Expr* expression) const;

 private:
  void declaration(const clang::Decl* declaration);
  void function(const clang::FunctionDecl* function);
  void statement(const clang::Stmt* statement, std::size_t caller);
  void call(const clang::CallExpr* expression, std::size_t caller);

  /// For each element of `calls` and of `launches`: the caller's index in `functions`, since pointers to
  /// elements of `functions` aren't stable while it grows.
  std::vector<std::size_t> call_callers_, launch_callers_;
  std::vector<const clang::VarDecl*> changed_;
};

/// Calls `visit` for `root` and every node below it. When `visit` returns false for a node, the node's
/// children are skipped.
void walk(const clang::Stmt* root, const std::function<bool(const clang::Stmt*)>& visit);

/// Collects the findings of the checks; a check's findings at the same position are listed once.
class Report {
 public:
  explicit Report(const TranslationUnit& unit) : unit_(unit) {}
  void found(const Check& check, clang::SourceLocation place, std::string message, std::string help = {});
  std::vector<Finding> take();

 private:
  const TranslationUnit& unit_;
  std::vector<Finding> findings_;
};

/// Names the function that a call makes PyTorch compute.
std::string computed_by_framework(const Call& call);

}  // namespace trl::kernel_check
