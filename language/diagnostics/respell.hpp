// Corrections of misspelt names.
#pragma once
#include <string>
#include <vector>

#include "language/diagnostics/diagnostic.hpp"

namespace trl::language {

/// The origin of the candidates for a misspelt name. It decides whether a correction is a certain fix or a
/// suggestion.
enum class Names {
  of_schema,   ///< words of the language: the correction of one typing error (`surely` in suggest.hpp) is
               ///< certain
  of_file,     ///< declarations of the program: the correction of one typing error is certain, except for a
               ///< replaced letter
  of_anything  ///< candidates that may not fit: a correction is always a suggestion
};
/// Adds the fix "write `x`" to the diagnostic, for the candidate `x` that is closest to the misspelt `name`.
/// Adds nothing if no candidate is close.
void respell(Diagnostic& diagnostic, const std::string& name, const std::vector<std::string>& candidates,
             Range where, Names names);

}  // namespace trl::language
