#pragma once
#include <string_view>
#include <vector>

#include "language/diagnostics/diagnostic.hpp"
#include "language/syntax/syntax.hpp"

namespace trl::language {

struct Parsed {
  /// The syntax tree. It always covers the whole input, including parts with errors.
  Node tree;
  /// The syntax errors, as findings of the rule `syntax`; at most `most_syntax_errors`.
  std::vector<Diagnostic> diagnostics;
  /// Whether a `}` is missing. The diagnostics about a missing `}` have a note which points to the `{`.
  bool unclosed = false;
};

/// The keywords, which can't be used as names.
inline constexpr const char* reserved_words[] = {"import", "in",  "if",  "then", "else",
                                                 "or",     "and", "not", "allow"};

constexpr std::size_t deepest_nesting = 200;
constexpr std::size_t most_syntax_errors = 50;

/// Parses a file's text. Never throws: after an error, parsing continues at the next field or declaration.
Parsed parse(std::string_view text, FileId file = 0);

/// Parses one `path = value` from the command line. The tree's root is a `file` node with one field, or
/// without a field if there is an error.
Parsed parse_setting(std::string_view text, FileId file = 0);

/// The number of mistakes (loops without progress) that PEGTL's own analysis finds in the grammar.
std::size_t grammar_problems();

}  // namespace trl::language
