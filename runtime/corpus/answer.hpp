// Writes answers to tasks, in Triton or CUDA: honest ones in varied style, and flawed ones.
#pragma once

#include <cstdint>
#include <string>

#include "ground/random.hpp"
#include "runtime/corpus/flaw.hpp"
#include "runtime/tasks/task.hpp"

namespace trl::runtime {

/// The choices that leave an honest answer right.
struct Style {
  enum class Layout { Flat, Tile, Line };
  Layout elementwise = Layout::Flat;  // 1-D offsets over all elements, 2-D tiles, or a program a row
  bool several_lines = false;         // along an axis: several rows (or columns) a program instead of one
  int block = 256;                    // elements of a flat program
  int tile = 32;                      // rows and columns of a tile
  int depth = 32;                     // of a matrix product's inner loop
  int lines = 4;                      // rows (or columns) a program, with several_lines
  bool split = false;                 // two kernels with a temporary, where one would do
  bool grid_variable = false;
  bool long_names = false;      // BLOCK_SIZE and offsets instead of BLOCK and offs
  std::uint64_t placement = 0;  // where to split, and where a flaw sits

  static Style draw(RandomStream& random);
};

/// A Python module with a Triton kernel or two and `class ModelNew(torch.nn.Module)` that computes the task.
/// With Flaw::None it is right at every variation. A flaw that doesn't apply to the task leaves the answer
/// honest. Covers elementwise operators on [M, N] with inputs [M, N], [N] and [M, 1], operators along either
/// axis, reductions, one leading matrix product of two inputs, and a transposition at the end. Throws
/// UserError for a task beyond that.
std::string answer(const Task& task, const Style& style, Flaw flaw);

/// The same with CUDA kernels that load_inline builds; flaws are those of the mix of CUDA.
std::string cuda_answer(const Task& task, const Style& style, Flaw flaw);

/// Either.
std::string answer(const Task& task, const Style& style, Flaw flaw, KernelLanguage language);

}  // namespace trl::runtime
