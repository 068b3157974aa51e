// Verdicts on hypotheses from estimates, with Holm's adjustment and tests of equivalence.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/statistics/estimate.hpp"

namespace trl::statistics {

/// Returns the p-values adjusted by the Holm method (1979), in the order of `p_values`. If the hypotheses
/// with an adjusted p-value ≤ α are rejected, the probability of any false rejection is at most α, however
/// the tests depend on each other.
std::vector<double> holm(std::span<const double> p_values);

/// Returns the p-value of two one-sided t tests (Schuirmann 1987); a small p-value shows that the true value
/// lies between low and high. 1 if the estimate isn't testable.
double equivalence_p_value(const Estimate& estimate, double low, double high);

/// Returns the significance level of each look at a study that is looked at up to `looks` times, for instance
/// after each of several seeds: alpha / looks. The probability of a false claim at any look is then at most
/// alpha, whenever the looks are and however they depend on each other (Bonferroni; a spending function in
/// the sense of Lan and DeMets 1983 that needs no information fractions).
double alpha_of_look(double alpha, std::size_t looks);

enum class Expectation { greater, less, different, same };
/// `name_of` returns the name of an expectation in the language; `expectation_named` returns the expectation
/// with this name, nothing for other names.
std::string_view name_of(Expectation expectation);
std::optional<Expectation> expectation_named(std::string_view name);

enum class Verdict {
  inert,       ///< the compared rows are the same experiment, so there is nothing to judge
  equivalent,  ///< the difference is shown to be smaller than the smallest effect that matters, even if it
               ///< differs from 0
  supported,   ///< significantly different from 0 in the expected direction; for `different`, in any
               ///< direction; for `same`, shown to be smaller than the smallest effect that matters
  refuted,    ///< significantly different from 0 in the other direction; for `same`, significantly beyond the
              ///< smallest effect that matters
  undecided,  ///< none of the above; always if an estimate's scope is Scope::these_runs
};
std::string_view name_of(Verdict verdict);

struct Hypothesis {
  Estimate difference;
  Expectation expectation = Expectation::different;
  /// The smallest difference that matters, > 0, in the difference's unit. Without it no difference is called
  /// equivalent, and `same` is undecided.
  std::optional<double> smallest_effect;
  /// The accepted probability of a false claim.
  double alpha = 0.05;
  /// Whether the compared rows turned out to be the same experiment on this machine, for instance because an
  /// extension never changed anything.
  bool inert = false;
};

struct Decision {
  Verdict verdict = Verdict::undecided;
  /// The adjusted p-value of the two-sided t test against 0; for `same`, against the smallest effect.
  double p_different = 1;
  /// The adjusted p-value of the two one-sided tests; 1 without a smallest effect.
  double p_equivalent = 1;
  Scope scope = Scope::recipe;
};

/// Judges a family of hypotheses. A difference is significant if its adjusted p-value is ≤ the hypothesis's
/// alpha, and equivalent to 0 if the adjusted p-value of the two one-sided tests is ≤ alpha. The adjustment
/// leaves out inert hypotheses and hypotheses of Scope::these_runs. It is made separately for differences and
/// for equivalences: for each of the two, the probability of any false claim in the family is at most the
/// largest alpha.
std::vector<Decision> decide(std::span<const Hypothesis> family);

}  // namespace trl::statistics
