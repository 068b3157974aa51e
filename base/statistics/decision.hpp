// From estimates to the verdicts of hypotheses: Holm's adjustment and equivalence.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/statistics/estimate.hpp"

namespace trl::statistics {

/// Holm's (1979) adjusted p-values, in the order given: rejecting those that are ≤ α makes a false rejection
/// in the family with a probability of at most α, however the tests depend on each other.
std::vector<double> holm(std::span<const double> p_values);

/// The p-value of two one-sided t tests (Schuirmann 1987): a small one says that the true value lies between
/// low and high. 1 if the estimate isn't testable.
double equivalence_p_value(const Estimate& estimate, double low, double high);

enum class Expectation { greater, less, different, same };
/// As the language spells it, and back: nothing for other names.
std::string_view name_of(Expectation expectation);
std::optional<Expectation> expectation_named(std::string_view name);

enum class Verdict {
  inert,       ///< both sides of the comparison are the same experiment, so that there is nothing to judge
  equivalent,  ///< the difference is smaller than the smallest that matters, whether or not it is clear of 0
  supported,   ///< clear of 0 on the side that was expected; for `different`, on either; for `same`, smaller
               ///< than the smallest that matters
  refuted,     ///< clear of 0 on the other side; for `same`, clear of the smallest that matters
  undecided,   ///< none of these, and always if an estimate is about these runs only
};
std::string_view name_of(Verdict verdict);

struct Hypothesis {
  Estimate difference;
  Expectation expectation = Expectation::different;
  /// The smallest difference that matters, > 0 in the difference's unit; without it nothing is called
  /// equivalent, and `same` is undecided.
  std::optional<double> smallest_effect;
  /// The probability with which a claim may be made wrongly.
  double alpha = 0.05;
  /// The rows that are compared are the same on this machine, for instance since an extension never acted.
  bool inert = false;
};

struct Decision {
  Verdict verdict = Verdict::undecided;
  double p_different =
      1;  ///< two-sided t, adjusted within the family; of being beyond the smallest effect for `same`
  double p_equivalent = 1;  ///< two one-sided tests, adjusted within the family; 1 without a smallest effect
  Scope scope = Scope::recipe;
};

/// Judges a family of hypotheses. A difference is clear of 0 if its adjusted p-value is ≤ the hypothesis'
/// alpha, and equivalent if the adjusted p-value of the two one-sided tests is. Inert hypotheses, and
/// hypotheses whose estimates are about these runs only, don't count in the adjustment. Both kinds of claims
/// are adjusted by themselves, so that each kind is made wrongly of any of the family with a probability of
/// at most the largest alpha.
std::vector<Decision> decide(std::span<const Hypothesis> family);

}  // namespace trl::statistics
