#pragma once
#include <string_view>
#include <vector>

#include "language/diagnostics/diagnostic.hpp"
#include "language/syntax/syntax.hpp"

namespace trl::language {

struct Parsed {
  /// Always covers the whole input, whatever is wrong with it.
  Node tree;
  /// Rule `syntax`; at most `most_syntax_errors`.
  std::vector<Diagnostic> diagnostics;
  /// A `}` is missing: diagnostics with a note, which names the `{`, are about that.
  bool unclosed = false;
};

constexpr std::size_t deepest_nesting = 200;
constexpr std::size_t most_syntax_errors = 50;

/// Parses a file's text. Never throws; recovers at the next field or declaration.
Parsed parse(std::string_view text, FileId file = 0);

/// Parses one `path = value`, as on the command line: a `file` node with one field, or none when it is wrong.
Parsed parse_setting(std::string_view text, FileId file = 0);

/// Problems that PEGTL's own analysis finds in the grammar (loops without progress).
std::size_t grammar_problems();

}  // namespace trl::language
