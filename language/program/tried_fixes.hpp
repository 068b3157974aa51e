// Tries corrections before they are shown, and removes corrections that don't work.
#pragma once
#include <functional>

#include "language/program/program.hpp"

namespace trl::language {

/// Applies each fix and suggestion for the program's own file by itself and checks the result. A correction
/// is kept only if the finding is then gone, if its line has no syntax error, and if the changed text causes
/// no new error (for a suggestion, also no new warning). Other corrections are removed from their
/// diagnostics, with the advice that names them. At most `most` corrections are tried; further ones are
/// removed, too. If `of` is given, only diagnostics for which it returns true are treated.
void try_fixes(std::vector<Diagnostic>& diagnostics, const Sources& sources, const CheckOptions& options,
               const std::function<bool(const Diagnostic&)>& of = {}, std::size_t most = 40);

}  // namespace trl::language
