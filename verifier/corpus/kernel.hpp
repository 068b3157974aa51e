// Writes one Triton kernel for an expression, and describes the kernel's launch.
#pragma once

#include <string>
#include <vector>

#include "verifier/corpus/answer.hpp"
#include "verifier/corpus/coverage.hpp"
#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// The part of the matrix that one program of a kernel computes.
enum class Layout {
  Flat,     // a block of elements, numbered consecutively
  Tile,     // a 2-D block
  Line,     // a row or column
  Lines,    // several rows or columns
  Product,  // a 2-D block of a matrix product
};

/// The lines of a kernel's source, and the parameters of its launch.
struct Kernel {
  std::vector<std::string> lines;
  std::vector<std::string> tensors;    // names of the inputs, in the order of the parameters
  std::vector<std::string> sizes;      // the parameters that are sizes, from n, M, N, K
  std::string grid;                    // Python expression, such as "(triton.cdiv(n, 256),)"
  std::vector<std::string> constants;  // constexpr arguments, such as "BLOCK=256"
  std::string flat_input;              // the input whose number of elements is n
};

/// Writes the kernel that computes `task`. This may be a part of a larger task: inputs of dtype "f32
/// temporary" are then written by an earlier kernel. The task's expression may have one matrix product, below
/// all other operators, or operators along one axis. Throws UserError for other expressions.
Kernel write_kernel(const Task& task, const std::string& name, Layout layout, const Style& style, Flaw flaw);

}  // namespace trl::runtime
