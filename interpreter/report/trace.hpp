// From a figure back to what it was counted from.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ground/error.hpp"
#include "interpreter/report/table.hpp"

namespace trl::interpreter {

/// A name that nothing has, with those that there are: the command adds the nearest.
struct UnknownName : UserError {
  UnknownName(const std::string& message, const std::string& what, std::vector<std::string> names,
              std::string wanted_name);
  std::vector<std::string> known;
  std::string wanted;
};

/// A place in a table, as it is typed: main[inputs + stages, correct]. Quotes around names are allowed.
struct FigureName {
  std::string table, row, column;
};
/// Throws UserError showing the form.
FigureName parse_figure_name(const std::string& text);

struct TracedCandidate {
  std::string id, task, group;
  std::uint64_t seed = 0;
  double adds = 0;  ///< to the numerator
  Verdict verdict;
};

struct TracedStage {
  std::uint64_t seed = 0;
  std::string slot, kind, key;
  double adds = 0;  ///< seconds or tokens that count; 0 for stages of candidates
};

struct FigureTrace {
  std::string experiment;
  FigureName name;  ///< as the table has it
  Column column;
  Figure figure;
  double numerator = 0, denominator = 0;  ///< of a geometric mean: the sum of logarithms, and of how many
  std::vector<std::string> same_as;       ///< cells that are the same row
  std::vector<TracedStage> stages;
  std::vector<TracedCandidate> candidates;  ///< in the order of the stages' files
};

/// The row of a table: by its label, a folded cell's label, or its extensions in any order. Throws
/// UnknownName.
const Row& find_row(const std::string& name, const std::string& table,
                    const std::vector<std::shared_ptr<const Row>>& rows);
/// A column by id ("pass_at(2)"), title ("pass@2") or, if one alone has it, name. Throws UnknownName.
Column find_column(const std::string& name, const std::string& table, const std::vector<Column>& columns);

/// Columns of a table's layout.
std::vector<Column> columns_of(const TableLayout& layout);

/// The stages of the row must be in the store.
FigureTrace trace_figure(const std::string& table, const Row& row, const Column& column,
                         const Evidence& evidence);

/// "27 of 60 exam samples: the answer parses and runs to a launch plan".
std::string arithmetic_text(const FigureTrace& trace);
/// The candidates alone can be fewer than the trace has.
nlohmann::json as_json(const FigureTrace& trace, const std::vector<TracedCandidate>& candidates);

/// "correct", or "fails full".
std::string verdict_text(const Verdict& verdict);

}  // namespace trl::interpreter
