#include "verifier/executor/paths/solver.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <set>

#include "verifier/executor/paths/numbers.hpp"
#include "verifier/executor/values/half.hpp"

namespace trl::executor {
namespace {

constexpr std::size_t most_pairs = 64;  // pairs of neighbouring values that are bisected
constexpr std::size_t random_values = 4096;
constexpr std::size_t most_intervals = 3;

// ---- a type's numbers in their order, as integers without gaps ----

template <class Bits>
std::int64_t ordered(Bits bits) {
  // Converts sign and magnitude to two's complement.
  return bits < 0 ? -static_cast<std::int64_t>(bits & std::numeric_limits<Bits>::max())
                  : static_cast<std::int64_t>(bits);
}
template <class Bits>
Bits signed_magnitude(std::int64_t key) {
  return key < 0 ? static_cast<Bits>(static_cast<Bits>(-key) | std::numeric_limits<Bits>::min())
                 : static_cast<Bits>(key);
}
template <class To, class From>
To reinterpreted(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

std::int64_t key_of(Scalar scalar, double value) {
  const auto single = static_cast<float>(value);
  switch (scalar) {
    case Scalar::f64:
      return ordered(reinterpreted<std::int64_t>(value));
    case Scalar::f32:
      return ordered(reinterpreted<std::int32_t>(single));
    case Scalar::f16:
      return ordered(static_cast<std::int16_t>(half::to_f16_bits(half::round_f16(single))));
    case Scalar::bf16:
      return ordered(static_cast<std::int16_t>(half::to_bf16_bits(half::round_bf16(single))));
    case Scalar::f8e4m3:
      return ordered(static_cast<std::int8_t>(half::to_f8e4m3_bits(half::round_f8e4m3(single))));
    case Scalar::f8e5m2:
      return ordered(static_cast<std::int8_t>(half::to_f8e5m2_bits(half::round_f8e5m2(single))));
    default: {
      std::byte element[8] = {};
      write_number(scalar, value, element);
      return static_cast<std::int64_t>(read_number(scalar, element));
    }
  }
}

double number_of(Scalar scalar, std::int64_t key) {
  switch (scalar) {
    case Scalar::f64:
      return reinterpreted<double>(signed_magnitude<std::int64_t>(key));
    case Scalar::f32:
      return reinterpreted<float>(signed_magnitude<std::int32_t>(key));
    case Scalar::f16:
      return half::from_f16_bits(static_cast<std::uint16_t>(signed_magnitude<std::int16_t>(key)));
    case Scalar::bf16:
      return half::from_bf16_bits(static_cast<std::uint16_t>(signed_magnitude<std::int16_t>(key)));
    case Scalar::f8e4m3:
      return half::from_f8e4m3_bits(static_cast<std::uint8_t>(signed_magnitude<std::int8_t>(key)));
    case Scalar::f8e5m2:
      return half::from_f8e5m2_bits(static_cast<std::uint8_t>(signed_magnitude<std::int8_t>(key)));
    default:
      return static_cast<double>(key);
  }
}

/// The number whose bits an integer represents; NaN where there is none.
double number_of_bits(Scalar scalar, double integer) {
  const auto bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(integer));
  switch (scalar) {
    case Scalar::f64:
      return reinterpreted<double>(bits);
    case Scalar::f32:
      return reinterpreted<float>(static_cast<std::uint32_t>(bits));
    case Scalar::f16:
      return half::from_f16_bits(static_cast<std::uint16_t>(bits));
    case Scalar::bf16:
      return half::from_bf16_bits(static_cast<std::uint16_t>(bits));
    default:
      return std::numeric_limits<double>::quiet_NaN();
  }
}

class Random {
 public:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
  }
  double fraction() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_ = 1;
};

/// Searches over one variable, or over several that have the same value, while the others are 1.
class Search {
 public:
  Search(Expression& expression, std::vector<std::size_t> variables, std::size_t part, std::uint8_t way)
      : expression_(expression),
        variables_(std::move(variables)),
        part_(part),
        way_(way),
        scalar_(expression.variables()[variables_.front()].scalar) {}

  std::vector<Solution> run() {
    add_usual();
    for (const double constant : expression_.constants()) add_around(constant);
    bisect();
    if (intervals().empty()) {
      add_random();
      bisect();
    }
    return solutions();
  }

 private:
  struct Interval {
    std::int64_t low = 0, high = 0;
  };

  void add(double value) {
    std::byte element[8] = {};
    if (!std::isfinite(value)) return;
    write_number(scalar_, value, element);
    const double rounded = read_number(scalar_, element);
    if (std::isfinite(rounded)) keys_.insert(key_of(scalar_, rounded));
  }
  void add_key(std::int64_t key) {
    // Outside of the type's range this is NaN or another number.
    const double value = number_of(scalar_, key);
    if (std::isfinite(value) && key_of(scalar_, value) == key) keys_.insert(key);
  }
  void add_around(double value) {
    if (!std::isfinite(value)) return;
    for (const double one : {value, -value, value / 2, value * 2, number_of_bits(scalar_, value)}) add(one);
    const std::int64_t key = key_of(scalar_, value);
    add_key(key - 1);
    add_key(key + 1);
  }

  void add_usual() {
    add(0);
    const int least = is_float(scalar_) ? -30 : 0;
    for (int e = least; e <= 40; ++e)
      for (const double part : {1.0, 1.25, 1.5, 1.75}) {
        add(std::ldexp(part, e));
        add(-std::ldexp(part, e));
      }
    if (is_integer(scalar_))
      for (int i = -8; i < 300; ++i) add(i);
  }

