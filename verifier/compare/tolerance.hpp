#pragma once
// The expected values of a candidate's output, and the tolerance of each value.
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "verifier/replay/replay.hpp"
#include "verifier/tasks/honest_error.hpp"
#include "verifier/tasks/precision.hpp"
#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// The expected output of one trial, in row-major order. Computing the tolerances takes ten times as long as
/// computing the values, and most right outputs are within `LeastError`, a lower bound of the tolerances. So
/// the tolerances are computed only for an output that exceeds this bound. Copies of the object share the
/// tolerances. Used by one thread at a time.
class Expected {
 public:
  /// The largest allowed errors of the values, and other values that are allowed in place of the expected
  /// ones with the same error (HonestValue::others).
  struct Bounds {
    std::vector<double> tolerances;
    std::vector<std::vector<double>> others;
  };
  using Measure = std::function<Bounds()>;

  Expected() = default;
  /// `largest`: the largest finite number of the output's dtype.
  Expected(std::vector<double> values, std::vector<double> tolerances, double largest);
  /// `least`: a lower bound of each tolerance. `measure` computes the tolerances; it is called at most once.
  Expected(std::vector<double> values, LeastError least, double largest, Measure measure);

  /// Whether `got` is a right value for element i: the expected value, or a value that rounding may give
  /// instead. A NaN is right only if such a value is NaN. An infinity is right only if such a value is the
  /// same infinity, or within its tolerance exceeds the dtype's range. Otherwise |got − value| ≤ tolerance
  /// must hold. An infinite tolerance accepts everything; it means that no bound is known.
  bool accepts(std::size_t i, double got) const;
  std::size_t size() const { return values.size(); }
  /// The tolerance of element i: `HonestValue::error`, or 0 if values must be exact.
  double tolerance(std::size_t i) const;
  /// Whether values must be exact: the output consists of integers or booleans that rounding can't change.
  bool exact() const { return bounds().tolerances.empty(); }
  /// Whether the tolerances have been computed.
  bool measured() const { return bounds_ && !bounds_->measure; }
  /// Whether element i is really tested: its tolerance is finite, and it can't be NaN or infinite in place of
  /// its value.
  bool demands(std::size_t i) const;
  /// The number of elements that are really tested.
  std::size_t demanded() const;
  /// The median magnitude of the finite values other than 0; 0 if there are none.
  double typical() const;
  /// Whether element i isn't really tested, or its tolerance is as large as the values themselves.
  bool proves_little(std::size_t i, double typical) const;

  /// Concatenates the expected values of a task's results.
  static Expected joined(std::vector<Expected> parts);
  /// The largest finite number of element i's dtype.
  double largest_at(std::size_t i) const;

  std::vector<double> values;  ///< the reference's values, computed in f64

 private:
  /// The values of one result of the task, from index `begin` to the next part's `begin`.
  struct Part {
    std::size_t begin = 0;
    LeastError least;
    double largest = 0;
  };
  const Part& part_of(std::size_t i) const;

  struct Measured {
    Measure measure;  ///< becomes empty when it has been called
    Bounds bounds;
  };
  const Bounds& bounds() const;
  /// Whether `got` is right for element i if the exact value of the element is `value`.
  bool within(std::size_t i, double value, double got, double tolerance) const;

  std::vector<Part> parts_;  // in ascending order of `begin`
  std::shared_ptr<Measured> bounds_;
};

/// Computes the task's expected output for drawn inputs.
Expected expect(const Task& task, const Variation& variation, const std::vector<InputData>& inputs,
                Precision precision);

}  // namespace trl::runtime
