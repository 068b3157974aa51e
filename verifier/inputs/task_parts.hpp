#pragma once
// Computes the expected values of single elements of a task's output, where the task is too large to be
// computed as a whole.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "verifier/compare/tolerance.hpp"
#include "verifier/replay/replay.hpp"
#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// A part of a task: the results at some indices of some dimensions. For a matrix product of which 3 rows and
/// 5 columns are kept, the part takes these rows of one matrix and these columns of the other.
class TaskPart {
 public:
  /// The part with these elements of the results, numbered as if all results were one after another
  /// (Plan::output_elements). Dimensions that can't be cut (cuttable_dims) are kept whole.
  TaskPart(const Task& task, const std::vector<std::size_t>& elements);
  /// The part that keeps these indices of each dimension, in ascending order; empty: all.
  TaskPart(const Task& task, std::vector<std::vector<std::int64_t>> kept);

  /// The number of elements of the part's inputs and results.
  double elements() const;
  /// Returns the index, in the part's results, of an element of the whole task's results. The part must
  /// contain the element.
  std::size_t number_of(std::size_t element) const;
  /// Computes the part's expected values for the inputs of the whole task, at the sizes of `whole`.
  Expected expect(const Variation& whole, const std::vector<InputData>& inputs, Precision precision) const;

 private:
  const Task& task_;
  Sizes own_;                                    // the whole task's
  std::vector<std::vector<std::int64_t>> kept_;  // for each dimension; empty: all
  Variation variation_;                          // the part's sizes

  friend std::vector<bool> cuttable_dims(const Task& task);
  TaskPart(const Task& task, Sizes own, std::vector<std::vector<std::int64_t>> kept);
};

/// Returns, for each of the task's dimensions, whether it can be cut: the results at some of its indices
/// follow from the inputs at these indices alone, even if all such dimensions are cut together. The rows and
/// columns of a matrix product can be cut, its inner dimension can't. This is found by computing the task at
/// small sizes, as a whole and in parts.
std::vector<bool> cuttable_dims(const Task& task);

}  // namespace trl::runtime
