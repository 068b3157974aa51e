// The leaves of a syntax tree as the formatter sees them: in a row, each with what stands before it and where
// it belongs.
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "language/syntax/syntax.hpp"

namespace trl::language {

/// How many blanks a token wants beside it on its line; the lesser of two neighbours holds.
enum class Beside { none, one, written };

/// The places of an item's first line that authors align: `name : base {`, `name = value`.
enum class Slot { base, block, value };

struct Token {
  static constexpr std::size_t nothing = static_cast<std::size_t>(-1);

  NodeKind kind{};
  std::string_view text;
  std::size_t column = 0;    ///< where it is written: code points before it on its line
  std::size_t newlines = 0;  ///< between it and the token before
  std::string_view blanks;   ///< directly before it
  Beside before = Beside::one, after = Beside::one;

  std::size_t indent = 0;        ///< if it begins a line outside brackets
  std::size_t opener = nothing;  ///< the innermost bracket around it; for a bracket that closes, its own
  bool closes = false;           ///< `)` or `]`
  bool of_block = false;         ///< an item's first token, or one between items: no continuation of a line
  std::size_t block = 0;         ///< the block that it is an item's first token of, counted from the file's
  std::optional<Slot> slot;      ///< of the item that `slot_of` begins
  std::size_t slot_of = nothing;

  bool comment() const { return kind == NodeKind::comment; }
  bool broken() const { return kind == NodeKind::broken; }
};

struct Tokens {
  std::vector<Token> all;
  std::string_view newline = "\n";  ///< the file's own
  bool marked = false;              ///< a byte order mark comes first
};

/// The tokens of a tree. Views into `text`.
Tokens tokens_of(const Node& tree, std::string_view text);

/// Code points of a text in UTF-8.
std::size_t width(std::string_view text);

}  // namespace trl::language
