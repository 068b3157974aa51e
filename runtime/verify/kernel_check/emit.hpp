// A candidate's host code as an object that the recorder loads: the same syntax tree that the checks saw,
// made into x86-64 by libLLVM, in memory.
#pragma once
#include <clang/AST/ASTConsumer.h>
#include <clang/Frontend/CompilerInstance.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/verify/kernel_check/unit.hpp"

namespace trl::kernel_check {

/// What Clang told while it parsed, to be told again to its code generator.
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

/// The text that follows the candidate's: `extern "C" void trl_bind()` gives the loader the functions that
/// Python may call: `functions`, or what PYBIND11_MODULE names where there are none.
std::string glue(const std::vector<std::string>& functions);

/// Why `functions` can't be called: the first that the candidate doesn't define once, in words; or empty.
std::string missing_function(const clang::ASTContext& context, const Unit& unit,
                             const std::vector<std::string>& functions);

/// What is no fault of the text but can't be made into an object and kernels: unsupported, at that line.
struct NotEmitted : std::runtime_error {
  NotEmitted(const std::string& what, int line) : std::runtime_error(what), line(line) {}
  int line;
};

/// {"object" (base64 of an ELF relocatable file), "kernels", "device_source"} as docs/seams.md, 4 has them;
/// throws std::runtime_error where no code can be made. The compiler generates nothing afterwards.
nlohmann::json emit(clang::CompilerInstance& compiler, const Unit& unit, const Parsed& parsed,
                    const std::vector<const clang::Decl*>& declarations);

/// Makes libLLVM ready, once a process: what a candidate's process would else do.
void prepare_emit();

}  // namespace trl::kernel_check
