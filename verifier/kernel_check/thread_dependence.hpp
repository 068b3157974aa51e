// Finds values of device code that differ between threads, as far as the text shows that.
#pragma once
#include <map>
#include <set>

#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

/// Whether a call waits for all threads of a block: __syncthreads and its variants.
bool is_block_barrier(const clang::FunctionDecl* callee);

class ThreadDependence {
 public:
  /// `threads`: values that differ within a block. `programs`: values that differ between blocks, too.
  enum class Among { threads, programs };
  ThreadDependence(const clang::FunctionDecl* function, Among among);

  /// Whether the value may differ. A shared variable itself doesn't differ; its elements do if their indices
  /// do.
  bool differs(const clang::Stmt* expression) const;

 private:
  bool result_differs(const clang::FunctionDecl* callee) const;

  Among among_;
  std::set<const clang::VarDecl*> differing_;
  mutable std::map<const clang::FunctionDecl*, bool> results_;
};

/// Whether the function, or a function that it calls, contains a barrier of the block.
bool has_barrier(const clang::FunctionDecl* function);

}  // namespace trl::kernel_check
