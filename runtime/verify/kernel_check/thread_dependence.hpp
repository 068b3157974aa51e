// Which values of device code differ between threads, as far as the text shows it.
#pragma once
#include <map>
#include <set>

#include "runtime/verify/kernel_check/unit.hpp"

namespace trl::kernel_check {

/// Whether a call waits for all threads of a block: __syncthreads and its kin.
bool is_block_barrier(const clang::FunctionDecl* callee);

class ThreadDependence {
 public:
  /// `threads`: what differs within a block. `programs`: what differs between blocks, too.
  enum class Among { threads, programs };
  ThreadDependence(const clang::FunctionDecl* function, Among among);

  /// Whether the value may differ. Shared variables by themselves don't; their elements do, by the index.
  bool differs(const clang::Stmt* expression) const;

 private:
  bool result_differs(const clang::FunctionDecl* callee) const;

  Among among_;
  std::set<const clang::VarDecl*> differing_;
  mutable std::map<const clang::FunctionDecl*, bool> results_;
};

/// Whether the function or what it calls holds a barrier of the block.
bool has_barrier(const clang::FunctionDecl* function);

}  // namespace trl::kernel_check
