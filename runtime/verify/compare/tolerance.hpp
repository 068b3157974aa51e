#pragma once
// What a candidate's output is compared with: the reference's values, and how far from each an honest
// computation may come.
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/tasks/honest_error.hpp"
#include "runtime/tasks/precision.hpp"
#include "runtime/tasks/task.hpp"
#include "runtime/tasks/variation.hpp"
#include "runtime/verify/replay/replay.hpp"

namespace trl::runtime {

/// The expected output of one trial, in row-major order. Tolerances cost ten times as much as values, and
/// most right outputs lie within what any honest computation may err by: they are measured when an output
/// first asks for more. Copies share them. Used by one thread at a time.
class Expected {
 public:
  using Measure = std::function<std::vector<double>()>;

  Expected() = default;
  /// `largest`: finite number of the output's dtype.
  Expected(std::vector<double> values, std::vector<double> tolerances, double largest);
  /// `least`: what each tolerance is at least. `measure` is called once at most.
  Expected(std::vector<double> values, LeastError least, double largest, Measure measure);

  /// NaN is right only where the reference is NaN, an infinity only where it is the same one or lies beyond
  /// the dtype's range; else |got − value| ≤ tolerance. An infinite tolerance accepts anything: PyTorch's
  /// own f32 fails there.
  bool accepts(std::size_t i, double got) const;
  std::size_t size() const { return values.size(); }
  /// Of a value, as `HonestValue` says; 0 where values are exact.
  double tolerance(std::size_t i) const;
  /// Integers and conditions that no rounding changes.
  bool exact() const { return tolerances().empty(); }
  /// Whether an output, or a question, has asked for tolerances.
  bool measured() const { return tolerances_ && !tolerances_->measure; }
  /// How many values say something: their tolerance is finite.
  std::size_t demanded() const;

  std::vector<double> values;  ///< f64
  double largest = 0;

 private:
  struct Tolerances {
    Measure measure;  ///< empty once it was called
    std::vector<double> of_values;
  };
  const std::vector<double>& tolerances() const;
  bool within(std::size_t i, double got, double tolerance) const;

  LeastError least_;
  std::shared_ptr<Tolerances> tolerances_;
};

/// The task's value of drawn inputs and its tolerances.
Expected expect(const Task& task, const Variation& variation, const std::vector<InputData>& inputs,
                Precision precision);

}  // namespace trl::runtime
