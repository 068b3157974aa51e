#pragma once
// Words of MLIR's textual form.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/verify/executor/program/failure.hpp"

namespace trl::executor {

enum class TokenKind : std::uint8_t {
  end,
  name,
  value,
  symbol,
  block,
  alias,
  type,
  integer,
  real,
  text,
  mark
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;     // without sigil; of a string without quotes, escapes left in
  std::size_t at = 0;        // where it begins
  std::int64_t integer = 0;  // integer: its value (two's complement); value: the number after '#', or -1
  bool hexadecimal = false;
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  const Token& peek();
  Token next();
  bool at(std::string_view mark_or_name);
  /// Takes the word when it is there.
  bool accept(std::string_view mark_or_name);
  void expect(std::string_view mark_or_name);
  /// Text from the next word on, for what isn't made of words (a tensor's shape); advance() goes on after it.
  std::string_view rest();
  void advance(std::size_t bytes);
  std::string_view text() const { return text_; }

  [[noreturn]] void fail(std::string message);
  [[noreturn]] void fail(std::string message, std::size_t at);

 private:
  void read();

  std::string_view text_;
  std::size_t position_ = 0;
  Token ahead_;
  bool has_ahead_ = false;
};

/// Line and column, from 1, of a byte.
ParseError error_at(std::string_view text, const Failure& failure);

}  // namespace trl::executor
