// Writes the results: tables, a paragraph for each hypothesis, exploratory effects, figures.
#include <algorithm>

#include "base/statistics/decision.hpp"
#include "base/support/counted.hpp"
#include "interpreter/paper/paper.hpp"
#include "interpreter/report/findings.hpp"

#include <fmt/format.h>

namespace trl::interpreter::paper {
namespace {

using statistics::Verdict;

/// "95 % interval -2.4 to 2.9".
std::string interval_in_words(const Column& column, const Interval& interval, double confidence = 0.95) {
  return fmt::format("{:.3g}\u00a0% interval {} to {}", 100 * confidence,
                     difference_text(column, interval.low), difference_text(column, interval.high));
}

std::string p_words(double p) {
  return p < 0.001 ? "p\u00a0<\u00a00.001" : fmt::format("p\u00a0=\u00a0{:.2g}", p);
}

/// States an effect and its uncertainty: "+0.3 points (95 % interval -2.4 to +2.9; mean over two pairs of
/// cells; 60 tasks, three seeds)".
std::string effect_in_words(const HypothesisResult& result, const Study& study) {
  const auto& difference = *result.difference;
  auto text = difference_text(result.metric, difference.value) + difference_unit(result.metric) + " (";
  if (difference.interval) text += interval_in_words(result.metric, *difference.interval) + "; ";
  const auto pairs = result.comparison.pairs.size();
  if (pairs > 1) text += "mean over " + in_words(pairs, "pair") + " of cells; ";
  if (result.comparison.same > 0)
    text += counted(static_cast<std::size_t>(result.comparison.same), "further pair") +
            " of cells that are one and the same here, counted as no difference; ";
  if (difference.common_tasks)
    text += fmt::format("{} tasks that both solve, ", *difference.common_tasks);
  else
    text += fmt::format("{} tasks, ", study.plan().exam_tasks.size());
  const auto seeds = study.plan().rows.front().traces.size();
  return text + in_words(seeds, "seed") + ")";
}

/// Returns sentences that name the deciding test and its decision, after a blank.
std::string decision_in_words(const HypothesisResult& result) {
  const bool recipe = result.difference->estimate.scope == Scope::recipe;
  if (!recipe)
    return " This interval is about one training run alone, so that nothing follows for the recipe and the "
           "hypothesis "
           "is undecided.";
  const auto level =
      fmt::format("{:.2g}\u00a0%", 100 * statistics::alpha_of_look(result.alpha, result.looks));
  const auto adjusted = result.family > 1 ? fmt::format(", adjusted by Holm's method for {} hypotheses",
                                                        number_word(result.family))
                                          : "";
  const bool equivalence = result.decision.verdict == Verdict::equivalent ||
                           (result.expectation == statistics::Expectation::same && result.deciding_interval);
  std::string text;
  if (equivalence && result.deciding_interval)
    text = fmt::format(
        " Two one-sided tests against the smallest effect that matters give {}{}, at a level of {}; the {} "
        "lies {}.",
        p_words(result.decision.p_equivalent), adjusted, level,
        interval_in_words(result.metric, *result.deciding_interval, result.deciding_confidence),
        result.decision.verdict == Verdict::undecided ? "partly beyond that size"
                                                      : "within that size on both sides");
  else
    text = fmt::format(" The paired t test gives {}{}, at a level of {}.",
                       p_words(result.decision.p_different), adjusted, level);
  switch (result.decision.verdict) {
    case Verdict::supported:
      return text + " The hypothesis is supported.";
    case Verdict::refuted:
      return text + " The difference has the other sign: the hypothesis is contradicted.";
    case Verdict::equivalent:
      return text +
             " The effect is equivalent to none: whatever it is, it is smaller than what was said to matter.";
    case Verdict::inert:
      return text;
    case Verdict::undecided:
      return text + " The hypothesis is undecided: the data neither show the effect nor rule it out.";
  }
  return text;
}

/// Says how large an effect the study could find, and which size of study would decide.
std::string power_in_words(const HypothesisResult& result) {
  const auto& difference = *result.difference;
  if (difference.estimate.scope != Scope::recipe) return {};
  std::string text;
  if (difference.detectable && !(result.metric.mean == Mean::share && *difference.detectable >= 1))
    text +=
        fmt::format(" A study of this size finds differences of {}{} or more.",
                    (difference.common_tasks ? "x" : "") + value_text(result.metric, *difference.detectable),
                    difference_unit(result.metric));
  else
    text += " What difference a study of this size finds can't be told.";
  if (result.deciding) text += deciding_text(result);
  return text;
}

std::string finding(const HypothesisResult& result, const Study& study) {
  const auto verdict = result.decision.verdict;
  if (verdict == Verdict::inert)
    return result.twins > 0 ? fmt::format(
                                  "What `{}` compares gave the same answers under every seed: the two are "
                                  "one, and there is "
                                  "nothing to compare.",
                                  result.comparison.name)
                            : fmt::format(
                                  "`{}` changes nothing on the machine of this study, so that there is "
                                  "nothing to compare.",
                                  result.comparison.name);
  if (!result.refusal.empty()) return "It is undecided, since the rows can't be compared: " + result.refusal;
  if (!result.difference) return fmt::format("It is undecided: {} could not be measured.", result.measure());
  auto text = capitalised(contrast_in_words(result.metric, result.comparison, result.modelled)) + " is " +
              effect_in_words(result, study) + ".";
  const auto pairs = result.comparison.pairs.size();
  if (wholly_interaction(result.twins, pairs))
    text += fmt::format(
        " In {} of the {} both rows gave the same answers under every seed: the effect is wholly an "
        "interaction with what "
        "tells the other pairs apart, and none by itself.",
        number_word(static_cast<std::size_t>(result.twins)), in_words(pairs, "pair"));
  return text + decision_in_words(result) + power_in_words(result);
}

/// Returns the name of an interaction with its parts as separate names, to be put between backticks: "inputs`
/// × `memory".
std::string interaction_in_words(std::string name) {
  for (std::size_t at; (at = name.find(" x ")) != std::string::npos;) name.replace(at, 3, "` × `");
  return name;
}

/// Returns sentences about interactions, and about effects that no hypothesis declares; each sentence begins
/// with a blank.
std::string effect_list(const ReportedTable& reported) {
  std::vector<Effect> exploratory;
  for (const auto& effect : reported.effects)
    if (effect.declared.empty()) exploratory.push_back(effect);
  // Words that all effects have in common are said only once.
  constexpr std::string_view kind = " (exploratory)";
  std::string text;
  bool elsewhere = false;
  for (auto sentence : effect_sentences(exploratory, reported.table)) {
    if (const auto at = sentence.find(kind); at != std::string::npos) sentence.erase(at, kind.size());
    if (sentence.ends_with(no_other_column)) {
      sentence.resize(sentence.size() - no_other_column.size());
      sentence += '.', elsewhere = true;
    }
    text += " " + sentence;
  }
  if (elsewhere) text += " On columns that aren't named here no interval is clear of no difference.";
  const auto primary = primary_column(reported.table);
  for (const auto& interaction : reported.interactions) {
    if (!interaction.difference || !primary) continue;
    const auto& column = reported.table.columns[*primary];
    text += fmt::format(" The interaction `{}` in {} is {}{}{}.", interaction_in_words(interaction.name),
                        reported.table.measure(*primary), difference_text(column, *interaction.difference),
                        difference_unit(column),
                        interaction.also.empty()
                            ? ""
                            : ", the same contrast as `" + interaction_in_words(interaction.also) + "`");
  }
  return text;
}

/// Returns a caption for a table without one: what its rows are.
std::string usual_caption(const Study& study) {
  const auto& plan = study.plan();
  std::size_t cells = 0, controls = 0;
  for (const auto& row : plan.rows)
    cells += row.kind == Row::Kind::cell, controls += row.kind == Row::Kind::control;
  std::vector<std::string> parts = {in_words(cells, "cell")};
  if (controls > 0) parts.push_back(in_words(controls, "control"));
  parts.emplace_back("the baseline");
  return fmt::format("Results of `{}` on the {} tasks of the exam, with {}: {}.", plan.experiment,
                     plan.exam_tasks.size(), in_words(plan.rows.front().traces.size(), "seed"),
                     enumerated(parts));
}

TableFloat float_of(const TableLayout& layout, Table table, const Study& study) {
  auto notes = short_notes(table, study.plan().rows.front().traces.size());
  return {std::move(table), label_of(layout, study.plan().experiment),
          layout.caption.empty() ? usual_caption(study) : layout.caption, std::move(notes)};
}

/// Explains the rows' names to readers who don't know the tool; empty if no extension is varied.
std::string rows_in_words(const Plan& plan) {
  std::vector<std::string> extensions;
  for (const auto& factor : plan.factors)
    if (factor.extension) extensions.push_back(factor.name);
  if (extensions.empty()) return {};
  return extensions.size() == 1
             ? fmt::format(" A row is named by what is on: `{}`, or `none`.", extensions.front())
             : " A row is named by the extensions that are on in it; in `none`, none is.";
}

/// Returns " The share of the answers that are correct is highest in `a`, 52.2 % [40.6, 63.6], and lowest in
/// `b`, …", for the study's own rows; for a sweep, the row that it chose.
std::string rows_in_order(const ReportedTable& reported) {
  const auto& table = reported.table;
  const auto primary = primary_column(table);
  if (!primary) return {};
  const auto& column = table.columns[*primary];
  if (reported.sweep) return " " + sweep_sentence(*reported.sweep, column);
  std::vector<const TableRow*> rows;
  for (const auto& row : table.rows)
    if (row.row->part.empty() && row.row->kind != Row::Kind::imported && row.figures[*primary].value)
      rows.push_back(&row);
  if (rows.size() < 2) return {};
  const auto [low, high] = std::minmax_element(rows.begin(), rows.end(), [&](const auto* a, const auto* b) {
    return *a->figures[*primary].value < *b->figures[*primary].value;
  });
  const auto extreme = [&](const TableRow& one) {
    std::vector<std::string> labels;
    for (const auto* row : rows)
      if (row->figures[*primary].value == one.figures[*primary].value) labels.push_back(row_label(*row->row));
    return names_in_words(labels) + ", " + figure_text(column, one.figures[*primary]);
  };
  const auto measure = measure_in_words(column, table.modelled);
  if (*(*low)->figures[*primary].value == *(*high)->figures[*primary].value)
    return fmt::format(" The {} is the same in all rows, {}.", measure,
                       figure_text(column, (*low)->figures[*primary]));
  return fmt::format(
      " The {} is highest in {}, and lowest in {}; among {} some differences are due to chance.", measure,
      extreme(**high), extreme(**low), in_words(rows.size(), "row"));
}

/// Returns a caption that begins with the picture's content, without the name of its file.
std::string caption_of(const Picture& picture) {
  const auto name = picture.name + ": ";
  return capitalised(picture.caption.starts_with(name) ? picture.caption.substr(name.size())
                                                       : picture.caption);
}

/// Whether the points of a plot are at more than one x, so that lines connect them.
bool has_course(const ReportedPlot& reported) {
  const auto& points = reported.points;
  return std::any_of(points.begin(), points.end(),
                     [&](const PlotPoint& point) { return point.x != points.front().x; });
}

/// The pictures that a paper shows, each with its subject, the most important first: effects, the sweep, the
/// plots that the file declares, and speed.
Figures shown_pictures(const ReportContents& contents) {
  Figures out;
  const auto show = [&](Picture picture, const std::string& about) {
    picture.caption = caption_of(picture);
    out.pictures.push_back(std::move(picture)), out.about.push_back(about);
  };
  const auto show_of_tables = [&](const std::string& ending, const std::string& about) {
    for (const auto& reported : contents.tables)
      for (const auto& picture : reported.pictures)
        if (picture.name == reported.layout.name + ending)
          show(picture, about + (contents.tables.size() == 1
                                     ? ""
                                     : " of " + reference(label_of(reported.layout,
                                                                   contents.evidence.plan().experiment))));
  };
  show_of_tables(".effects", "the effects with their intervals");
  show_of_tables(".best", "what choosing among fewer rows would give");
  for (const auto& reported : contents.plots)
    if (!reported.picture.graphic.empty()) {
      if (has_course(reported))
        show(reported.picture,
             "the " + std::string(reported.plot.y.title) + " by " + axis_name(reported.plot.x));
      else
        out.left_out.push_back(reported.picture.name);
    }
  show_of_tables(".fast", "the share of answers that are correct and faster than a factor");
  return out;
}

}  // namespace

std::vector<Block> results(const Study& study, const ReportContents& contents) {
  std::vector<Block> out = {Section{"Results"}};
  std::vector<std::string> tables;
  for (const auto& reported : contents.tables)
    tables.push_back(reference(label_of(reported.layout, study.plan().experiment)));
  auto figures = shown_pictures(contents);
  std::string begin = tables.empty()
                          ? ""
                          : capitalised(enumerated(tables)) + (tables.size() == 1 ? " has" : " have") +
                                " the figures of all rows." + rows_in_words(study.plan());
  if (!contents.tables.empty()) begin += rows_in_order(contents.tables.front());
  if (!begin.empty()) out.push_back(Paragraph{"", begin});
  for (const auto& reported : contents.tables)
    out.push_back(float_of(reported.layout, reported.table, study));
  if (!figures.pictures.empty() || !figures.left_out.empty()) out.push_back(std::move(figures));
  for (const auto& result : contents.hypotheses)
    out.push_back(
        Paragraph{capitalised(result.headline()) + ": `" + result.name + "`.", finding(result, study)});
  for (const auto& reported : contents.tables)
    if (const auto effects = effect_list(reported); !effects.empty()) {
      out.push_back(Paragraph{"Exploratory.",
                              "No hypothesis declared these effects, so that among several some are clear of "
                              "no difference by chance." +
                                  effects});
      break;
    }
  return out;
}

std::vector<Block> unfinished_results(const Study& study, const Missing& missing) {
  std::vector<Block> out = {Section{"Results"}};
  std::vector<std::string> rows;
  for (const auto& [row, seeds] : missing.rows) {
    std::vector<std::string> numbers;
    for (const auto seed : seeds) numbers.push_back(std::to_string(seed));
    rows.push_back(fmt::format("`{}` (seed{} {})", row, seeds.size() == 1 ? "" : "s", enumerated(numbers)));
  }
  auto text = fmt::format("The study isn't finished: {} of its {} stages {} missing.", missing.stages,
                          missing.all_stages, missing.stages == 1 ? "is" : "are");
  const auto& all_rows = study.plan().rows;
  const bool none_finished =
      missing.rows.size() == all_rows.size() &&
      std::all_of(missing.rows.begin(), missing.rows.end(), [&](const auto& one) {
        return one.second.size() ==
               all_rows[static_cast<std::size_t>(&one - missing.rows.data())].traces.size();
      });
  if (none_finished)
    text += fmt::format(" None of its {} is finished under any seed.", in_words(all_rows.size(), "row"));
  else if (!rows.empty())
    text += " These rows lack results: " + enumerated(rows) + ".";
  text += " Hypotheses are judged together, once all rows are finished; until then none has a verdict. `" +
          study.run_command + "` makes what is missing.";
  out.push_back(Paragraph{"", text});
  const auto is_missing = [&](const Row& row) {
    return std::any_of(missing.rows.begin(), missing.rows.end(),
                       [&](const auto& one) { return one.first == row.label; });
  };
  const auto& plan = study.plan();
  if (std::all_of(plan.rows.begin(), plan.rows.end(), is_missing)) return out;
  const Inference inference(study.evidence);
  std::vector<std::string> labels;
  for (const auto& layout : study.request.tables)
    labels.push_back(reference(label_of(layout, plan.experiment)));
  std::get<Paragraph>(out.back()).text +=
      fmt::format(" {} {} the figures of the rows that are finished.", enumerated(labels),
                  labels.size() == 1 ? "has" : "have");
  for (const auto& layout : study.request.tables) {
    Table table;
    table.name = layout.name;
    table.modelled = !plan.times_kernels;
    for (const auto& column : layout.columns) table.columns.push_back(parse_column(column));
    for (auto& row : rows_of(layout, plan)) {
      TableRow measured{row, {}};
      Row whole = *row;
      whole.label.resize(whole.label.size() - std::min(whole.label.size(), whole.part.size()));
      for (const auto& column : table.columns)
        measured.figures.push_back(is_missing(whole) || row->kind == Row::Kind::imported
                                       ? Figure{}
                                       : inference.figure(column, *row));
      table.rows.push_back(std::move(measured));
    }
    auto shown = float_of(layout, std::move(table), study);
    shown.notes.insert(shown.notes.begin(), "Rows without figures aren't finished.");
    out.push_back(std::move(shown));
  }
  return out;
}

}  // namespace trl::interpreter::paper
