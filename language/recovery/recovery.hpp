// Error recovery: edits a text with syntax errors to the text that was probably meant, so that one mistake
// gives one finding with a fix.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "language/syntax/parse.hpp"

namespace trl::language {

/// An edit of the original text: `length` bytes at the offset `at` are replaced by `text`.
struct Edit {
  std::size_t at = 0, length = 0;
  std::string text;
};

/// A range of the original text that may not be what the author intended.
struct Doubt {
  std::size_t begin = 0, end = 0;
  bool structure = false;  ///< the blocks around the range may begin or end elsewhere
};

/// A text after error recovery, with its syntax tree.
struct Recovered {
  std::string text;
  Node tree;
  std::vector<Edit> edits;  ///< sorted by place; empty if the text had no errors or none could be corrected
  std::vector<Diagnostic> diagnostics;
  std::vector<Doubt> doubtful;  ///< the ranges of errors that no edit corrects for certain

  /// Converts an offset in `text` to the offset in the original text.
  std::size_t original(std::size_t offset) const;
};

/// Tries small edits at the errors of `parsed` and keeps the edits that leave fewer errors. The diagnostic of
/// a corrected error has the edit as its fix. Errors that were only consequences of a corrected error are
/// dropped. `kinds` are the keywords that begin declarations.
Recovered recover(std::string_view text, FileId file, Parsed parsed, std::span<const std::string> kinds);

}  // namespace trl::language
