#pragma once
// A figure of a file's tables, or a row of one, that a command names.
#include <optional>

#include "interpreter/commands/commands.hpp"
#include "interpreter/report/trace.hpp"

namespace trl::interpreter {

/// The error with the nearest of the known names.
[[noreturn]] void suggest(const UnknownName& unknown);

/// What the figure was counted from; `column` stands for the name's, where it is given. Throws UnknownName
/// for a table, row or column that isn't there, UserError where stages of the row are missing in the store.
FigureTrace trace_stored(const FigureName& name, const std::optional<Column>& column, const Program& program,
                         const Store& store, const ProgramOptions& options);

/// The right candidate of a row, 'main[inputs + stages]', that its exams found fastest beside the reference:
/// its ID. Of one task where `task` names it. Throws UserError where there is none, and as above.
std::string fastest_candidate(const std::string& row, const std::string& task, const Program& program,
                              const Store& store, const ProgramOptions& options);

}  // namespace trl::interpreter
