// A broken text as it was probably meant: so that one mistake is one finding, and has a fix.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "language/syntax/parse.hpp"

namespace trl::language {

/// `length` bytes at `at` of the original text became `text`.
struct Edit {
  std::size_t at = 0, length = 0;
  std::string text;
};

/// The text after a few edits, and what it says. Offsets into it are taken back by `original`.
struct Recovered {
  std::string text;
  Node tree;
  std::vector<Edit> edits;  ///< by place; none where the text was sound or could not be mended
  std::vector<Diagnostic> diagnostics;

  /// The original's offset of one in `text`.
  std::size_t original(std::size_t offset) const;
};

/// Tries small edits where `parsed` has its errors, and keeps those after which there are fewer. A diagnostic
/// of an error that was recovered carries the edit as its fix, and those that followed from it are gone.
/// `kinds` are the words that begin declarations.
Recovered recover(std::string_view text, FileId file, Parsed parsed, std::span<const std::string> kinds);

}  // namespace trl::language
