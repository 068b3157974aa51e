#include "interpreter/report/hypothesis.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/statistics/distributions.hpp"
#include "interpreter/report/planning.hpp"
#include "interpreter/report/table.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;
using statistics::Expectation;

std::string text_of(const json& value) {
  if (value.is_string()) return value;
  if (value.is_object()) return value.value("name", value.value("call", ""));
  return {};
}

std::set<std::string> names_of(const json& declarations) {
  std::set<std::string> names;
  for (const auto& one : declarations) names.insert(text_of(one));
  return names;
}

/// Returns the mean figure of the rows on the second side of the pairs.
double level_against(const HypothesisResult& result, const Inference& inference) {
  double sum = 0, cells = 0;
  for (const auto& pair : result.comparison.pairs)
    if (const auto figure = inference.figure(result.metric, inference.evidence().plan().rows[pair.second]);
        figure.value)
      sum += pair.cells * *figure.value, cells += pair.cells;
  return cells > 0 ? sum / cells : 0;
}

/// Returns the smallest effect in the unit of the estimate: points for shares, a logarithm for ratios;
/// otherwise relative to the level of the second row.
std::optional<double> smallest_in_unit(const HypothesisResult& result, const Inference& inference) {
  if (!result.smallest_effect) return std::nullopt;
  const double written = *result.smallest_effect;
  switch (result.metric.mean) {
    case Mean::geometric:
      return std::log1p(written);
    case Mean::by_seed:
      return written * level_against(result, inference);
    default:
      return written;
  }
}

/// Adds the interval that decides equivalence. Holm's adjustment multiplies the hypothesis' p-value by a
/// factor; the interval's alpha is divided by the same factor.
void add_deciding_interval(HypothesisResult& result, double smallest) {
  const auto& estimate = result.difference->estimate;
  const bool equivalence =
      result.expectation == Expectation::same || result.decision.verdict == statistics::Verdict::equivalent;
  if (!equivalence || !estimate.testable() || estimate.scope != Scope::recipe) return;
  const double raw = statistics::equivalence_p_value(estimate, -smallest, smallest);
  const double factor = result.decision.p_equivalent < 1 && raw > 0 ? result.decision.p_equivalent / raw
                                                                    : static_cast<double>(result.family);
  const double alpha = statistics::alpha_of_look(result.alpha, result.looks) / std::max(1.0, factor);
  result.deciding_confidence = 1 - 2 * alpha;
  const double half =
      statistics::t_quantile(1 - alpha, estimate.degrees_of_freedom) * estimate.standard_error;
  const Interval interval{estimate.value - half, estimate.value + half};
  result.deciding_interval = result.metric.mean == Mean::geometric
                                 ? Interval{std::exp(interval.low), std::exp(interval.high)}
                                 : interval;
}

/// Returns the number of hypotheses with an estimate of Scope::recipe: p-values are adjusted over these.
std::size_t judged(const std::vector<HypothesisResult>& results) {
  return static_cast<std::size_t>(std::count_if(results.begin(), results.end(), [](const auto& result) {
    return result.difference && result.difference->estimate.scope == Scope::recipe;
  }));
}

}  // namespace

Expectation expectation_of(const json& hypothesis) {
  return statistics::expectation_named(text_of(hypothesis.value("expect", json("greater")))).value();
}

statistics::Certainty HypothesisResult::certainty() const {
  return statistics::certainty_of(expectation, family, {.alpha = statistics::alpha_of_look(alpha, looks)});
}

std::string HypothesisResult::headline() const {
  return verdict() + (wholly_interaction(twins, comparison.pairs.size()) ? ", wholly as an interaction" : "");
}

std::size_t looks_of(const json& hypothesis) {
  const auto looks = hypothesis.value("looks", json());
  return looks.is_number() ? looks.get<std::size_t>() : 1;
}

Comparison comparison_of(const json& hypothesis, const Plan& plan) {
  if (!hypothesis.contains("against")) return compare_factor(plan, text_of(hypothesis.at("contrast")));
  const auto& against = hypothesis["against"];
  if (!hypothesis.contains("cell")) return compare_with_control(plan, pipeline_label(against));
  const auto on = names_of(hypothesis["cell"]);
  const bool is_cell = against.empty() || against.front().value("kind", "") == "extension";
  return is_cell ? compare_cell(plan, on, names_of(against))
                 : compare_cell(plan, on, pipeline_label(against));
}

