// Finds tasks that are the same function in two spellings. Tasks for x - c and x + c, or for a + b and b + a,
// have different keys, but a model that was trained on one spelling was in effect trained on the other.
#pragma once

#include <bitset>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace trl::operators {

/// Whether the constants of an expression are part of its text.
enum class Constants {
  unknown,  ///< not part, as in a task's key: a constant is "#", and attributes that are real numbers are
            ///< missing
  said,     ///< part: "#0.5", "lerp[weight=0.25](…)"
};

/// Returns the normal form of a task's key (docs/interfaces.md, 1) in real arithmetic. It is the same for:
/// - a + b and b + a (also for * maximum minimum hypot logaddexp, and in any grouping);
/// - x - c and x + c, x / c and x * c, chains of constants, double negations;
/// - identities such as silu(x) = x * sigmoid(x);
/// - any names and order of the inputs.
/// With Constants::unknown, expressions have the same normal form if some choice of constants makes them the
/// same function; a factor of 1 or -1 from neg or - is not a constant. A text that is no key is returned
/// unchanged.
std::string overlap_key(std::string_view key, Constants constants = Constants::unknown);

/// The set of operators in a key, one bit for each operator. Operators that only some spellings of a function
/// have are left out.
using OperatorSet = std::bitset<256>;

/// Returns the set of operators of a key. Keys with the same overlap key have the same set, and the set takes
/// a hundredth of the time to compute.
OperatorSet lasting_operators(std::string_view key);

/// A set of functions in which a function is found by the key of any of its spellings.
class Functions {
 public:
  /// Adds the function that a key describes.
  void add(std::string_view key);
  /// Returns the overlap key of `key` if its function is in the set; nothing otherwise. Most keys of other
  /// functions are recognised by their operators alone, in a microsecond.
  std::optional<std::string> find(std::string_view key) const;

 private:
  /// For each set of operators: hashes of the inputs' dtypes and numbers of axes. Keys of the same function
  /// have the same operators and hash.
  std::unordered_map<OperatorSet, std::unordered_set<std::size_t>> inputs_;
  std::set<std::string> overlap_keys_;
};

/// Counts how many parts of the given expressions occur in other expressions. Parts are the sub-expressions
/// with two or more operators, the whole expression among them. A sub-expression reaches down to the inputs.
class SharedParts {
 public:
  /// Takes the keys of the expressions whose parts are counted.
  explicit SharedParts(const std::vector<std::string>& keys);
  /// Records the parts of another expression as seen. A key with a dozen operators takes about ten
  /// microseconds, since a part is normalised only if some wanted part has the same operators.
  void see(std::string_view key);

  struct Count {
    std::size_t parts = 0;
    std::size_t seen = 0;  ///< number of `parts` that `see` has met
  };
  /// Returns the counts of each expression, in the order of the constructor's keys.
  std::vector<Count> counts() const;

 private:
  std::vector<std::set<std::string>> parts_;  ///< overlap keys of the parts of each expression
  /// For each set of operators, the number of parts with it that weren't seen yet.
  std::unordered_map<OperatorSet, std::size_t> operators_;
  std::map<std::string, OperatorSet> unseen_;
};

}  // namespace trl::operators
