#pragma once
// The expected values of a candidate's output: the reference's values, and how far an honest computation may
// be from each.
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

/// The expected output of one trial, in row-major order. Computing tolerances takes ten times as long as
/// computing the values, and most right outputs are within the least error of any honest computation. So
/// tolerances are computed only when an output exceeds that. Copies share them. Used by one thread at a time.
class Expected {
 public:
  using Measure = std::function<std::vector<double>()>;

  Expected() = default;
  /// `largest`: the largest finite number of the output's dtype.
  Expected(std::vector<double> values, std::vector<double> tolerances, double largest);
  /// `least`: a lower bound of each tolerance. `measure` is called at most once.
  Expected(std::vector<double> values, LeastError least, double largest, Measure measure);

  /// NaN is right only where the reference is NaN. An infinity is right only where the reference is the same
  /// infinity or exceeds the dtype's range. Otherwise |got − value| ≤ tolerance must hold. An infinite
  /// tolerance accepts anything, because PyTorch's own f32 fails there.
  bool accepts(std::size_t i, double got) const;
  std::size_t size() const { return values.size(); }
  /// The tolerance of a value, as described at `HonestValue`; 0 where values must be exact.
  double tolerance(std::size_t i) const;
  /// Whether the output consists of integers or booleans that no rounding changes.
  bool exact() const { return tolerances().empty(); }
  /// Whether tolerances have been computed.
  bool measured() const { return tolerances_ && !tolerances_->measure; }
  /// The number of values that are actually tested, because their tolerance is finite.
  std::size_t demanded() const;

  /// The expected values of several results, one after another.
  static Expected joined(std::vector<Expected> parts);
  /// The largest finite number of the dtype of a value.
  double largest_at(std::size_t i) const;

  std::vector<double> values;  ///< f64

 private:
  /// Values from one place on have a least error and a dtype.
  struct Part {
    std::size_t begin = 0;
    LeastError least;
    double largest = 0;
  };
  const Part& part_of(std::size_t i) const;

  struct Tolerances {
    Measure measure;  ///< empty once it has been called
    std::vector<double> of_values;
  };
  const std::vector<double>& tolerances() const;
  bool within(std::size_t i, double got, double tolerance) const;

  std::vector<Part> parts_;  // in their order
  std::shared_ptr<Tolerances> tolerances_;
};

/// The task's value for drawn inputs, with its tolerances.
Expected expect(const Task& task, const Variation& variation, const std::vector<InputData>& inputs,
                Precision precision);

}  // namespace trl::runtime
