// Writes one CUDA kernel for an expression, in a given layout, and what its launch needs.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "runtime/corpus/answer.hpp"
#include "runtime/corpus/cuda/operators.hpp"
#include "runtime/corpus/cuda/style.hpp"
#include "runtime/tasks/task.hpp"

namespace trl::runtime::cuda {

/// How a kernel's threads share the matrix.
enum class Layout {
  Flat,     // a thread an element, counted through
  Tile,     // a thread an element of a 2-D block
  Block,    // a block a row, or a column
  Warp,     // a warp a row
  Thread,   // a thread a row, or a column
  Product,  // a thread an element of a matrix product
};

/// The kernel's text, line by line, and its launch.
struct Kernel {
  std::vector<std::string> lines;
  std::vector<std::string> inputs;   // names, in the order of the parameters
  std::vector<std::string> sizes;    // n, M, N, K as far as they are parameters
  std::string grid, block;           // "(n + 255) / 256", "dim3(32, 8)"
  std::string shared;                // bytes of dynamic shared memory; empty: none
  std::string flat_input;            // the input whose shape is [M, N]
  int threads = 0;                   // of a block
  bool takes_four = false;           // it names Four<T>, four elements side by side
  std::set<Combination> reductions;  // that it calls, of a warp or of a block
};

/// A local variable's or parameter's name for an input: its own, unless that means something else.
std::string variable_of(const std::string& input);

/// `task` is a part of the whole: its inputs can include temporaries (dtype "f32 temporary"), and its output
/// is one where `makes_temporary`. `value` has at most one matrix product, below everything else, or
/// operators along one axis. Throws UserError beyond that.
Kernel write_kernel(const Task& task, const std::string& name, bool makes_temporary, Layout layout,
                    const Style& style, const Manner& manner, Flaw flaw);

}  // namespace trl::runtime::cuda
