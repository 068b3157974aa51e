// Writes one Triton kernel for an expression in a given layout, and describes its launch.
#pragma once

#include <string>
#include <vector>

#include "verifier/corpus/answer.hpp"
#include "verifier/corpus/coverage.hpp"
#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// How the matrix is divided among a kernel's programs.
enum class Layout {
  Flat,     // 1-D blocks of all elements
  Tile,     // 2-D blocks
  Line,     // one program per row or column
  Lines,    // one program per group of rows or columns
  Product,  // 2-D blocks of a matrix product
};

/// A kernel's text, line by line, and its launch.
struct Kernel {
  std::vector<std::string> lines;
  std::vector<std::string> tensors;    // inputs, in the order of the parameters
  std::vector<std::string> sizes;      // the sizes among n, M, N, K that are parameters
  std::string grid;                    // "(triton.cdiv(n, 256),)"
  std::vector<std::string> constants;  // "BLOCK=256"
  std::string flat_input;              // the input whose numel() is n
};

/// Writes the kernel of `task`, which may be a part of a task whose inputs include temporaries (dtype "f32
/// temporary"). Its value has at most one matrix product, below all other operators, or operators along one
/// axis. Throws UserError for others.
Kernel write_kernel(const Task& task, const std::string& name, Layout layout, const Style& style, Flaw flaw);

}  // namespace trl::runtime
