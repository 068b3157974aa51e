// Interval analysis of formulas: proves that a formula's value stays within bounds, or finds a
// counterexample, or gives no answer.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/formulas/evaluate.hpp"

namespace trl::formulas {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The numbers from `low` to `high`. An end that is open or infinite isn't part of the interval.
struct Interval {
  double low = -infinity;
  double high = infinity;
  bool low_open = false;
  bool high_open = false;

  bool contains(double value) const {
    return (low_open ? low < value : low <= value) && (high_open ? value < high : value <= high);
  }
  bool empty() const { return low > high || (low == high && (low_open || high_open)); }
};

/// Returns the interval [low, high], both ends included.
inline Interval closed(double low, double high) { return {low, high, false, false}; }

/// The possible values of a variable: the numbers of an interval, or true and false.
struct Domain {
  Interval interval;
  bool boolean = false;

  static Domain number(double low, double high) { return {{low, high, false, false}, false}; }
  static Domain truth_values() { return {{0, 1, false, false}, true}; }
};

/// A known relation of two variables: if `condition` has the truth value `value`, then the variable `then`
/// lies in `domain`. Example: if c.correct is false, c.speedup is 0.
struct Implication {
  std::string condition;
  bool value = true;
  std::string then;
  Interval domain;
};

/// The possible values of a formula's names. A key of `values` is `x` for a name and `c.speedup` for a
/// member. A call of one of `functions`, such as `accuracy`, is treated as a variable; calls with equal
/// arguments are the same variable.
struct Ranges {
  std::map<std::string, Domain> values;
  std::map<std::string, Domain> functions;
  std::vector<Implication> implications;
};

/// Returns an interval that contains all values of the formula; [0, 1] for a boolean. A name without a range
/// may be any number.
Interval bound(const Expression& expression, const Ranges& ranges);

struct Proof {
  enum class Verdict { Proven, Refuted, Unknown };
  Verdict verdict = Verdict::Unknown;
  /// An interval that contains all values of the formula.
  Interval enclosure;
  /// If refuted: values of the variables for which the formula's value is outside the bounds; keys are
  /// `c.speedup`.
  Record witness;
  /// If refuted: the formula's value for `witness`; NaN if it has none (a division by zero).
  double value = std::numeric_limits<double>::quiet_NaN();
  /// If refuted because the formula has no value for `witness`: the reason; else empty.
  std::string no_value;
  /// A part of the formula that may have no value (a logarithm, a root or a power), which refutes the formula
  /// or keeps it from being proven; else nothing.
  std::optional<Expression> undefined;
  /// If unknown: a change that would make the formula provable, e.g. "min(…, 1)". Empty if the formula is
  /// within the bounds wherever it has a value.
  std::string hint;
};

/// Checks whether low ≤ expression ≤ high for all values in the ranges. A counterexample is confirmed by
/// evaluation, so a refutation is certain.
Proof prove_within(const Expression& expression, const Ranges& ranges, double low, double high);

/// A denominator (of `/` or `mod`) that isn't proven to be different from 0.
struct ZeroDenominator {
  Expression denominator;
  /// Whether `witness` holds values for which the denominator is 0. Otherwise the analysis only couldn't
  /// exclude 0.
  bool certain = false;
  Record witness;
};
std::vector<ZeroDenominator> zero_denominators(const Expression& expression, const Ranges& ranges);

}  // namespace trl::formulas
