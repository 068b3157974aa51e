#include "interpreter/report/hypothesis.hpp"

#include <algorithm>
#include <set>

#include "interpreter/error.hpp"
#include "interpreter/wrap.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

std::string verdict_of(const std::string& expect, const std::optional<Interval>& interval) {
  if (!interval) return "undecided";
  const bool above = interval->low > 0, below = interval->high < 0;
  if (expect == "different") return above || below ? "supported" : "undecided";
  if (expect == "less") return below ? "supported" : above ? "contradicted" : "undecided";
  return above ? "supported" : below ? "contradicted" : "undecided";
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

HypothesisResult test_hypothesis(const std::string& name, const json& hypothesis, const Plan& plan,
                                 const Store& store) {
  HypothesisResult result;
  result.name = name;
  result.contrast = text_of(hypothesis.at("contrast"));
  result.expect = text_of(hypothesis.value("expect", json("greater")));
  result.metric = parse_column(hypothesis.at("metric"));
  if (std::find(plan.varied.begin(), plan.varied.end(), result.contrast) == plan.varied.end())
    throw UserError("hypothesis " + name + " contrasts " + result.contrast + ", which experiment " +
                    plan.experiment + " doesn't vary");
  const auto pairs = matching_pairs(plan, result.contrast);
  result.pairs = static_cast<int>(pairs.size());
  if (pairs.empty()) {
    result.verdict = "inert";
    return result;
  }
  std::vector<std::pair<Measurement, Measurement>> measured;
  for (const auto& [with, without] : pairs)
    measured.emplace_back(measure(result.metric, plan.rows[with], plan, store),
                          measure(result.metric, plan.rows[without], plan, store));
  result.difference = paired_contrast(measured);
  result.verdict = verdict_of(result.expect, result.difference ? result.difference->interval : std::nullopt);
  return result;
}

std::string as_markdown(const HypothesisResult& result) {
  if (result.verdict == "inert")
    return wrapped(
        fmt::format(
            "- **{}**: inert. `{}` changes nothing on this machine, so there is nothing to compare.\n",
            result.name, result.contrast),
        2);
  if (!result.difference)
    return fmt::format("- **{}**: undecided. {} could not be measured.\n", result.name, result.metric.title);
  const auto signed_text = [&](double value) {
    return (value > 0 ? "+" : "") + value_text(result.metric, value);
  };
  std::string text =
      fmt::format("- **{}**: {}. {} with `{}` minus without: {}", result.name, result.verdict,
                  result.metric.title, result.contrast, signed_text(result.difference->estimate));
  if (const auto& interval = result.difference->interval)
    text += fmt::format(" [{}, {}]", signed_text(interval->low), signed_text(interval->high));
  const char* unit = result.metric.unit == Column::Unit::percent ? " points" : "";
  text += fmt::format("{}, mean of {} pair{} of cells; expected {}.\n", unit, result.pairs,
                      result.pairs == 1 ? "" : "s", result.expect);
  return wrapped(text, 2);
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
          {"verdict", result.verdict}};
}

}  // namespace trl::interpreter
