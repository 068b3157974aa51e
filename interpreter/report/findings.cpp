#include "interpreter/report/findings.hpp"
#include "base/statistics/decision.hpp"
#include "base/support/counted.hpp"
#include "interpreter/report/escape.hpp"
#include "interpreter/wrap.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace trl::interpreter {
namespace {

/// Whether a row is the study's own and whole: not imported, and not one suite or seed of another row.
bool counts(const Row& row) { return row.part.empty() && row.kind != Row::Kind::imported; }

/// Returns a row's name and the number of other rows with the same figure: "`stages` and 2 others". If all
/// these rows gave the same answers, all are named: "`none` and `inputs`, which gave the same answers,".
std::string named(const Table& table, std::size_t column, double value) {
  std::vector<std::string> labels;
  for (const auto& row : table.rows)
    if (counts(*row.row) && row.figures[column].value == value) labels.push_back(row_label(*row.row));
  const auto others = labels.size() - 1;
  if (others == 0) return "`" + labels.front() + "`";
  const bool one = std::any_of(table.same_answers.begin(), table.same_answers.end(),
                               [&](const auto& same) { return same == labels; });
  if (one) return fmt::format("`{}`, which gave the same answers,", fmt::join(labels, "` and `"));
  return "`" + labels.front() + "` and " + counted(others, "other");
}

/// "p = 0.012 after Holm for 3 hypotheses".
std::string p_text(const HypothesisResult& result) {
  const auto one = [](double p) {
    return p < 0.001 ? std::string("p < 0.001") : fmt::format("p = {:.2g}", p);
  };
  const bool equivalent = result.decision.verdict == statistics::Verdict::equivalent ||
                          (result.expectation == statistics::Expectation::same &&
                           result.decision.verdict == statistics::Verdict::supported);
  std::string text = equivalent ? one(result.decision.p_equivalent) + " by two one-sided tests of that size"
                                : one(result.decision.p_different);
  if (result.family > 1) text += fmt::format(" after Holm for {} hypotheses", result.family);
  return text;
}

/// " The interval that decides, of 90 %, is [-20.1, +15.3] points."
std::string deciding_interval_text(const HypothesisResult& result) {
  const auto& interval = *result.deciding_interval;
  return fmt::format(" The interval that decides, of {:.3g} %, is [{}, {}]{}.",
                     100 * result.deciding_confidence, difference_text(result.metric, interval.low),
                     difference_text(result.metric, interval.high), difference_unit(result.metric));
}

}  // namespace

std::string deciding_text(const HypothesisResult& result) {
  const auto& cost = *result.deciding;
  const auto effect = value_text(result.metric, cost.effect) + difference_unit(result.metric);
  if (!cost.runs_known)
    return " What training runs vary by can't be told from one seed each: `seeds = 1..3` would tell.";
  if (!cost.seeds)
    return fmt::format(
        " Even {} wouldn't decide {} on these tasks: {}.", counted(statistics::most_seeds, "seed"), effect,
        result.smallest_effect ? "more tasks are needed" : "a `smallest_effect` would say what matters");
  auto text = fmt::format(" To decide {} takes about {} x {} a task: {:.2g} h of this machine", effect,
                          counted(cost.seeds, "seed"), counted(cost.samples, "sample"), cost.hours);
  if (cost.usd) text += fmt::format(", {:.2f} usd", *cost.usd);
  return text + ".";
}

