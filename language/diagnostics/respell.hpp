// Corrections of misspelt names.
#pragma once
#include <string>
#include <vector>

#include "language/diagnostics/diagnostic.hpp"

namespace trl::language {

/// The origin of the names among which a misspelt one is looked for.
enum class Names {
  of_schema,   ///< words of the language: a slip of the hand is corrected for certain
  of_file,     ///< declarations that may be meant: a slip is corrected for certain, but not another letter
  of_anything  ///< names some of which don't fit: they are suggested
};
/// Adds "write `x`" to the diagnostic for the candidate that is closest to a misspelt name, if one is close.
void respell(Diagnostic& diagnostic, const std::string& name, const std::vector<std::string>& candidates,
             Range where, Names names);

}  // namespace trl::language
