#include "interpreter/report/hypothesis.hpp"

#include <algorithm>

#include "interpreter/report/table.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

std::string verdict_of(const std::string& expect, const std::optional<Interval>& interval) {
  if (!interval) return "undecided";
  const bool above = interval->low > 0, below = interval->high < 0;
  if (expect == "different") return above || below ? "supported" : "undecided";
  if (expect == "less") return below ? "supported" : above ? "refuted" : "undecided";
  return above ? "supported" : below ? "refuted" : "undecided";
}

std::string text_of(const json& value) {
  if (value.is_string()) return value;
  if (value.is_object()) return value.value("name", value.value("call", ""));
  return {};
}

}  // namespace

std::optional<Contrast> effect_of(const Comparison& comparison, const Column& metric,
                                  const Evidence& evidence) {
  std::vector<std::pair<Measurement, Measurement>> measured;
  for (const auto& [first, second] : comparison.pairs)
    measured.emplace_back(measure(metric, evidence.plan().rows[first], evidence),
                          measure(metric, evidence.plan().rows[second], evidence));
  return paired_contrast(measured);
}

std::vector<Column> effect_columns(const std::vector<Column>& columns) {
  std::vector<Column> chosen;
  for (const auto& column : columns)
    if (column.unit == Column::Unit::percent || column.unit == Column::Unit::factor) chosen.push_back(column);
  return chosen;
}

std::vector<Effect> effects_of(const std::vector<Column>& columns, const Evidence& evidence) {
  std::vector<Effect> effects;
  for (auto& comparison : all_comparisons(evidence.plan())) {
    Effect effect{std::move(comparison), {}};
    for (const auto& column : effect_columns(columns))
      effect.contrasts.push_back(
          effect.comparison.pairs.empty() ? std::nullopt : effect_of(effect.comparison, column, evidence));
    effects.push_back(std::move(effect));
  }
  return effects;
}

HypothesisResult test_hypothesis(const std::string& name, const json& hypothesis, const Evidence& evidence) {
  const auto& plan = evidence.plan();
  HypothesisResult result;
  result.name = name;
  result.expect = text_of(hypothesis.value("expect", json("greater")));
  result.metric = parse_column(hypothesis.at("metric"));
  result.comparison = hypothesis.contains("against")
                          ? compare_with_control(plan, pipeline_label(hypothesis["against"]))
                          : compare_factor(plan, text_of(hypothesis.at("contrast")));
  if (result.comparison.pairs.empty()) {
    result.verdict = "inert";
    return result;
  }
  result.difference = effect_of(result.comparison, result.metric, evidence);
  if (result.difference) result.detectable = smallest_detectable(*result.difference);
  result.verdict = verdict_of(result.expect, result.difference ? result.difference->interval : std::nullopt);
  return result;
}

std::string difference_text(const Column& column, double value) {
  const auto text = value_text(column, value);
  if (text.find_first_not_of("-0.") == std::string::npos)
    return text.starts_with("-") ? text.substr(1) : text;
  return (value > 0 ? "+" : "") + text;
}

std::string difference_text(const Column& column, const Contrast& contrast) {
  auto text = difference_text(column, contrast.estimate);
  if (const auto& interval = contrast.interval)
    text += fmt::format(" [{}, {}]", difference_text(column, interval->low),
                        difference_text(column, interval->high));
  return text;
}

std::string difference_unit(const Column& column) {
  return column.unit == Column::Unit::percent ? " points" : column.unit == Column::Unit::seconds ? " s" : "";
}

json as_json(const HypothesisResult& result) {
  const auto& difference = result.difference;
  const bool interval = difference && difference->interval;
  return {{"hypothesis", result.name},
          {"contrast", result.comparison.name},
          {"metric", result.metric.id},
          {"expect", result.expect},
          {"pairs", result.comparison.pairs.size()},
          {"estimate", difference ? json(difference->estimate) : json()},
          {"low", interval ? json(difference->interval->low) : json()},
          {"high", interval ? json(difference->interval->high) : json()},
          {"standard_error",
           difference && difference->standard_error ? json(*difference->standard_error) : json()},
          {"smallest_detectable", result.detectable ? json(*result.detectable) : json()},
          {"verdict", result.verdict}};
}

}  // namespace trl::interpreter
