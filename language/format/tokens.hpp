// The tokens of a file for the formatter: the leaves of the syntax tree in one sequence. Each token has the
// blanks before it and the item (a field or declaration) to which it belongs.
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "language/syntax/syntax.hpp"

namespace trl::language {

/// The blanks that a token wants before or after it: none, one, or the blanks that the author wrote. Where
/// two neighbouring tokens want `none` and `one`, there is none.
enum class Beside { none, one, written };

/// The positions in an item's first line that authors align: `:` before a base, `{` before a block, `=`
/// before a value.
enum class Slot { base, block, value };

struct Token {
  static constexpr std::size_t nothing = static_cast<std::size_t>(-1);

  NodeKind kind{};
  std::string_view text;
  std::size_t column = 0;    ///< the number of code points before the token on its line of the input
  std::size_t newlines = 0;  ///< the number of newlines between the previous token and this token
  std::string_view blanks;   ///< the blanks directly before the token
  Beside before = Beside::one, after = Beside::one;

  std::size_t indent = 0;        ///< the token's indentation, if it begins a line outside of brackets
  std::size_t opener = nothing;  ///< the index of the innermost bracket around the token; for a closing
                                 ///< bracket, of its opening bracket
  bool closes = false;           ///< the token is `)` or `]`
  bool of_block =
      false;  ///< the token is the first of an item or stands between items, so it doesn't continue a line
  std::size_t block = 0;  ///< for an item's first token: the number of the item's block; the file is block 0
  std::optional<Slot> slot;  ///< the token's position in the item whose first token has the index `slot_of`
  std::size_t slot_of = nothing;

  bool comment() const { return kind == NodeKind::comment; }
  bool broken() const { return kind == NodeKind::broken; }
};

struct Tokens {
  std::vector<Token> all;
  std::string_view newline = "\n";  ///< the newline that the file uses: "\n" or "\r\n"
  bool marked = false;              ///< the file begins with a byte order mark
};

/// The tokens of a syntax tree, as views into `text`.
Tokens tokens_of(const Node& tree, std::string_view text);

/// The number of code points of a UTF-8 text.
std::size_t width(std::string_view text);

}  // namespace trl::language
