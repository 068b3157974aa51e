#include "base/statistics/decision.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/statistics/distributions.hpp"

namespace trl::statistics {
namespace {

constexpr std::pair<Expectation, std::string_view> expectations[] = {{Expectation::greater, "greater"},
                                                                     {Expectation::less, "less"},
                                                                     {Expectation::different, "different"},
                                                                     {Expectation::same, "same"}};

bool judged(const Hypothesis& hypothesis) {
  return !hypothesis.inert && hypothesis.difference.scope == Scope::recipe;
}

/// The p-value of the claim that would end a hypothesis: that there is a difference or, for `same`, a
/// difference that matters.
double p_of_difference(const Hypothesis& hypothesis) {
  const double value = hypothesis.difference.value;
  if (hypothesis.expectation != Expectation::same) return p_value(hypothesis.difference);
  if (!hypothesis.smallest_effect || std::abs(value) <= *hypothesis.smallest_effect) return 1;
  return p_value(hypothesis.difference, std::copysign(*hypothesis.smallest_effect, value));
}

Verdict verdict_of(const Hypothesis& hypothesis, const Decision& decision) {
  if (hypothesis.inert) return Verdict::inert;
  if (!judged(hypothesis)) return Verdict::undecided;
  const bool equivalent = decision.p_equivalent <= hypothesis.alpha,
             different = decision.p_different <= hypothesis.alpha;
  if (hypothesis.expectation == Expectation::same)
    return equivalent ? Verdict::supported : different ? Verdict::refuted : Verdict::undecided;
  if (equivalent) return Verdict::equivalent;
  if (!different) return Verdict::undecided;
  if (hypothesis.expectation == Expectation::different) return Verdict::supported;
  const bool above = hypothesis.difference.value > 0;
  return above == (hypothesis.expectation == Expectation::greater) ? Verdict::supported : Verdict::refuted;
}

}  // namespace

std::vector<double> holm(std::span<const double> p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> adjusted(p_values.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    largest = std::max(largest, static_cast<double>(order.size() - i) * p_values[order[i]]);
    adjusted[order[i]] = std::min(1.0, largest);
  }
  return adjusted;
}

double equivalence_p_value(const Estimate& estimate, double low, double high) {
  if (!estimate.testable()) return 1;
  const auto above = (estimate.value - low) / estimate.standard_error,
             below = (estimate.value - high) / estimate.standard_error;
  return std::max(t_probability(-above, estimate.degrees_of_freedom),
                  t_probability(below, estimate.degrees_of_freedom));
}

double alpha_of_look(double alpha, std::size_t looks) {
  return alpha / static_cast<double>(std::max<std::size_t>(1, looks));
}

std::optional<Expectation> expectation_named(std::string_view name) {
  for (const auto& [expectation, its_name] : expectations)
    if (its_name == name) return expectation;
  return std::nullopt;
}

std::string_view name_of(Expectation expectation) {
  for (const auto& [one, name] : expectations)
    if (one == expectation) return name;
  return {};
}

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::inert:
      return "inert";
    case Verdict::equivalent:
      return "equivalent";
    case Verdict::supported:
      return "supported";
    case Verdict::refuted:
      return "refuted";
    case Verdict::undecided:
      break;
  }
  return "undecided";
}

std::vector<Decision> decide(std::span<const Hypothesis> family) {
  std::vector<double> different, equivalent;
  for (const auto& hypothesis : family) {
    if (!judged(hypothesis)) continue;
    different.push_back(p_of_difference(hypothesis));
    if (const auto smallest = hypothesis.smallest_effect)
      equivalent.push_back(equivalence_p_value(hypothesis.difference, -*smallest, *smallest));
  }
  different = holm(different), equivalent = holm(equivalent);
  std::vector<Decision> decisions;
  auto next_different = different.begin(), next_equivalent = equivalent.begin();
  for (const auto& hypothesis : family) {
    Decision decision;
    decision.scope = hypothesis.difference.scope;
    if (judged(hypothesis)) {
      decision.p_different = *next_different++;
      if (hypothesis.smallest_effect) decision.p_equivalent = *next_equivalent++;
    }
    decision.verdict = verdict_of(hypothesis, decision);
    decisions.push_back(decision);
  }
  return decisions;
}

}  // namespace trl::statistics
