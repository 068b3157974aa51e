// Generates answers to tasks in Triton or CUDA, in varied style: right answers and answers with a planted
// flaw.
#pragma once

#include <cstdint>
#include <string>

#include "base/support/random.hpp"
#include "verifier/corpus/flaw.hpp"
#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// Choices that change an answer's form but not its correctness.
struct Style {
  enum class Layout { Flat, Tile, Line };
  Layout elementwise =
      Layout::Flat;            // flat (1-D offsets over all elements), 2-D tiles, or one program per row
  bool several_lines = false;  // for operators along an axis: whether a program has several rows (or columns)
  int block = 256;             // elements per program of a flat kernel
  int tile = 32;               // rows and columns of a tile
  int depth = 32;              // block size of a matrix product's inner loop
  int lines = 4;               // rows (or columns) per program, with several_lines
  bool split = false;          // whether two kernels and a temporary tensor replace one kernel
  bool grid_variable = false;
  bool long_names = false;      // whether to write BLOCK_SIZE and offsets instead of BLOCK and offs
  std::uint64_t placement = 0;  // a random number that chooses where to split and where to plant a flaw

  static Style draw(RandomStream& random);
};

/// Returns a Python module with one or two Triton kernels and `class ModelNew(torch.nn.Module)`, which
/// computes the task. With Flaw::None the answer is right under every variation. A flaw that doesn't apply to
/// the task leaves the answer right. A task may have elementwise operators on [M, N] with inputs [M, N], [N]
/// and [M, 1], operators along either axis, reductions, one leading matrix product of two inputs, and a
/// transposition at the end. Throws UserError for other tasks.
std::string answer(const Task& task, const Style& style, Flaw flaw);

/// Like `answer`, but the answer has CUDA kernels, which PyTorch's load_inline builds. `flaw` is one of
/// CUDA's flaws.
std::string cuda_answer(const Task& task, const Style& style, Flaw flaw);

/// Returns an answer in Triton or CUDA.
std::string answer(const Task& task, const Style& style, Flaw flaw, KernelLanguage language);

}  // namespace trl::runtime
