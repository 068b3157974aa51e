// Writes one CUDA kernel for an expression in a given layout, and describes its launch.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "verifier/corpus/answer.hpp"
#include "verifier/corpus/cuda/operators.hpp"
#include "verifier/corpus/cuda/style.hpp"
#include "verifier/tasks/task.hpp"

namespace trl::runtime::cuda {

/// How the matrix is divided among a kernel's threads.
enum class Layout {
  Flat,     // one thread per element, numbered consecutively
  Tile,     // one thread per element of a 2-D block
  Block,    // one block per row or column
  Warp,     // one warp per row
  Thread,   // one thread per row or column
  Product,  // one thread per element of a matrix product
};

/// A kernel's text, line by line, and its launch.
struct Kernel {
  std::vector<std::string> lines;
  std::vector<std::string> inputs;   // names, in the order of the parameters
  std::vector<std::string> sizes;    // the sizes among n, M, N, K that are parameters
  std::string grid, block;           // "(n + 255) / 256", "dim3(32, 8)"
  std::string shared;                // bytes of dynamic shared memory; empty: none
  std::string flat_input;            // the input whose shape is [M, N]
  int threads = 0;                   // the threads of a block
  bool takes_four = false;           // whether it uses Four<T>, four neighbouring elements
  std::set<Combination> reductions;  // the device functions of a warp or block that it calls
};

/// The name of a variable or parameter for an input: the input's own, unless C++ or the kernel uses it.
std::string variable_of(const std::string& input);

/// Writes the kernel of `task`, which may be a part of a task: its inputs can include temporaries (dtype "f32
/// temporary"), and with `makes_temporary` its output is one. Its value has at most one matrix product, below
/// all other operators, or operators along one axis. Throws UserError for others.
Kernel write_kernel(const Task& task, const std::string& name, bool makes_temporary, Layout layout,
                    const Style& style, const CudaStyle& cuda_style, Flaw flaw);

}  // namespace trl::runtime::cuda