std::string sentence(const HypothesisResult& result) {
  const auto verdict = result.verdict();
  if (verdict == "inert" && result.twins > 0)
    return fmt::format(
        "{} is inert: what `{}` compares gave the same answers under every seed, so there is nothing to "
        "compare.",
        result.name, result.comparison.name);
  if (verdict == "inert")
    return fmt::format("{} is inert: `{}` changes nothing on this machine, so there is nothing to compare.",
                       result.name, result.comparison.name);
  if (!result.refusal.empty()) return fmt::format("{} is undecided: {}", result.name, result.refusal);
  if (!result.difference)
    return fmt::format("{} is undecided: {} could not be measured.", result.name, result.measure());
  const auto& difference = *result.difference;
  const auto pairs = result.comparison.pairs.size();
  auto text = fmt::format("{} is {}: {} {} is {}{}", result.name, result.headline(), result.measure(),
                          result.comparison.words, difference_text(result.metric, difference),
                          difference_unit(result.metric));
  if (difference.common_tasks) text += fmt::format(" on {} tasks that both solve", *difference.common_tasks);
  text += pairs > 1 || result.comparison.same > 0
              ? fmt::format(" (mean of {} of cells", counted(pairs, "pair"))
              : std::string(" (");
  if (result.comparison.same > 0)
    text += fmt::format(", and {} more pairs of cells that are the same on this machine and count as 0",
                        result.comparison.same);
  text +=
      fmt::format("{}expected {}", text.ends_with("(") ? "" : "; ", statistics::name_of(result.expectation));
  if (result.smallest_effect) {
    const auto size =
        result.metric.mean == Mean::share
            ? value_text(result.metric, *result.smallest_effect) + difference_unit(result.metric)
            : fmt::format("{:.3g} %", 100 * *result.smallest_effect);
    text += result.expectation == statistics::Expectation::same ? ", within " + size
                                                                : "; " + size + " or more would matter";
  }
  const bool recipe = difference.estimate.scope == Scope::recipe;
  if (recipe && difference.estimate.testable()) text += "; " + p_text(result);
  text += ").";
  if (result.deciding_interval) text += deciding_interval_text(result);
  if (result.looks > 1)
    text += fmt::format(
        " Up to {} looks were declared, so that this one is judged at alpha {:.2g} % instead of {:.2g} %.",
        result.looks, 100 * statistics::alpha_of_look(result.alpha, result.looks), 100 * result.alpha);
  if (wholly_interaction(result.twins, pairs))
    text += fmt::format(
        " In {} both rows gave the same answers under every seed, so that what is found is an interaction "
        "with what tells the other pairs apart, and not an effect by itself.",
        result.twins == 1 ? std::string("1 of these pairs") : fmt::format("{} of these pairs", result.twins));
  if (recipe && result.decision.verdict == statistics::Verdict::equivalent && difference.clear())
    text += " It is there, and shown to be smaller than what would matter.";
  if (!recipe)
    text += " This is of this training run only, so that no claim about the recipe follows.";
  else if (difference.detectable && result.metric.mean == Mean::share && *difference.detectable >= 1)
    text += " With the standard error of this one, a study finds no difference that shares can have.";
  else if (difference.detectable)
    text += fmt::format(
        fmt::runtime(result.expectation == statistics::Expectation::same
                         ? " With the standard error of this one, a study shows that a difference of 0 "
                           "lies within {}{}, and not within less."
                         : " With the standard error of this one, a study finds {}{} or more."),
        (difference.common_tasks ? "x" : "") + value_text(result.metric, *difference.detectable),
        difference_unit(result.metric));
  else
    text +=
        " All tasks and runs were alike, so that it is unknown which difference a study of this size can "
        "find.";
  if (result.deciding) text += deciding_text(result);
  return text;
}

std::string detectable_note() {
  return "The difference that a study finds is the smallest true one that is detected with 80 % power by a "
         "two-sided t test at the hypothesis' alpha divided by the number of hypotheses, with the contrast's "
         "own standard error and degrees of freedom (`trl power` plans with those of a study to come). "
         "Smaller "
         "effects may exist and be missed. Verdicts are adjusted for the number of hypotheses (Holm); "
         "brackets aren't.";
}

std::string extremes(const Table& table) {
  const auto primary = primary_column(table);
  if (!primary) return {};
  const auto& column = table.columns[*primary];
  const Figure *best = nullptr, *worst = nullptr;
  int measured = 0;
  for (const auto& row : table.rows) {
    const auto& figure = row.figures[*primary];
    if (!figure.value || !counts(*row.row)) continue;
    ++measured;
    if (!best || *figure.value > *best->value) best = &figure;
    if (!worst || *figure.value < *worst->value) worst = &figure;
  }
  if (measured < 2) return {};
  if (*best->value == *worst->value)
    return fmt::format("{}: all {} {}rows have {}.", table.measure(*primary), measured,
                       table.imported.empty() ? "" : "of its own ", figure_text(column, *best));
  auto text = fmt::format("{}: highest {} with {}, lowest {} with {}", table.measure(*primary),
                          named(table, *primary, *best->value), figure_text(column, *best),
                          named(table, *primary, *worst->value), figure_text(column, *worst));
  return text + fmt::format(". Among {} rows some differences are due to chance.", measured);
}

std::string declared_text(const Effect& effect) {
  return effect.declared.empty() ? "exploratory" : fmt::format("{}", fmt::join(effect.declared, ", "));
}

