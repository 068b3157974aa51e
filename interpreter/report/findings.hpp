// A study's findings in sentences. Names of the program stand between backticks.
#pragma once

#include <string>
#include <vector>

#include "interpreter/report/hypothesis.hpp"
#include "interpreter/report/table.hpp"

namespace trl::interpreter {

/// "inputs_help is undecided: correct with `inputs` minus without is -1.3 [-6.2, +3.8] points (mean of 4
/// pairs of cells; expected greater). A study of this size finds 7.2 points or more."
std::string sentence(const HypothesisResult& result);

/// What "finds" means; printed once on a page.
std::string detectable_note();

/// The rows with the highest and the lowest figure in the primary column, and whether their intervals
/// overlap; nothing for fewer than two rows.
std::string extremes(const Table& table);

/// For each extension, its effect on the primary column, then its effects on other columns whose intervals
/// exclude 0: "`inputs`: correct +7.7 [-1.8, +16.4] points; clear of 0: purity +23.1 [+15.6, +30.6] points."
std::vector<std::string> effect_sentences(const std::vector<Effect>& effects, const Table& table);

/// A Markdown table of differences with a line for each extension, at most 80 columns wide; nothing without
/// extensions.
std::string effects_markdown(const std::vector<Effect>& effects, const std::vector<Column>& columns);

/// CSV with the columns contrast, pairs and, for each column of the table, difference, low, high, standard
/// error, smallest detectable.
std::string effects_csv(const std::vector<Effect>& effects, const std::vector<Column>& columns);

}  // namespace trl::interpreter
