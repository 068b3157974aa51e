#pragma once
// Finds a figure or a row in the tables of a .trl file that a command line names.
#include <optional>

#include "interpreter/commands/console.hpp"
#include "interpreter/report/trace.hpp"

namespace trl::interpreter {

/// Throws `unknown` with a suggestion of the nearest known name.
[[noreturn]] void suggest(const UnknownName& unknown);

/// The candidates and stages from which a figure was computed. `column`, unless empty, replaces the column in
/// `name`. Throws UnknownName for a table, row or column that doesn't exist, and UserError if the store lacks
/// stages of the row.
FigureTrace trace_stored(const FigureName& name, const std::optional<Column>& column, const Program& program,
                         const Store& store, const ProgramOptions& options);

/// The ID of the correct candidate of a row, 'main[inputs + stages]', that had the highest speed-up over the
/// reference in its exams. Unless `task` is empty, only the candidates for this task count. Throws UserError
/// if there is no such candidate, and the exceptions of `trace_stored`.
std::string fastest_candidate(const std::string& row, const std::string& task, const Program& program,
                              const Store& store, const ProgramOptions& options);

}  // namespace trl::interpreter
