// Whether two tasks are one function in two spellings. A task's key tells x - c from x + c and a + b from b +
// a; a model that has practised one of them has practised the other.
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

/// Whether the constants of an expression are known.
enum class Constants {
  unknown,  ///< as in a task's key: "#", and no attribute that is a number
  said,     ///< each stands in the text: "#0.5", "lerp[weight=0.25](…)"
};

/// Returns the normal form in real arithmetic of a task's key (docs/interfaces.md, 1). It is equal for a + b
/// and b + a (also for * maximum minimum hypot logaddexp, and in any grouping), for x - c and x + c, x / c
/// and x * c, for chains of constants, for double negations, for identities such as silu(x) = x * sigmoid(x),
/// and for any names and order of the inputs. Where constants are unknown, expressions have one normal form
/// if some choice of constants makes them one function; a factor of 1 or -1 that neg or - brings is not a
/// constant. A text that is no key is returned as it is.
std::string overlap_key(std::string_view key, Constants constants = Constants::unknown);

/// Returns the overlap keys of the key's sub-expressions of two or more operators, that of the whole among
/// them. A sub-expression reaches down to the inputs. Empty for a text that is no key.
std::set<std::string> overlap_parts(std::string_view key);

/// The operators in a key, without those that a spelling may add or leave out: one bit each.
using OperatorSet = std::bitset<256>;

/// Returns the operators of a key. Keys of one overlap key have equal sets, which take a hundredth of the
/// time.
OperatorSet lasting_operators(std::string_view key);

/// Functions that any of their spellings finds.
class Functions {
 public:
  /// Adds the function of a key.
  void add(std::string_view key);
  /// Returns the overlap key of a key whose function is among them; nothing where it isn't. Most keys that
  /// aren't are told by their operators alone, in a microsecond.
  std::optional<std::string> find(std::string_view key) const;

 private:
  /// For each set of operators, the inputs of its expressions. Keys of one function agree in both.
  std::unordered_map<OperatorSet, std::unordered_set<std::size_t>> inputs_;
  std::set<std::string> overlap_keys_;
};

/// How many of some expressions' parts (overlap_parts) occur in other expressions.
class SharedParts {
 public:
  /// Takes the keys of the expressions whose parts are counted.
  explicit SharedParts(const std::vector<std::string>& keys);
  /// Notes the parts of another expression. A key of a dozen operators takes about ten microseconds, since
  /// only parts with the operators of a wanted one are brought into normal form.
  void see(std::string_view key);

  struct Count {
    std::size_t parts = 0;
    std::size_t seen = 0;  ///< of the parts
  };
  /// Returns the counts of each expression, in the order of the constructor's keys.
  std::vector<Count> counts() const;

 private:
  std::vector<std::set<std::string>> parts_;                ///< of each expression
  std::unordered_map<OperatorSet, std::size_t> operators_;  ///< of parts not seen yet, and how many have them
  std::map<std::string, OperatorSet> unseen_;
};

}  // namespace trl::operators
