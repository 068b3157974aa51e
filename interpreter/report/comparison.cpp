#include "interpreter/report/comparison.hpp"

#include <algorithm>
#include <map>

#include "base/support/error.hpp"
#include "base/support/quoted_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace trl::interpreter {
namespace {

using Levels = std::map<std::string, std::string>;

/// Returns the levels of every cell, including folded cells, with the number of the cell's row.
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

/// Adds the pairs of cells that differ only in the factor.
void add_matching(const std::map<Levels, std::size_t>& rows, const std::string& factor,
                  const std::string& level, const std::string& against, Comparison& to) {
  std::map<std::pair<std::size_t, std::size_t>, int> pairs;
  for (const auto& [levels, second] : rows) {
    if (levels.at(factor) != against) continue;
    auto other = levels;
    other[factor] = level;
    const auto first = rows.find(other);
    if (first == rows.end()) continue;
    if (first->second == second)
      ++to.same;
    else
      ++pairs[{first->second, second}];
  }
  for (const auto& [pair, cells] : pairs) to.pairs.push_back({pair.first, pair.second, cells});
}

void add_halves(const std::map<Levels, std::size_t>& rows, const std::string& factor,
                const std::string& level, const std::string& against, Comparison& to) {
  std::vector<std::size_t> first, second;
  for (const auto& [levels, row] : rows) {
    if (levels.at(factor) == level) first.push_back(row);
    if (levels.at(factor) == against) second.push_back(row);
  }
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i)
    to.pairs.push_back({first[i], second[i]});
}

std::size_t control_row(const Plan& plan, const std::string& control) {
  const auto found = std::find_if(plan.rows.begin(), plan.rows.end(), [&](const Row& row) {
    return row.kind == Row::Kind::control && row.label == control;
  });
  if (found == plan.rows.end())
    throw UserError("a hypothesis compares with " + control + ", which the experiment " + plan.experiment +
                        " doesn't have as a control",
                    "Name one of its controls.");
  return static_cast<std::size_t>(found - plan.rows.begin());
}

std::size_t cell_row(const Plan& plan, const std::set<std::string>& on) {
  for (const auto& [levels, row] : rows_by_levels(plan)) {
    std::set<std::string> own;
    for (const auto& [factor, level] : levels)
      if (level == "on") own.insert(factor);
    if (own == on) return row;
  }
  throw UserError(fmt::format("a hypothesis compares the cell [{}], which the experiment {} doesn't have",
                              fmt::join(on, ", "), plan.experiment),
                  "`trl plan` lists its cells.");
}

/// Returns a level for a sentence. A level of a `zip`, which contains commas, is put in parentheses.
std::string in_words(const std::string& level) {
  return level.find(',') == std::string::npos ? level : "(" + level + ")";
}

bool varies(const Plan& plan, bool extensions) {
  return std::any_of(plan.factors.begin(), plan.factors.end(),
                     [&](const Factor& factor) { return factor.extension == extensions; });
}

Comparison compare_rows(const Plan& plan, std::size_t first, std::size_t second) {
  Comparison out;
  const auto &one = plan.rows[first].label, &other = plan.rows[second].label;
  out.name = one + " minus " + other;
  out.words = fmt::format("of `{}` minus of `{}`", one, other);
  if (first != second) out.pairs.push_back({first, second});
  return out;
}

}  // namespace

std::map<std::size_t, double> Comparison::coefficients() const {
  double total = same;
  for (const auto& pair : pairs) total += pair.cells;
  std::map<std::size_t, double> out;
  for (const auto& pair : pairs)
    out[pair.first] += pair.cells / total, out[pair.second] -= pair.cells / total;
  return out;
}

Comparison compare_levels(const Plan& plan, const Factor& factor, const std::string& level,
                          const std::string& against) {
  Comparison out;
  out.name = factor.extension
                 ? factor.name
                 : fmt::format("{}: {} minus {}", factor.name, in_words(level), in_words(against));
  out.words = factor.extension
                  ? fmt::format("with `{}` minus without", factor.name)
                  : fmt::format("at `{}` = {} minus at {}", factor.name, in_words(level), in_words(against));
  const auto rows = rows_by_levels(plan);
  const bool inert = std::find(plan.inert.begin(), plan.inert.end(), factor.name) != plan.inert.end();
  if (inert) return out;
  if (plan.resolution > 0 && factor.extension)
    add_halves(rows, factor.name, level, against, out);
  else
    add_matching(rows, factor.name, level, against, out);
  return out;
}

Comparison compare_factor(const Plan& plan, const std::string& factor) {
  // The paths of a `zip` are one factor, whose name lists them.
  const auto found = std::find_if(plan.factors.begin(), plan.factors.end(), [&](const Factor& f) {
    return (", " + f.name + ", ").find(", " + factor + ", ") != std::string::npos;
  });
  if (found == plan.factors.end()) {
    std::vector<std::string> known;
    for (const auto& f : plan.factors) known.push_back(f.name);
    throw UserError(
        "a hypothesis contrasts " + factor + ", which the experiment " + plan.experiment + " doesn't vary",
        known.empty() ? "It varies nothing." : "It varies " + quoted_names(known) + ".");
  }
  return compare_levels(plan, *found, found->levels.back(), found->levels.front());
}

Comparison compare_with_control(const Plan& plan, const std::string& control) {
  Comparison out;
  out.name = "cells minus " + control;
  out.words = fmt::format("of the cells minus of `{}`", control);
  const auto second = control_row(plan, control);
  for (std::size_t i = 0; i < plan.rows.size(); ++i)
    if (plan.rows[i].kind == Row::Kind::cell) out.pairs.push_back({i, second});
  return out;
}

Comparison compare_cell(const Plan& plan, const std::set<std::string>& on, const std::string& control) {
  return compare_rows(plan, cell_row(plan, on), control_row(plan, control));
}

Comparison compare_cell(const Plan& plan, const std::set<std::string>& on,
                        const std::set<std::string>& other) {
  return compare_rows(plan, cell_row(plan, on), cell_row(plan, other));
}

std::string effect_meaning(const Plan& plan) {
  const std::string extension = "the figure with the extension minus the figure without",
                    setting = "the figure at the level that is named first minus the figure at the other";
  if (!varies(plan, false)) return extension;
  return varies(plan, true) ? extension + ", or of a setting " + setting : setting;
}

std::string varied_kinds(const Plan& plan) {
  if (!varies(plan, false)) return "extension";
  return varies(plan, true) ? "extension and setting" : "setting";
}

std::string interaction_meaning(const Plan& plan) {
  if (!varies(plan, false)) return "How much more one extension helps with the other than without, halved";
  return std::string("How much more one changes the figure at the other's second level than at its first") +
         (varies(plan, true) ? " (for an extension, with it than without), halved" : ", halved");
}

std::vector<Comparison> all_comparisons(const Plan& plan) {
  std::vector<Comparison> out;
  for (const auto& factor : plan.factors)
    for (std::size_t i = 1; i < factor.levels.size(); ++i)
      out.push_back(compare_levels(plan, factor, factor.levels[i], factor.levels[0]));
  return out;
}

}  // namespace trl::interpreter