  void add_random() {
    Random random;
    for (std::size_t i = 0; i < random_values; ++i) {
      const double sign = (random.next() & 1) != 0 ? 1 : -1;
      add(is_float(scalar_)
              ? sign * std::exp2(24 * random.fraction() - 12)
              : static_cast<double>(static_cast<std::int64_t>(random.next()) >> (random.next() % 48)));
    }
  }

  void evaluate(const std::vector<std::int64_t>& keys) {
    std::vector<double> tried(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) tried[i] = number_of(scalar_, keys[i]);
    std::vector<std::vector<double>> values(expression_.variables().size(),
                                            std::vector<double>(keys.size(), 1));
    for (const std::size_t variable : variables_) values[variable] = tried;
    expression_.evaluate(values);
  }

  /// Returns the results of one question for the evaluated numbers; bisection looks for changes between them.
  /// The questions are the order of each comparison's sides and, after these, the decision itself.
  std::vector<int> answers(std::size_t question) const {
    if (question < expression_.comparisons()) return expression_.order(question);
    const std::vector<std::uint8_t> lanes = expression_.goes(part_, way_);
    return {lanes.begin(), lanes.end()};
  }

  /// Adds the numbers between which a result changes.
  void bisect() {
    struct Pair {
      std::int64_t low, high;
      std::size_t question;
      int answer;  // the result at `low`
    };
    const std::vector<std::int64_t> keys(keys_.begin(), keys_.end());
    evaluate(keys);
    std::vector<Pair> pairs;
    for (std::size_t question = 0; question <= expression_.comparisons(); ++question) {
      const std::vector<int> now = answers(question);
      for (std::size_t i = 0; i + 1 < keys.size(); ++i)
        if (now[i] != now[i + 1]) pairs.push_back({keys[i], keys[i + 1], question, now[i]});
    }
    const auto distance = [](const Pair& pair) {
      return std::min(std::abs(static_cast<double>(pair.low)), std::abs(static_cast<double>(pair.high)));
    };
    std::stable_sort(pairs.begin(), pairs.end(),
                     [&](const Pair& a, const Pair& b) { return distance(a) < distance(b); });
    if (pairs.size() > most_pairs) pairs.resize(most_pairs);
    for (int round = 0; round < 64; ++round) {
      std::vector<std::int64_t> middle;
      bool open = false;
      for (const Pair& pair : pairs) {
        open = open || static_cast<std::uint64_t>(pair.high) - static_cast<std::uint64_t>(pair.low) > 1;
        middle.push_back(std::midpoint(pair.low, pair.high));
      }
      if (!open) break;
      evaluate(middle);
      std::vector<std::vector<int>> now;
      for (std::size_t question = 0; question <= expression_.comparisons(); ++question)
        now.push_back(answers(question));
      for (std::size_t i = 0; i < pairs.size(); ++i)
        (now[pairs[i].question][i] == pairs[i].answer ? pairs[i].low : pairs[i].high) = middle[i];
    }
    for (const Pair& pair : pairs)
      for (const std::int64_t key : {pair.low - 1, pair.low, pair.high, pair.high + 1}) add_key(key);
  }

  /// Returns the intervals of tried numbers that all turn the decision, beginning with the interval nearest
  /// to 0.
  std::vector<Interval> intervals() {
    const std::vector<std::int64_t> keys(keys_.begin(), keys_.end());
    evaluate(keys);
    const std::vector<std::uint8_t> turns = expression_.goes(part_, way_);
    std::vector<Interval> found;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (turns[i] == 0) continue;
      if (i > 0 && turns[i - 1] != 0)
        found.back().high = keys[i];
      else
        found.push_back({keys[i], keys[i]});
    }
    std::stable_sort(found.begin(), found.end(),
                     [&](const Interval& a, const Interval& b) { return nearest(a) < nearest(b); });
    if (found.size() > most_intervals) found.resize(most_intervals);
    return found;
  }

  double nearest(const Interval& interval) const {
    if (interval.low <= 0 && interval.high >= 0) return 0;
    return std::min(std::abs(number_of(scalar_, interval.low)), std::abs(number_of(scalar_, interval.high)));
  }

  std::vector<Solution> solutions() {
    std::vector<Solution> list;
    for (const Interval& interval : intervals()) {
      const double low = number_of(scalar_, interval.low), high = number_of(scalar_, interval.high);
      // Values as near to 0 as possible, since larger numbers may overflow elsewhere.
      const double reach = 2 * nearest(interval) + 1;
      list.push_back({variables_, std::max(low, -reach), std::min(high, reach)});
      const bool negative = std::abs(high) < std::abs(low);
      const double edge = negative ? high : low;
      list.push_back({variables_, edge, edge});
      const double outside = number_of(scalar_, negative ? interval.high + 1 : interval.low - 1);
      if (std::isfinite(outside)) list.push_back({variables_, outside, outside});
    }
    return list;
  }

  Expression& expression_;
  const std::vector<std::size_t> variables_;
  const std::size_t part_;
  const std::uint8_t way_;
  const Scalar scalar_;
  std::set<std::int64_t> keys_;
};

}  // namespace

std::vector<Solution> solve(Expression& expression, std::size_t part, std::uint8_t way) {
  const std::size_t count = expression.variables().size();
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<Solution> solutions = Search(expression, all, part, way).run();
  for (std::size_t i = 0; count > 1 && i < count; ++i) {
    const std::vector<Solution> more = Search(expression, {i}, part, way).run();
    solutions.insert(solutions.end(), more.begin(),
                     more.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(more.size(), 3)));
  }
  constexpr std::size_t most = 12;
  if (solutions.size() > most) solutions.resize(most);
  return solutions;
}

}  // namespace trl::executor
