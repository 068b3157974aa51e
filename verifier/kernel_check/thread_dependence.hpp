// Finds values of device code that may differ between threads, by looking at the text alone.
#pragma once
#include <map>
#include <set>

#include "verifier/kernel_check/translation_unit.hpp"

namespace trl::kernel_check {

/// Whether the function `callee` waits for all threads of a block: __syncthreads and its variants.
bool is_block_barrier(const clang::FunctionDecl* callee);

class ThreadDependence {
 public:
  /// The threads between which a value may differ.
  /// - threads: the threads of one block
  /// - programs: all threads of a launch, also in different blocks
  enum class Among { threads, programs };
  ThreadDependence(const clang::FunctionDecl* function, Among among);

  /// Whether the value of `expression` may differ between threads. A shared variable is the same for all
  /// threads; an element of it may differ if its index may differ.
  bool differs(const clang::Stmt* expression) const;

 private:
  bool result_differs(const clang::FunctionDecl* callee) const;

  Among among_;
  std::set<const clang::VarDecl*> differing_;
  mutable std::map<const clang::FunctionDecl*, bool> results_;
};

/// Whether the function, or a function that it calls, waits for all threads of a block (is_block_barrier).
bool has_barrier(const clang::FunctionDecl* function);

}  // namespace trl::kernel_check
