#include "interpreter/report/comparison.hpp"

#include <algorithm>
#include <map>

#include "ground/error.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

using Levels = std::map<std::string, std::string>;

/// The levels of every cell, including folded ones, with the row that stands for it.
std::map<Levels, std::size_t> rows_by_levels(const Plan& plan) {
  std::map<Levels, std::size_t> out;
  for (std::size_t i = 0; i < plan.rows.size(); ++i) {
    const auto& row = plan.rows[i];
    if (row.kind != Row::Kind::cell) continue;
    out[row.levels] = i;
    for (const auto& folded : row.folded) out[folded] = i;
  }
  return out;
}

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

Pairs matching(const std::map<Levels, std::size_t>& rows, const std::string& factor, const std::string& level,
               const std::string& against) {
  Pairs pairs;
  for (const auto& [levels, second] : rows) {
    if (levels.at(factor) != against) continue;
    auto other = levels;
    other[factor] = level;
    const auto first = rows.find(other);
    if (first == rows.end() || first->second == second) continue;
    if (const std::pair pair(first->second, second);
        std::find(pairs.begin(), pairs.end(), pair) == pairs.end())
      pairs.push_back(pair);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

Pairs halves(const std::map<Levels, std::size_t>& rows, const std::string& factor, const std::string& level,
             const std::string& against) {
  std::vector<std::size_t> first, second;
  for (const auto& [levels, row] : rows) {
    if (levels.at(factor) == level) first.push_back(row);
    if (levels.at(factor) == against) second.push_back(row);
  }
  Pairs pairs;
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i)
    pairs.emplace_back(first[i], second[i]);
  return pairs;
}

}  // namespace

Comparison compare_levels(const Plan& plan, const Factor& factor, const std::string& level,
                          const std::string& against) {
  Comparison out;
  out.name = factor.extension ? factor.name : fmt::format("{}: {} - {}", factor.name, level, against);
  out.words = factor.extension ? fmt::format("with `{}` minus without", factor.name)
                               : fmt::format("at `{}` = {} minus at {}", factor.name, level, against);
  const auto rows = rows_by_levels(plan);
  const bool inert = std::find(plan.inert.begin(), plan.inert.end(), factor.name) != plan.inert.end();
  if (inert) return out;
  out.pairs = plan.resolution > 0 && factor.extension ? halves(rows, factor.name, level, against)
                                                      : matching(rows, factor.name, level, against);
  return out;
}

Comparison compare_factor(const Plan& plan, const std::string& factor) {
  // Several paths of a `zip` are one factor, and each path names it.
  const auto found = std::find_if(plan.factors.begin(), plan.factors.end(), [&](const Factor& f) {
    return (", " + f.name + ", ").find(", " + factor + ", ") != std::string::npos;
  });
  if (found == plan.factors.end()) {
    std::string known;
    for (const auto& f : plan.factors) known += (known.empty() ? "" : ", ") + f.name;
    throw UserError(
        "a hypothesis contrasts " + factor + ", which the experiment " + plan.experiment + " doesn't vary",
        known.empty() ? "It varies nothing." : "It varies " + known + ".");
  }
  return compare_levels(plan, *found, found->levels.back(), found->levels.front());
}

Comparison compare_with_control(const Plan& plan, const std::string& control) {
  Comparison out;
  out.name = "cells - " + control;
  out.words = fmt::format("of the cells minus of `{}`", control);
  const auto found = std::find_if(plan.rows.begin(), plan.rows.end(), [&](const Row& row) {
    return row.kind == Row::Kind::control && row.label == control;
  });
  if (found == plan.rows.end())
    throw UserError("a hypothesis compares with " + control + ", which the experiment " + plan.experiment +
                        " doesn't have as a control",
                    "Name one of its controls.");
  for (std::size_t i = 0; i < plan.rows.size(); ++i)
    if (plan.rows[i].kind == Row::Kind::cell)
      out.pairs.emplace_back(i, static_cast<std::size_t>(found - plan.rows.begin()));
  return out;
}

std::vector<Comparison> all_comparisons(const Plan& plan) {
  std::vector<Comparison> out;
  for (const auto& factor : plan.factors)
    for (std::size_t i = 1; i < factor.levels.size(); ++i)
      out.push_back(compare_levels(plan, factor, factor.levels[i], factor.levels[0]));
  return out;
}

}  // namespace trl::interpreter