std::vector<std::string> effect_sentences(const std::vector<Effect>& effects, const Table& table) {
  const auto primary = primary_column(table);
  std::vector<std::string> sentences;
  for (const auto& effect : effects) {
    if (effect.comparison.pairs.empty()) {
      sentences.push_back(fmt::format("`{}` changes nothing on this machine.", effect.comparison.name));
      continue;
    }
    std::string first, clear;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const auto& difference = effect.differences[i];
      if (!difference) continue;
      const auto text =
          fmt::format("{} {}{}", table.measure(i), difference_text(table.columns[i], *difference),
                      difference_unit(table.columns[i]));
      if (primary && i == *primary)
        first = text;
      else if (difference->clear())
        clear += (clear.empty() ? "" : ", ") + text;
    }
    auto sentence = fmt::format("`{}` ({}): {}", effect.comparison.name, declared_text(effect),
                                first.empty() ? "not measured" : first);
    if (const auto pairs = effect.comparison.pairs.size(); wholly_interaction(effect.twins, pairs))
      sentence += fmt::format(", wholly an interaction (in {} of {} pairs both rows gave the same answers)",
                              effect.twins, pairs);
    else if (effect.twins > 0)
      sentence += ", of rows that gave the same answers";
    sentence += clear.empty() ? std::string(no_other_column) : "; clear of no difference: " + clear + ".";
    sentences.push_back(std::move(sentence));
  }
  return sentences;
}

namespace {

/// Columns in which any effect has a difference.
std::vector<std::size_t> measured_columns(const std::vector<Effect>& effects, std::size_t columns) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < columns; ++i)
    if (std::any_of(effects.begin(), effects.end(),
                    [&](const Effect& effect) { return effect.differences[i].has_value(); }))
      out.push_back(i);
  return out;
}

}  // namespace

std::string effects_markdown(const std::vector<Effect>& effects, const std::vector<Column>& columns) {
  if (effects.empty()) return {};
  std::vector<std::string> labels = {"contrast (pairs)"};
  for (const auto& effect : effects)
    labels.push_back(fmt::format("{} ({})", effect.comparison.name, effect.comparison.pairs.size()));
  std::vector<std::vector<std::string>> cells = {{"declared by"}};
  for (const auto& effect : effects) cells.front().push_back(declared_text(effect));
  for (const auto i : measured_columns(effects, columns.size())) {
    auto& cell = cells.emplace_back();
    const auto unit = difference_unit(columns[i]);
    cell.push_back(columns[i].title + (columns[i].unit == Column::Unit::factor ? ", ratio"
                                       : unit.empty()                          ? ""
                                                                               : "," + unit));
    for (const auto& effect : effects)
      cell.push_back(effect.differences[i] ? difference_text(columns[i], *effect.differences[i]) : "-");
  }
  return markdown_table(labels, cells);
}

std::string interactions_markdown(const std::vector<Interaction>& interactions, const Column& column) {
  if (interactions.empty()) return {};
  std::vector<std::string> labels = {"interaction"}, values = {column.title + "," + difference_unit(column)},
                           others = {"same contrast as"};
  for (const auto& [name, also, difference] : interactions) {
    labels.push_back(name), others.push_back(also);
    values.push_back(difference ? difference_text(column, *difference) : "-");
  }
  const bool aliased =
      std::any_of(others.begin() + 1, others.end(), [](const auto& text) { return !text.empty(); });
  return markdown_table(labels, aliased ? std::vector<std::vector<std::string>>{values, others}
                                        : std::vector<std::vector<std::string>>{values});
}

std::string effects_csv(const std::vector<Effect>& effects, const std::vector<Interaction>& interactions,
                        const std::vector<Column>& columns) {
  std::string text = "contrast,declared by,pairs,pairs the same";
  for (const auto& column : columns)
    text += fmt::format(
        ",{0}{1},{0} low,{0} high,{0} about,{0} standard error,{0} degrees of freedom,{0} smallest "
        "detectable",
        column.id, column.unit == Column::Unit::factor ? " ratio" : "");
  text += '\n';
  const auto add = [&](const std::optional<Difference>& difference) {
    const bool interval = difference && difference->interval;
    const bool tested = difference && difference->estimate.testable();
    const auto if_any = [&](bool known, double value) { return known ? number(value) : std::string(); };
    text += fmt::format(",{},{},{},{},{},{},{}",
                        if_any(difference.has_value(), difference ? difference->value : 0),
                        if_any(interval, interval ? difference->interval->low : 0),
                        if_any(interval, interval ? difference->interval->high : 0),
                        interval ? scope_name(difference->estimate.scope) : "",
                        if_any(tested, tested ? difference->estimate.standard_error : 0),
                        if_any(tested, tested ? difference->estimate.degrees_of_freedom : 0),
                        number(difference ? difference->detectable : std::nullopt));
  };
  for (const auto& effect : effects) {
    text += fmt::format("{},{},{},{}", csv_field(effect.comparison.name), csv_field(declared_text(effect)),
                        effect.comparison.pairs.size(), effect.comparison.same);
    for (const auto& difference : effect.differences) add(difference);
    text += '\n';
  }
  for (const auto& interaction : interactions) {
    text += fmt::format("{},exploratory,,", csv_field(interaction.name));
    for (std::size_t i = 0; i < columns.size(); ++i)
      add(i == primary_of(columns) ? interaction.difference : std::nullopt);
    text += '\n';
  }
  return text;
}

}  // namespace trl::interpreter
