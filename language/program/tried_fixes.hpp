// Corrections are tried before they are shown.
#pragma once
#include <functional>

#include "language/program/program.hpp"

namespace trl::language {

/// Applies each fix and suggestion of the program's own file by itself, checks the result, and takes it from
/// its diagnostic unless the finding is then gone, no syntax error is left on the line, and no new error,
/// of a suggestion no new warning either, stands where the text was changed. Advice that names a correction
/// that was taken away goes with it. At most `most` corrections are tried; the others are taken away, too.
/// With `of`, this is done for those diagnostics alone.
void try_fixes(std::vector<Diagnostic>& diagnostics, const Sources& sources, const CheckOptions& options,
               const std::function<bool(const Diagnostic&)>& of = {}, std::size_t most = 40);

}  // namespace trl::language