std::vector<HypothesisResult> test_hypotheses(const std::vector<std::pair<std::string, json>>& hypotheses,
                                              const Inference& inference, const json& experiment) {
  const auto& plan = inference.evidence().plan();
  std::vector<HypothesisResult> results;
  std::vector<statistics::Hypothesis> family;
  for (const auto& [name, hypothesis] : hypotheses) {
    auto& result = results.emplace_back();
    result.name = name;
    result.expectation = expectation_of(hypothesis);
    result.metric = parse_column(hypothesis.at("metric"));
    result.modelled = result.metric.of_times() && !plan.times_kernels;
    result.alpha = hypothesis.value("alpha", 0.05);
    if (const auto smallest = hypothesis.value("smallest_effect", json()); smallest.is_number())
      result.smallest_effect = smallest.get<double>();
    result.looks = looks_of(hypothesis);
    result.comparison = comparison_of(hypothesis, plan);
    for (const auto& pair : result.comparison.pairs)
      result.twins += inference.same_runs(pair.first, pair.second);
    statistics::Hypothesis tested{.difference = {},
                                  .expectation = result.expectation,
                                  .smallest_effect = {},
                                  .alpha = statistics::alpha_of_look(result.alpha, result.looks),
                                  .inert = result.inert()};
    if (!tested.inert) {
      result.refusal = inference.refusal(result.comparison).value_or("");
      result.difference = inference.difference(result.comparison, result.metric);
      tested.difference.scope = Scope::these_runs;  // A hypothesis that couldn't be measured isn't judged.
      if (result.difference) {
        tested.difference = result.difference->estimate;
        tested.smallest_effect = smallest_in_unit(result, inference);
      }
    }
    family.push_back(tested);
  }
  const auto decisions = statistics::decide(family);
  const auto size = judged(results);
  for (std::size_t i = 0; i < results.size(); ++i) {
    results[i].decision = decisions[i], results[i].family = size;
    if (results[i].difference && family[i].smallest_effect)
      add_deciding_interval(results[i], *family[i].smallest_effect);
    // The hypothesis' own alpha and family replace the usual ones of a single effect.
    if (auto& difference = results[i].difference) difference->plan(results[i].certainty());
    if (decisions[i].verdict == statistics::Verdict::undecided && results[i].refusal.empty())
      results[i].deciding = deciding(results[i], inference, experiment);
  }
  return results;
}

std::vector<Effect> effects_of(const std::vector<Column>& columns, const Inference& inference,
                               const std::vector<HypothesisResult>& hypotheses) {
  std::vector<Effect> effects;
  for (auto& comparison : all_comparisons(inference.evidence().plan())) {
    Effect effect{std::move(comparison), {}, {}};
    for (const auto& pair : effect.comparison.pairs)
      effect.twins += inference.same_runs(pair.first, pair.second);
    for (const auto& column : columns)
      effect.differences.push_back(
          effect.comparison.pairs.empty() ? std::nullopt : inference.difference(effect.comparison, column));
    for (const auto& hypothesis : hypotheses)
      if (hypothesis.comparison.name == effect.comparison.name) effect.declared.push_back(hypothesis.name);
    effects.push_back(std::move(effect));
  }
  return effects;
}

std::string difference_text(const Column& column, double value) {
  const auto text = value_text(column, value);
  if (column.unit == Column::Unit::factor) return "x" + text;
  if (text.find_first_not_of("-0.") == std::string::npos)
    return text.starts_with("-") ? text.substr(1) : text;
  return (value > 0 ? "+" : "") + text;
}

std::string interval_text(const Column& column, const Difference& difference) {
  const auto& interval = difference.interval;
  if (!interval) return {};
  return fmt::format("[{}, {}]{}", difference_text(column, interval->low),
                     difference_text(column, interval->high),
                     difference.estimate.scope == Scope::recipe ? "" : "†");
}

std::string difference_text(const Column& column, const Difference& difference) {
  const auto interval = interval_text(column, difference);
  return difference_text(column, difference.value) + (interval.empty() ? "" : " " + interval);
}

std::string difference_unit(const Column& column) {
  if (column.unit == Column::Unit::percent) return " points";
  const auto unit = unit_text(column);
  return unit.empty() ? "" : " " + unit;
}

json as_json(const HypothesisResult& result) {
  const auto& difference = result.difference;
  const bool interval = difference && difference->interval;
  const bool tested = difference && difference->estimate.testable();
  json out = {
      {"hypothesis", result.name},
      {"contrast", result.comparison.name},
      {"metric", result.metric.id},
      {"expect", statistics::name_of(result.expectation)},
      {"alpha", result.alpha},
      {"looks", result.looks},
      {"smallest_effect", result.smallest_effect ? json(*result.smallest_effect) : json()},
      {"pairs", result.comparison.pairs.size()},
      {"pairs_the_same", result.comparison.same},
      {"estimate", difference ? json(difference->value) : json()},
      {"low", interval ? json(difference->interval->low) : json()},
      {"high", interval ? json(difference->interval->high) : json()},
      {"about", interval ? json(scope_name(difference->estimate.scope)) : json()},
      {"standard_error", tested ? json(difference->estimate.standard_error) : json()},
      {"degrees_of_freedom", tested ? json(difference->estimate.degrees_of_freedom) : json()},
      {"smallest_detectable", difference && difference->detectable ? json(*difference->detectable) : json()},
      {"p", result.decision.p_different},
      {"p_equivalent", result.smallest_effect ? json(result.decision.p_equivalent) : json()},
      {"family", result.family},
      {"verdict", result.verdict()}};
  if (!result.refusal.empty()) out["refused"] = result.refusal;
  if (result.twins > 0) out["pairs_of_equal_answers"] = result.twins;
  if (const auto& decides = result.deciding_interval)
    out["decided_by"] = {
        {"confidence", result.deciding_confidence}, {"low", decides->low}, {"high", decides->high}};
  if (const auto& cost = result.deciding)
    out["to_decide"] = {{"effect", cost->effect},
                        {"runs_known", cost->runs_known},
                        {"seeds", cost->seeds ? json(cost->seeds) : json()},
                        {"samples", cost->seeds ? json(cost->samples) : json()},
                        {"hours", cost->seeds ? json(cost->hours) : json()},
                        {"usd", cost->usd ? json(*cost->usd) : json()}};
  return out;
}

}  // namespace trl::interpreter
