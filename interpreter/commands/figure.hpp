#pragma once
// A figure or row of a file's tables that a command names.
#include <optional>

#include "interpreter/commands/console.hpp"
#include "interpreter/report/trace.hpp"

namespace trl::interpreter {

/// Throws the error with a suggestion of the nearest known name.
[[noreturn]] void suggest(const UnknownName& unknown);

/// The candidates and stages that a figure was computed from. `column`, if given, replaces the name's column.
/// Throws UnknownName for a table, row or column that doesn't exist, UserError if the store lacks stages of
/// the row.
FigureTrace trace_stored(const FigureName& name, const std::optional<Column>& column, const Program& program,
                         const Store& store, const ProgramOptions& options);

/// The ID of the correct candidate of a row, 'main[inputs + stages]', that had the highest speed-up over the
/// reference in its exams. With `task`, only that task's candidates count. Throws UserError if there is none,
/// and as above.
std::string fastest_candidate(const std::string& row, const std::string& task, const Program& program,
                              const Store& store, const ProgramOptions& options);

}  // namespace trl::interpreter
