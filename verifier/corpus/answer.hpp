// Writes answers to tasks in Triton or CUDA: right ones in varied style, and ones with a planted flaw.
#pragma once

#include <cstdint>
#include <string>

#include "base/support/random.hpp"
#include "verifier/corpus/flaw.hpp"
#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// Choices that vary an answer without changing whether it is right.
struct Style {
  enum class Layout { Flat, Tile, Line };
  Layout elementwise = Layout::Flat;  // 1-D offsets over all elements, 2-D tiles, or one program per row
  bool several_lines = false;  // for operators along an axis: each program has several rows (or columns)
  int block = 256;             // elements per program of a flat kernel
  int tile = 32;               // rows and columns of a tile
  int depth = 32;              // block size of a matrix product's inner loop
  int lines = 4;               // rows (or columns) per program, with several_lines
  bool split = false;          // two kernels and a temporary where one kernel would do
  bool grid_variable = false;
  bool long_names = false;      // BLOCK_SIZE and offsets instead of BLOCK and offs
  std::uint64_t placement = 0;  // chooses where to split and where a flaw is planted

  static Style draw(RandomStream& random);
};

/// Writes a Python module with one or two Triton kernels and `class ModelNew(torch.nn.Module)`, which
/// computes the task. With Flaw::None it is right under every variation. A flaw that doesn't apply to the
/// task leaves the answer right. Covers elementwise operators on [M, N] with inputs [M, N], [N] and [M, 1],
/// operators along either axis, reductions, one leading matrix product of two inputs, and a transposition at
/// the end. Throws UserError for other tasks.
std::string answer(const Task& task, const Style& style, Flaw flaw);

/// Writes the same with CUDA kernels that load_inline builds. Flaws come from CUDA's mix.
std::string cuda_answer(const Task& task, const Style& style, Flaw flaw);

/// Writes an answer in the given language.
std::string answer(const Task& task, const Style& style, Flaw flaw, KernelLanguage language);

}  // namespace trl::runtime
