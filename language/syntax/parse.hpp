#pragma once
#include <string_view>
#include <vector>

#include "language/diagnostics/diagnostic.hpp"
#include "language/syntax/syntax.hpp"

namespace trl::language {

struct Parsed {
  /// Always covers the whole input, with any errors in it.
  Node tree;
  /// Findings of the rule `syntax`, at most `most_syntax_errors`.
  std::vector<Diagnostic> diagnostics;
  /// A `}` is missing. Diagnostics with a note, which points to the `{`, are about that.
  bool unclosed = false;
};

/// The words that can't be names.
inline constexpr const char* reserved_words[] = {"import", "in",  "if",  "then", "else",
                                                 "or",     "and", "not", "allow"};

constexpr std::size_t deepest_nesting = 200;
constexpr std::size_t most_syntax_errors = 50;

/// Parses a file's text. Never throws; recovers at the next field or declaration.
Parsed parse(std::string_view text, FileId file = 0);

/// Parses one `path = value`, as on the command line. The result is a `file` node with one field, or with
/// none if there is an error.
Parsed parse_setting(std::string_view text, FileId file = 0);

/// The number of problems that PEGTL's own analysis finds in the grammar (loops without progress).
std::size_t grammar_problems();

}  // namespace trl::language
