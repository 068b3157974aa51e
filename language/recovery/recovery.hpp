// Error recovery: edits a text with syntax errors to the text that was probably meant, so that one mistake
// gives one finding with a fix.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "language/syntax/parse.hpp"

namespace trl::language {

/// An edit: `length` bytes at `at` of the original text are replaced by `text`.
struct Edit {
  std::size_t at = 0, length = 0;
  std::string text;
};

/// A place of the original text whose intended text isn't certain.
struct Doubt {
  std::size_t begin = 0, end = 0;
  bool structure = false;  ///< the blocks around it may begin or end elsewhere
};

/// The text after a few edits, and its syntax tree. `original` maps offsets in it back to the original text.
struct Recovered {
  std::string text;
  Node tree;
  std::vector<Edit> edits;  ///< sorted by place; empty if the text had no errors or none could be corrected
  std::vector<Diagnostic> diagnostics;
  std::vector<Doubt> doubtful;  ///< errors that no edit corrects for certain

  /// The offset in the original text of an offset in `text`.
  std::size_t original(std::size_t offset) const;
};

/// Tries small edits at the errors of `parsed` and keeps the edits that leave fewer errors. The diagnostic of
/// a recovered error has the edit as its fix, and errors that followed from it are dropped. `kinds` are the
/// keywords that begin declarations.
Recovered recover(std::string_view text, FileId file, Parsed parsed, std::span<const std::string> kinds);

}  // namespace trl::language
