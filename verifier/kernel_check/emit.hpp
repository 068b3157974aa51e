// Compiles a candidate's host code to an object file that the recorder loads: libLLVM makes x86-64 code in
// memory from the syntax tree on which the checks ran.
#pragma once
#include <clang/AST/ASTConsumer.h>
#include <clang/Frontend/CompilerInstance.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

/// Records the calls that Clang makes to an ASTConsumer during a parse. tell() repeats them to another
/// consumer, Clang's code generator.
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

/// Returns the text that is appended to the candidate's text: a function `extern "C" void trl_bind()` that
/// registers the functions that Python may call. These are `functions`, or the functions of PYBIND11_MODULE
/// if `functions` is empty.
std::string glue(const std::vector<std::string>& functions);

/// Returns a message about the first of `functions` that Python can't call because the candidate doesn't
/// define it exactly once; empty when Python can call all of them.
std::string missing_function(const clang::ASTContext& context, const TranslationUnit& unit,
                             const std::vector<std::string>& functions);

/// Thrown for a valid candidate that can't be compiled to an object and kernels. The verdict is then
/// `unsupported`, with the position `line`.
struct NotEmitted : std::runtime_error {
  NotEmitted(const std::string& what, int line) : std::runtime_error(what), line(line) {}
  int line;
};

/// Compiles a candidate. Returns a JSON object with the keys "object" (base64 of an ELF relocatable file),
/// "kernels", "refused_calls" and "device_source", as docs/interfaces.md, 4 describes it. Throws
/// std::runtime_error when no code can be generated. `compiler` must not be used for code generation
/// afterwards.
nlohmann::json emit(clang::CompilerInstance& compiler, const TranslationUnit& unit, const Parsed& parsed,
                    const std::vector<const clang::Decl*>& declarations);

/// Returns device code that uses every template instance among `kernels`, as emit describes them, so that the
/// compiler of device code makes all of them.
std::string instances_used(const nlohmann::json& kernels);

/// Initialises libLLVM, once per process. Called before a process is forked for each candidate, so that the
/// forked processes needn't do it.
void prepare_emit();

}  // namespace trl::kernel_check
