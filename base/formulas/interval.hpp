// Interval analysis of formulas: a value is proven to stay within bounds, refuted by a witness, or neither.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "base/formulas/evaluate.hpp"

namespace trl::formulas {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The numbers from `low` to `high`; an open or infinite end doesn't belong to it.
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

/// [low, high], both ends included.
inline Interval closed(double low, double high) { return {low, high, false, false}; }

/// The possible values of an unknown: the numbers of an interval, or a boolean.
struct Domain {
  Interval interval;
  bool boolean = false;

  static Domain number(double low, double high) { return {{low, high, false, false}, false}; }
  static Domain truth_values() { return {{0, 1, false, false}, true}; }
};

/// "When `condition` is `value`, `then` lies in `domain`": c.speedup is 0 unless c.correct.
struct Implication {
  std::string condition;
  bool value = true;
  std::string then;
  Interval domain;
};

/// The possible values of a formula's names. A key of `values` is `x` for a name and `c.speedup` for a
/// member. A call of a function in `functions`, such as `accuracy`, is an unknown; calls with equal arguments
/// are the same unknown.
struct Ranges {
  std::map<std::string, Domain> values;
  std::map<std::string, Domain> functions;
  std::vector<Implication> implications;
};

/// An enclosure of the formula's values, [0, 1] for a boolean. A name without a range may be any number.
Interval bound(const Expression& expression, const Ranges& ranges);

struct Proof {
  enum class Verdict { Proven, Refuted, Unknown };
  Verdict verdict = Verdict::Unknown;
  /// An enclosure of the formula's values.
  Interval enclosure;
  /// If refuted: the values of the unknowns with which the formula leaves the bounds; keys are `c.speedup`.
  Record witness;
  /// If refuted: the formula's value there, NaN if it has none (a division by zero).
  double value = std::numeric_limits<double>::quiet_NaN();
  /// If refuted because there is no value: the reason; else empty.
  std::string no_value;
  /// If unknown: how to correct the formula, e.g. "min(…, 1)".
  std::string hint;
};

/// Whether low ≤ expression ≤ high for all values in the ranges. Witnesses are evaluated, so a refutation is
/// certain.
Proof prove_within(const Expression& expression, const Ranges& ranges, double low, double high);

/// A denominator (of `/` or `mod`) that isn't proven to differ from 0.
struct ZeroDenominator {
  Expression denominator;
  /// A witness was found. Otherwise the analysis couldn't exclude 0.
  bool certain = false;
  Record witness;
};
std::vector<ZeroDenominator> zero_denominators(const Expression& expression, const Ranges& ranges);

}  // namespace trl::formulas
