// Edits that may correct a syntax error at its place.
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
  bool other_spelling = false;  ///< the text is another language's spelling, so the edit is surely meant
  bool certain = false;         ///< nothing else can be meant, and no written value changes
  bool shown = true;            ///< the edit helps its reader; otherwise it only lets the parser go on
};

/// Edits that may correct an error at `at`, the likeliest first.
std::vector<Candidate> candidates(std::string_view text, std::size_t at, std::span<const std::string> kinds);

/// An edit that closes an unclosed block at the place that the indentation of the lines suggests.
struct MissingBrace {
  std::size_t opener = 0;  ///< the block's `{`
  Candidate candidate;
};
/// The first block of a text whose `}` is missing; nothing if the indentation doesn't show where it belongs.
std::optional<MissingBrace> missing_brace(std::string_view text);

}  // namespace trl::language
