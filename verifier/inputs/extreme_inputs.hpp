#pragma once
// The inputs of the variation `extreme`: values that random numbers of ordinary size don't include.
#include <vector>

#include "base/support/random.hpp"
#include "verifier/replay/replay.hpp"
#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// The kinds of rows. Rows lie along the last axis; where there are few, 32 elements count as a row.
enum class ExtremeRow {
  large,      ///< numbers of both signs up to a magnitude between 4 and the largest that the task allows
  above,      ///< ordinary numbers around one that is far above zero
  below,      ///< … far below zero
  spike,      ///< one large number among ordinary ones
  near_ties,  ///< numbers that differ in their last bits alone
  ties,       ///< two different numbers, each many times
  zeros,      ///< zeros of both signs between ordinary numbers
  faint,      ///< ordinary numbers times a factor between 1e-20 and 1e-2
  halves,     ///< integers and the numbers halfway between, at which rounding and comparisons change their
              ///< result
  denormals,  ///< numbers below the smallest normal number
  positive_infinity,  ///< one among ordinary numbers
  negative_infinity,
  not_a_number,  ///< a NaN among ordinary numbers
};

/// The kinds of rows for which a task is defined, found by trying each. A kind is admitted when the f64
/// reference has no more NaNs than ordinary inputs give, is finite in the task's dtype (except for infinite
/// inputs), and PyTorch's own arithmetic in f32 agrees.
struct ExtremeRange {
  std::vector<ExtremeRow> kinds;
  /// The largest magnitude of `large`, `above`, `below` and `spike`; 0: these aren't admitted.
  double largest = 0;
};
/// Computes the range. The result is the same for every call with a task, and is cached.
ExtremeRange extreme_range(const Task& task, const Variation& variation, int draw = 0);

/// The number of draws. In each draw the inputs of one shape have extreme rows, so there is a draw for each
/// shape, such as rows, weights and biases; at most 3.
int extreme_draws(const Task& task, const Variation& variation);

/// Draws the inputs. Half of the rows are ordinary, or fewer where the kinds don't fit into the other half.
/// The other rows take the admitted kinds in turn, in the first floating-point input (in draws 1 and 2
/// another one) and in every input of its shape; inputs of other shapes stay ordinary. Where a row has ties,
/// inputs of the same shape are equal or nearly equal there. Numbers are moved to the nearest that the input
/// may hold. Of integers, a quarter of the rows is the least and a quarter the largest that the input may
/// hold.
std::vector<InputData> extreme_inputs(const Task& task, const Variation& variation, RandomKey key,
                                      int draw = 0);

}  // namespace trl::runtime
