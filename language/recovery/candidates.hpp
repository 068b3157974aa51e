// What may be wrong at the place of a syntax error.
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
  bool other_spelling = false;  ///< surely meant: what stands there is another language's word for it
};

/// Edits that may mend an error at `at`, the likeliest first.
std::vector<Candidate> candidates(std::string_view text, std::size_t at, std::span<const std::string> kinds);

/// The edit that closes a block which nothing closes, by the indentation of the lines.
struct MissingBrace {
  std::size_t opener = 0;  ///< the block's `{`
  Candidate candidate;
};
/// The first block of a text whose `}` is missing; nothing when the indentation does not tell.
std::optional<MissingBrace> missing_brace(std::string_view text);

}  // namespace trl::language
