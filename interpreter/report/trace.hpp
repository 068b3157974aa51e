// Traces a figure back to the verdicts and stages from which it was computed.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/support/error.hpp"
#include "interpreter/report/table.hpp"

namespace trl::interpreter {

/// Thrown for an unknown name, with the list of known names, from which the command suggests the nearest.
struct UnknownName : UserError {
  UnknownName(const std::string& message, const std::string& what, std::vector<std::string> names,
              std::string wanted_name);
  std::vector<std::string> known;
  std::string wanted;
};

/// The name of a figure by table, row and column, as users type it: main[inputs + stages, correct]. Names may
/// be quoted.
struct FigureName {
  std::string table, row, column;
};
/// Parses the name of a figure. Throws UserError, which shows the expected form.
FigureName parse_figure_name(const std::string& text);

struct TracedCandidate {
  std::string id, task, group;
  std::uint64_t seed = 0;
  double adds = 0;  ///< the candidate's contribution to the numerator
  Verdict verdict;
};

struct TracedStage {
  std::uint64_t seed = 0;
  std::string slot, kind, key;
  double adds = 0;  ///< the seconds or tokens that the stage contributes to the numerator; 0 if the figure
                    ///< counts candidates
};

struct FigureTrace {
  std::string experiment;
  FigureName name;  ///< the names of table, row and column as the table writes them
  Column column;
  Figure figure;
  /// For a geometric mean: the sum of the logarithms and their number.
  double numerator = 0, denominator = 0;
  std::vector<std::string> same_as;  ///< the labels of other cells that are folded into the same row
  std::vector<TracedStage> stages;
  std::vector<TracedCandidate> candidates;  ///< in the order of the stages' files
  std::string from = {};                    ///< the path of the results of an imported row; otherwise empty
};

/// Finds a row of a table by its label, a folded cell's label, or its extensions in any order. Throws
/// UnknownName.
const Row& find_row(const std::string& name, const std::string& table,
                    const std::vector<std::shared_ptr<const Row>>& rows);
/// Finds a column by id ("pass_at(2)"), by title ("pass@2"), or by name ("pass_at") if only one column has
/// this name. Throws UnknownName.
Column find_column(const std::string& name, const std::string& table, const std::vector<Column>& columns);

/// The columns that a table's layout lists.
std::vector<Column> columns_of(const TableLayout& layout);

/// Finds the verdicts and stages from which a figure was computed. The stages of the row must be in the
/// store.
FigureTrace trace_figure(const std::string& table, const Row& row, const Column& column,
                         const Inference& inference);

/// The arithmetic of a figure: "27 of 60 exam samples: the answer parses and runs to a launch plan".
std::string arithmetic_text(const FigureTrace& trace);
/// The trace as JSON, with `candidates`, which may be a part of the trace's candidates.
nlohmann::json as_json(const FigureTrace& trace, const std::vector<TracedCandidate>& candidates);

/// A verdict in words: "correct", or the failed check as in "fails full".
std::string verdict_text(const Verdict& verdict);

}  // namespace trl::interpreter
