// The leaves of a syntax tree as the formatter needs them: in one sequence, each with the blanks before it
// and the item to which it belongs.
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "language/syntax/syntax.hpp"

namespace trl::language {

/// How many blanks a token wants on each of its sides; between two tokens the smaller number holds.
enum class Beside { none, one, written };

/// The parts of an item's first line that authors align: `name : base {`, `name = value`.
enum class Slot { base, block, value };

struct Token {
  static constexpr std::size_t nothing = static_cast<std::size_t>(-1);

  NodeKind kind{};
  std::string_view text;
  std::size_t column = 0;    ///< in the input: code points before it on its line
  std::size_t newlines = 0;  ///< between the previous token and this one
  std::string_view blanks;   ///< the blanks directly before it
  Beside before = Beside::one, after = Beside::one;

  std::size_t indent = 0;        ///< its indentation, if it begins a line outside brackets
  std::size_t opener = nothing;  ///< the innermost bracket around it; for a closing bracket, its opening one
  bool closes = false;           ///< `)` or `]`
  bool of_block = false;  ///< it is an item's first token or stands between items, so it continues no line
  std::size_t block = 0;  ///< for an item's first token: the number of the item's block; the file is block 0
  std::optional<Slot> slot;  ///< its slot in the item whose first token is `slot_of`
  std::size_t slot_of = nothing;

  bool comment() const { return kind == NodeKind::comment; }
  bool broken() const { return kind == NodeKind::broken; }
};

struct Tokens {
  std::vector<Token> all;
  std::string_view newline = "\n";  ///< as the file writes newlines
  bool marked = false;              ///< the file begins with a byte order mark
};

/// The tokens of a tree, as views into `text`.
Tokens tokens_of(const Node& tree, std::string_view text);

/// The number of code points of a UTF-8 text.
std::size_t width(std::string_view text);

}  // namespace trl::language
