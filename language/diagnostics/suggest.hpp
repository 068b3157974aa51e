#pragma once
#include <optional>
#include <string>
#include <vector>

namespace trl::language {

/// The candidate that is closest to a misspelt name by edit distance, in which two swapped neighbouring
/// letters count as one edit. Nothing if no candidate is close.
std::optional<std::string> closest(const std::string& name, const std::vector<std::string>& candidates);

/// Whether `name` is surely a misspelling of `meant`. The two must differ by one typing error: two letters
/// swapped, one letter missing, added or replaced, or capitals. Their digits must be equal, and no other
/// candidate may be as close. `chosen` says that the candidates are names from the program; since such names
/// may differ by one letter on purpose, a replaced letter then doesn't count as a typing error.
bool surely(const std::string& name, const std::string& meant, const std::vector<std::string>& candidates,
            bool chosen);

/// Returns "did you mean `x`?" if a candidate is close, otherwise a list of the candidates if they are few,
/// otherwise an empty text.
std::string suggestion(const std::string& name, const std::vector<std::string>& candidates);

/// Returns "`a`, `b` and `c`", with at most `most` names and then the number of the rest. `last` is the word
/// before the last name.
std::string enumeration(const std::vector<std::string>& names, std::size_t most = 12,
                        const char* last = "and");

/// Returns a noun with its article: "a model", "an evaluation". The noun may be in backquotes.
std::string with_article(const std::string& noun);

}  // namespace trl::language
