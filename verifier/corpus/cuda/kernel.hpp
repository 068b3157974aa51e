// Writes one CUDA kernel for an expression, and describes the kernel's launch.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "verifier/corpus/answer.hpp"
#include "verifier/corpus/cuda/operators.hpp"
#include "verifier/corpus/cuda/style.hpp"
#include "verifier/tasks/task.hpp"

namespace trl::runtime::cuda {

/// The way in which the matrix is divided among a kernel's threads.
enum class Layout {
  Flat,     // one thread per element, numbered consecutively
  Tile,     // one thread per element of a 2-D block
  Block,    // one block per row or column
  Warp,     // one warp per row
  Thread,   // one thread per row or column
  Product,  // one thread per element of a matrix product
};

/// The lines of a kernel's source, and the parameters of its launch.
struct Kernel {
  std::vector<std::string> lines;
  std::vector<std::string> inputs;   // names of the inputs, in the order of the parameters
  std::vector<std::string> sizes;    // the parameters that are sizes, from n, M, N, K
  std::string grid, block;           // C++ expressions, such as "(n + 255) / 256" and "dim3(32, 8)"
  std::string shared;                // C++ expression of the bytes of dynamic shared memory; empty: none
  std::string flat_input;            // the input whose shape is [M, N]
  int threads = 0;                   // the number of threads of a block
  bool takes_four = false;           // whether it uses Four<T>, a struct of four neighbouring elements
  std::set<Combination> reductions;  // the combinations for which it calls a warp or block function
};

/// The name of an input's variable or parameter in the kernel. It is the input's own name, unless C++ or the
/// kernel uses that name otherwise.
std::string variable_of(const std::string& input);

/// Writes the kernel that computes `task`. This may be a part of a larger task: inputs of dtype "f32
/// temporary" are then written by an earlier kernel, and with `makes_temporary` the output is such a
/// temporary tensor. The task's expression may have one matrix product, below all other operators, or
/// operators along one axis. Throws UserError for other expressions.
Kernel write_kernel(const Task& task, const std::string& name, bool makes_temporary, Layout layout,
                    const Style& style, const CudaStyle& cuda_style, Flaw flaw);

}  // namespace trl::runtime::cuda
