// A candidate's syntax tree, sorted for the checks. It is made once, and checks iterate over the parts that
// they need.
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

/// A function that has a body without dependent types: each instantiation of a template counts.
struct Function {
  const clang::FunctionDecl* declaration = nullptr;
  bool device = false;  ///< runs on the device alone: __global__ or __device__ without __host__
};

struct Call {
  const clang::CallExpr* expression = nullptr;
  const clang::FunctionDecl* callee = nullptr;  ///< null where it is computed
  const Function* caller = nullptr;             ///< null in the initialiser of a global variable
};

/// A launch by `<<<…>>>`, cudaLaunchKernel, cudaLaunchCooperativeKernel, cudaLaunchKernelEx or
/// cuLaunchKernelEx.
struct Launch {
  const clang::Expr* expression = nullptr;
  const clang::FunctionDecl* kernel = nullptr;  ///< null where it is a variable
  /// The expressions of the configuration; null where they can't be seen.
  const clang::Expr *grid = nullptr, *block = nullptr, *shared = nullptr, *stream = nullptr;
  std::vector<const clang::Expr*> arguments;    ///< of `<<<…>>>`
  const clang::Expr* argument_array = nullptr;  ///< of cudaLaunchKernel
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
  /// The parser found errors in host code, so calls may be missing from the tree.
  bool broken_host = false;

  std::vector<const clang::FunctionDecl*> kernels;  ///< as written: each template counts once
  std::vector<Function> functions;
  std::vector<const clang::VarDecl*> globals;  ///< in namespaces and classes
  std::vector<const clang::VarDecl*> locals;   ///< of `functions`
  std::vector<const clang::Decl*> others;      ///< other declarations in namespaces
  std::vector<Call> calls;
  std::vector<Launch> launches;

  /// The position in the candidate's text; for code from a macro, where the macro is used.
  clang::SourceLocation in_file(clang::SourceLocation place) const;
  bool in_candidate(clang::SourceLocation place) const;
  /// Line and column, from 1; {0, 0} outside of the candidate's text.
  std::pair<int, int> position(clang::SourceLocation place) const;

  /// The kernel as written, of which this function is a template instance.
  const clang::FunctionDecl* written(const clang::FunctionDecl* function) const;
  bool is_kernel(const clang::FunctionDecl* function) const;
  /// The reason in a prelude's annotation "trl::reason"; empty when there is none.
  std::string annotation(const clang::Decl* declaration) const;
  /// The value of an integer expression, as far as it consists of constants and variables that are never
  /// changed.
  std::optional<std::int64_t> constant(const clang::Expr* expression, int depth = 0) const;
  /// The same for the three members of a dim3.
  Triple constants(const clang::Expr* dim3) const;
  /// The number of bits of an integer type; none for other types, and for types without a size after an
  /// error.
  std::optional<std::int64_t> bits(clang::QualType type) const;
  /// The expression without parentheses, casts, temporaries and copies.
  static const clang::Expr* bare(const clang::Expr* expression);
  /// The variable that an expression names, or null.
  static const clang::VarDecl* variable(const clang::Expr* expression);
  /// The only value of `variable`: its initialiser, if nothing changes it or takes its address; else null.
  const clang::Expr* only_value(const clang::VarDecl* variable) const;
  bool changed(const clang::VarDecl* variable) const;
  std::string text(const clang::Expr* expression) const;

 private:
  void declaration(const clang::Decl* declaration);
  void function(const clang::FunctionDecl* function);
  void statement(const clang::Stmt* statement, std::size_t caller);
  void call(const clang::CallExpr* expression, std::size_t caller);

  std::vector<std::size_t> call_callers_, launch_callers_;  ///< indices into `functions`, while it grows
  std::vector<const clang::VarDecl*> changed_;
};

/// Calls `visit` for `root` and every node below it. The children of a node are skipped when it returns
/// false.
void walk(const clang::Stmt* root, const std::function<bool(const clang::Stmt*)>& visit);

/// Collects the findings of the checks; equal positions are reported once.
class Report {
 public:
  explicit Report(const TranslationUnit& unit) : unit_(unit) {}
  void found(const Check& check, clang::SourceLocation place, std::string message, std::string help = {});
  std::vector<Finding> take();

 private:
  const TranslationUnit& unit_;
  std::vector<Finding> findings_;
};

}  // namespace trl::kernel_check
