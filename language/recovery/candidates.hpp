// Edits that may correct a syntax error.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "language/recovery/recovery.hpp"

namespace trl::language {

struct Candidate {
  Edit edit;
  std::string title;            ///< "insert `)`"
  bool other_spelling = false;  ///< the edit replaces another language's spelling, so it is surely meant
  bool certain = false;         ///< the author can't have meant anything else, and no written value changes
  bool shown = true;  ///< the edit is worth showing to the user; otherwise it only lets the parser continue
};

/// Returns edits that may correct a syntax error at the offset `at`, the likeliest first. `kinds` are the
/// keywords that begin declarations.
std::vector<Candidate> candidates(std::string_view text, std::size_t at, std::span<const std::string> kinds);

/// An edit that closes an unclosed block where the indentation of the lines suggests.
struct MissingBrace {
  std::size_t opener = 0;  ///< the offset of the block's `{`
  Candidate candidate;
};
/// Finds the first block without a `}`; nothing if the indentation doesn't show where the `}` belongs.
std::optional<MissingBrace> missing_brace(std::string_view text);

}  // namespace trl::language
