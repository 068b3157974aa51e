// Writes one Triton kernel for an expression, in a given layout, and what its launch needs.
#pragma once

#include <string>
#include <vector>

#include "runtime/corpus/answer.hpp"
#include "runtime/corpus/coverage.hpp"
#include "runtime/tasks/task.hpp"

namespace trl::runtime {

/// How a kernel's programs share the matrix.
enum class Layout {
  Flat,     // 1-D blocks of all elements
  Tile,     // 2-D blocks
  Line,     // a program a row, or a column
  Lines,    // a program several rows, or several columns
  Product,  // 2-D blocks of a matrix product
};

/// The kernel's text, line by line, and its launch.
struct Kernel {
  std::vector<std::string> lines;
  std::vector<std::string> tensors;    // inputs, in the order of the parameters
  std::vector<std::string> sizes;      // n, M, N, K as far as they are parameters
  std::string grid;                    // "(triton.cdiv(n, 256),)"
  std::vector<std::string> constants;  // "BLOCK=256"
  std::string flat_input;              // whose numel() is n
};

/// `task` is a part of the whole: its inputs can include temporaries (dtype "f32 temporary"). `value` has at
/// most one matrix product, below everything else, or operators along one axis. Throws UserError beyond
/// that.
Kernel write_kernel(const Task& task, const std::string& name, Layout layout, const Style& style, Flaw flaw);

}  // namespace trl::runtime
