// Interval analysis of formulas: is a value proven to stay within bounds, refuted by a witness, or unknown?
#pragma once

#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trl::language {

/// The numbers from `low` to `high`; an end that is open or infinite is not among them.
struct Interval {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;
  bool high_open = false;

  bool contains(double value) const {
    return (low_open ? low < value : low <= value) && (high_open ? value < high : value <= high);
  }
  bool empty() const { return low > high || (low == high && (low_open || high_open)); }
};

/// What one thing in a formula can be: a number of an interval, or true or false.
struct Domain {
  Interval interval;
  bool boolean = false;

  static Domain number(double low, double high) { return {{low, high, false, false}, false}; }
  static Domain truth() { return {{0, 1, false, false}, true}; }
};

/// "When `condition` is `value`, `then` lies in `domain`": c.speedup is 0 unless c.correct.
struct Implication {
  std::string condition;
  bool value = true;
  std::string then;
  Interval domain;
};

/// What the names of a formula can be. Keys of `values` are `x` for a name and `c.speedup` for a member; keys
/// of `functions` are functions whose every call is one unknown (equal arguments, equal value): `accuracy`.
struct Ranges {
  std::map<std::string, Domain> values;
  std::map<std::string, Domain> functions;
  std::vector<Implication> implications;
};

/// An enclosure of the formula's values; {0..1} for one that is true or false. Names without a range are any
/// number.
Interval bound(const nlohmann::json& expression, const Ranges& ranges);

struct Proof {
  enum class Verdict { Proven, Refuted, Unknown };
  Verdict verdict = Verdict::Unknown;
  /// An enclosure of the formula's values.
  Interval enclosure;
  /// Refuted: what the formula's parts are, in `c.speedup` → value form, when it leaves the bounds.
  std::map<std::string, nlohmann::json> witness;
  /// Refuted: the value there; not a number when the formula has none there (a division by zero).
  double value = std::numeric_limits<double>::quiet_NaN();
  /// Refuted: why there is no value, else empty.
  std::string no_value;
  /// Unknown: how to mend it, e.g. "min(…, 1)".
  std::string hint;

  /// "c.correct = false, c.credit = 0.7".
  std::string witness_text() const;
};

/// Is low ≤ expression ≤ high, whatever the ranges allow? A witness was evaluated, so a refutation is real.
Proof prove_within(const nlohmann::json& expression, const Ranges& ranges, double low, double high);

/// A denominator (of `/` or `mod`) that isn't proven to differ from 0.
struct ZeroDenominator {
  nlohmann::json denominator;
  /// Its byte range, 0..0 where the expression carries none.
  std::size_t begin = 0, end = 0;
  /// A witness was found; else it merely couldn't be excluded.
  bool certain = false;
  std::map<std::string, nlohmann::json> witness;
};
std::vector<ZeroDenominator> zero_denominators(const nlohmann::json& expression, const Ranges& ranges);

}  // namespace trl::language
