#pragma once
// Inputs of the variation `extreme`: what random numbers of ordinary size never are.
#include <vector>

#include "ground/random.hpp"
#include "runtime/tasks/task.hpp"
#include "runtime/tasks/variation.hpp"
#include "runtime/verify/replay/replay.hpp"

namespace trl::runtime {

/// What a row (the last axis; 32 elements where there are few rows) may hold.
enum class ExtremeRow {
  large,              ///< numbers of both signs up to a magnitude between 4 and the task's largest
  above,              ///< ordinary numbers around one that is far above zero
  below,              ///< … far below zero
  spike,              ///< one large number among ordinary ones
  near_ties,          ///< numbers that differ in their last bits
  ties,               ///< two numbers, over and over
  zeros,              ///< of both signs, between ordinary numbers
  faint,              ///< ordinary numbers times one between 1e-20 and 1e-2
  halves,             ///< whole numbers and those halfway between, where rounding and comparisons turn
  denormals,          ///< numbers below the smallest normal one
  positive_infinity,  ///< one among ordinary numbers
  negative_infinity,
};

/// What a task is defined for, found by trying each kind of row: it is admitted when the f64 reference has
/// no more NaN than ordinary inputs give, is finite in the task's dtype (but for infinite inputs), and
/// PyTorch's own arithmetic in f32 agrees.
struct ExtremeRange {
  std::vector<ExtremeRow> kinds;
  double largest = 0;  ///< magnitude of `large`, `above`, `below` and `spike`; 0: none
};
/// The same for every call with a task; remembered.
ExtremeRange extreme_range(const Task& task, const Variation& variation, int draw = 0);

/// A draw's extreme rows are in inputs of one shape, so that another draw is for inputs of another one: rows,
/// weights and biases in turn, at most 3.
int extreme_draws(const Task& task, const Variation& variation);

/// Half of the rows are ordinary, fewer where the kinds don't fit into the other half. The others, of the
/// first input of floats (of another one in draws 1 and 2) and of every input of its shape, are of the
/// admitted kinds in turn; inputs of other shapes stay ordinary. Where the inputs have a row of ties, inputs
/// of the same shape are equal or nearly so.
std::vector<InputData> extreme_inputs(const Task& task, const Variation& variation, RandomKey key,
                                      int draw = 0);

}  // namespace trl::runtime
