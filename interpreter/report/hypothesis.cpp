#include "interpreter/report/hypothesis.hpp"

#include <algorithm>
#include <set>

#include "interpreter/error.hpp"
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

std::vector<std::pair<std::size_t, std::size_t>> matching_pairs(const Plan& plan,
                                                                const std::string& extension) {
  std::map<std::set<std::string>, std::size_t> row_of;
  for (std::size_t i = 0; i < plan.rows.size(); ++i) {
    const auto& row = plan.rows[i];
    if (row.kind != Row::Kind::cell) continue;
    row_of[{row.extensions.begin(), row.extensions.end()}] = i;
    for (const auto& folded : row.folded) row_of[folded] = i;
  }
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (const auto& [on, without] : row_of) {
    if (on.contains(extension)) continue;
    auto more = on;
    more.insert(extension);
    const auto with = row_of.find(more);
    if (with == row_of.end() || with->second == without) continue;
    if (std::find(pairs.begin(), pairs.end(), std::pair(with->second, without)) == pairs.end())
      pairs.emplace_back(with->second, without);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::optional<Contrast> effect_of(const std::string& extension, const Column& metric,
                                  const Evidence& evidence) {
  std::vector<std::pair<Measurement, Measurement>> measured;
  for (const auto& [with, without] : matching_pairs(evidence.plan(), extension))
    measured.emplace_back(measure(metric, evidence.plan().rows[with], evidence),
                          measure(metric, evidence.plan().rows[without], evidence));
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
  for (const auto& extension : evidence.plan().varied) {
    Effect effect{extension, static_cast<int>(matching_pairs(evidence.plan(), extension).size()), {}};
    for (const auto& column : effect_columns(columns))
      effect.contrasts.push_back(effect.pairs ? effect_of(extension, column, evidence) : std::nullopt);
    effects.push_back(std::move(effect));
  }
  return effects;
}

HypothesisResult test_hypothesis(const std::string& name, const json& hypothesis, const Evidence& evidence) {
  const auto& plan = evidence.plan();
  HypothesisResult result;
  result.name = name;
  result.contrast = text_of(hypothesis.at("contrast"));
  result.expect = text_of(hypothesis.value("expect", json("greater")));
  result.metric = parse_column(hypothesis.at("metric"));
  if (std::find(plan.varied.begin(), plan.varied.end(), result.contrast) == plan.varied.end())
    throw UserError("hypothesis " + name + " contrasts " + result.contrast + ", which experiment " +
                    plan.experiment + " doesn't vary");
  result.pairs = static_cast<int>(matching_pairs(plan, result.contrast).size());
  if (result.pairs == 0) {
    result.verdict = "inert";
    return result;
  }
  result.difference = effect_of(result.contrast, result.metric, evidence);
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
          {"contrast", result.contrast},
          {"metric", result.metric.id},
          {"expect", result.expect},
          {"pairs", result.pairs},
          {"estimate", difference ? json(difference->estimate) : json()},
          {"low", interval ? json(difference->interval->low) : json()},
          {"high", interval ? json(difference->interval->high) : json()},
          {"standard_error",
           difference && difference->standard_error ? json(*difference->standard_error) : json()},
          {"smallest_detectable", result.detectable ? json(*result.detectable) : json()},
          {"verdict", result.verdict}};
}

}  // namespace trl::interpreter
