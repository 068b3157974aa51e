// Compiles a candidate's host code to an object that the recorder loads: libLLVM makes x86-64 code in memory
// from the syntax tree that the checks saw.
#pragma once
#include <clang/AST/ASTConsumer.h>
#include <clang/Frontend/CompilerInstance.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

/// Records the calls by which Clang tells its consumers of the parse, to be repeated to its code generator.
class Parsed {
 public:
  enum class Kind { top_level, in_class, member, table, tentative };
  void add(Kind kind, const clang::Decl* declaration) { all_.push_back({kind, declaration}); }
  void tell(clang::ASTConsumer& to) const;
  template <class F>
  void each(const F& look) const {
    for (const Event& one : all_) look(one.declaration);
  }

 private:
  struct Event {
    Kind kind;
    const clang::Decl* declaration;
  };
  std::vector<Event> all_;
};

/// The text that is appended to the candidate's: `extern "C" void trl_bind()` tells the loader the functions
/// that Python may call, which are `functions`, or PYBIND11_MODULE's if that list is empty.
std::string glue(const std::vector<std::string>& functions);

/// A message about the first of `functions` that can't be called because the candidate doesn't define it
/// exactly once; empty when all can be.
std::string missing_function(const clang::ASTContext& context, const TranslationUnit& unit,
                             const std::vector<std::string>& functions);

/// Thrown for a valid text that can't be compiled to an object and kernels; the verdict is unsupported, at
/// that line.
struct NotEmitted : std::runtime_error {
  NotEmitted(const std::string& what, int line) : std::runtime_error(what), line(line) {}
  int line;
};

/// Returns {"object" (base64 of an ELF relocatable file), "kernels", "device_source"} as described in
/// docs/interfaces.md, 4. Throws std::runtime_error where no code can be made. The compiler must not be used
/// for code generation afterwards.
nlohmann::json emit(clang::CompilerInstance& compiler, const TranslationUnit& unit, const Parsed& parsed,
                    const std::vector<const clang::Decl*>& declarations);

/// Initialises libLLVM, once per process, so that a candidate's process needn't do it.
void prepare_emit();

}  // namespace trl::kernel_check
