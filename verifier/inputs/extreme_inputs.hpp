#pragma once
// Makes the inputs of the variation `extreme`, which have values that ordinary random numbers don't include.
#include <vector>

#include "base/support/random.hpp"
#include "verifier/replay/replay.hpp"
#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// The kinds of extreme rows. A row is a line along an input's last axis. If an input has few such lines,
/// each 32 consecutive elements are a row.
enum class ExtremeRow {
  large,      ///< numbers of both signs up to a magnitude between 4 and the largest that the task allows
  above,      ///< ordinary numbers shifted by a large positive number
  below,      ///< ordinary numbers shifted by a large negative number
  spike,      ///< one large number among ordinary numbers
  near_ties,  ///< numbers that differ only in their last bits
  ties,       ///< two different numbers, each many times
  zeros,      ///< zeros of both signs between ordinary numbers
  faint,      ///< ordinary numbers times a factor between 1e-20 and 1e-2
  halves,     ///< integers and numbers halfway between integers, where rounding and comparisons change their
              ///< result
  denormals,  ///< numbers below the smallest normal number
  positive_infinity,  ///< one +infinity among ordinary numbers
  negative_infinity,
  not_a_number,  ///< a NaN among ordinary numbers
};

/// The kinds of extreme rows that can be used for a task. Each kind is tried. It is usable if the f64
/// reference has no more NaNs than for ordinary inputs, is finite in the task's dtype (except for infinite
/// inputs), and agrees with PyTorch in f32.
struct ExtremeRange {
  std::vector<ExtremeRow> kinds;
  /// The largest magnitude of `large`, `above`, `below` and `spike`; 0: these kinds aren't usable.
  double largest = 0;
  /// Whether `large` and `spike` get the largest possible magnitudes, as when a task is tested for whether it
  /// can be computed with them. Otherwise their magnitudes are drawn.
  bool at_largest = false;
};
/// Finds the usable kinds of extreme rows. The result depends on the arguments alone, and is cached.
ExtremeRange extreme_range(const Task& task, const Variation& variation, int draw = 0);

/// The number of times that extreme inputs are drawn. In each draw only the floating-point inputs of one
/// shape have extreme rows. So this is the number of different shapes of floating-point inputs, but at most
/// 3.
int extreme_draws(const Task& task, const Variation& variation);

/// Draws the inputs of the variation `extreme`. Draw 0 puts extreme rows into the first floating-point input
/// and all inputs of the same shape; draws 1 and 2 do so for the inputs of another shape. The remaining
/// inputs are ordinary. In an input with extreme rows, half of the rows are extreme, or up to three quarters
/// if there are many kinds; the usable kinds take turns. If a row has ties, the other inputs of that shape
/// have the same or nearly the same numbers there. Numbers that an input can't hold are moved to the nearest
/// allowed number. In an input of integers other than indices, a quarter of the rows holds the smallest
/// allowed integer, and a quarter the largest.
std::vector<InputData> extreme_inputs(const Task& task, const Variation& variation, RandomKey key,
                                      int draw = 0);

}  // namespace trl::runtime
