// Traces a figure back to the verdicts and stages from which it was computed.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/support/error.hpp"
#include "interpreter/report/table.hpp"

namespace trl::interpreter {

/// Thrown for an unknown name, with the known ones; the command adds the nearest.
struct UnknownName : UserError {
  UnknownName(const std::string& message, const std::string& what, std::vector<std::string> names,
              std::string wanted_name);
  std::vector<std::string> known;
  std::string wanted;
};

/// A figure's place in a table, as users type it: main[inputs + stages, correct]. Names may be quoted.
struct FigureName {
  std::string table, row, column;
};
/// Throws UserError with the expected form.
FigureName parse_figure_name(const std::string& text);

struct TracedCandidate {
  std::string id, task, group;
  std::uint64_t seed = 0;
  double adds = 0;  ///< its part of the numerator
  Verdict verdict;
};

struct TracedStage {
  std::uint64_t seed = 0;
  std::string slot, kind, key;
  double adds = 0;  ///< the seconds or tokens that it adds; 0 for stages of candidates
};

struct FigureTrace {
  std::string experiment;
  FigureName name;  ///< with the names of the table
  Column column;
  Figure figure;
  double numerator = 0, denominator = 0;  ///< for a geometric mean: the sum of logarithms, and their number
  std::vector<std::string> same_as;       ///< cells that are folded into the same row
  std::vector<TracedStage> stages;
  std::vector<TracedCandidate> candidates;  ///< in the order of the stages' files
  std::string from = {};                    ///< of an imported row: where its results are
};

/// Finds a row of a table by its label, a folded cell's label, or its extensions in any order. Throws
/// UnknownName.
const Row& find_row(const std::string& name, const std::string& table,
                    const std::vector<std::shared_ptr<const Row>>& rows);
/// Finds a column by id ("pass_at(2)"), title ("pass@2") or, if only one column has it, name. Throws
/// UnknownName.
Column find_column(const std::string& name, const std::string& table, const std::vector<Column>& columns);

/// The columns of a table's layout.
std::vector<Column> columns_of(const TableLayout& layout);

/// Traces a figure. The stages of the row must be in the store.
FigureTrace trace_figure(const std::string& table, const Row& row, const Column& column,
                         const Inference& inference);

/// The arithmetic of a figure: "27 of 60 exam samples: the answer parses and runs to a launch plan".
std::string arithmetic_text(const FigureTrace& trace);
/// The trace as JSON. `candidates` may be a part of the trace's.
nlohmann::json as_json(const FigureTrace& trace, const std::vector<TracedCandidate>& candidates);

/// "correct", or "fails full".
std::string verdict_text(const Verdict& verdict);

}  // namespace trl::interpreter
