// A study's findings in sentences. Names from the .trl program are put between backticks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/report/hypothesis.hpp"
#include "interpreter/report/table.hpp"

namespace trl::interpreter {

/// The result of a hypothesis: "inputs_help is supported: correct with `inputs` minus without is +8.3 [+2.2,
/// +14.4] points (mean of 4 pairs of cells; expected greater; p = 0.011 after Holm for 2 hypotheses). A study
/// of this size finds 9.2 points or more."
std::string sentence(const HypothesisResult& result);

/// Says which study would decide an undecided hypothesis, which must have `deciding`: " To decide 15.0 points
/// takes about 5 seeds x 2 samples a task: 0.4 h of this machine." Begins with a blank.
std::string deciding_text(const HypothesisResult& result);

/// A sentence that explains "finds" in the sentences about hypotheses; printed once on a page.
std::string detectable_note();

/// A sentence that names the rows with the highest and the lowest figure in the primary column; empty for
/// fewer than two rows.
std::string extremes(const Table& table);

/// The names of the hypotheses that declare an effect, or "exploratory" if there are none.
std::string declared_text(const Effect& effect);

/// A sentence for each extension: its effect on the primary column, then its effects on other columns, as far
/// as their intervals exclude 0: "`inputs` (inputs_help): correct +7.7 [-1.8, +16.4] points; clear of no
/// difference: purity +23.1 [+15.6, +30.6] points."
std::vector<std::string> effect_sentences(const std::vector<Effect>& effects, const Table& table);
/// The end of a sentence about an effect whose interval excludes 0 on no column, except perhaps the primary
/// column.
inline constexpr std::string_view no_other_column =
    "; on no other column is the interval clear of no difference.";

/// A Markdown table of differences with a line for each effect; empty if there are no effects.
std::string effects_markdown(const std::vector<Effect>& effects, const std::vector<Column>& columns);

/// A Markdown table with a line for each interaction, in one column of figures; empty if there are no
/// interactions.
std::string interactions_markdown(const std::vector<Interaction>& interactions, const Column& column);

/// CSV with a line for each effect, then a line for each interaction; interactions only have values in the
/// primary column. The fields are: contrast, declared by, pairs, pairs the same, and for each column of the
/// table: difference, low, high, about, standard error, degrees of freedom, smallest detectable.
std::string effects_csv(const std::vector<Effect>& effects, const std::vector<Interaction>& interactions,
                        const std::vector<Column>& columns);

}  // namespace trl::interpreter
