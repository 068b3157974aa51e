#pragma once
// Splits MLIR text into tokens.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "verifier/executor/program/failure.hpp"

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
  // Without a sigil such as % or @. The text of a string has no quotes; its escapes are unchanged.
  std::string_view text;
  std::size_t at = 0;  // byte offset of the token's first character
  // For an `integer` token: its value (two's complement). For a `value` token: the 1 of `%x#1`, or -1 when
  // the token has no such number.
  std::int64_t integer = 0;
  bool hexadecimal = false;
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  const Token& peek();
  Token next();
  bool at(std::string_view mark_or_name);
  /// Consumes the next token if it is `mark_or_name`; returns whether it was.
  bool accept(std::string_view mark_or_name);
  void expect(std::string_view mark_or_name);
  /// Returns the text from the next token on, for syntax that doesn't consist of tokens (a tensor's shape).
  /// The caller reads that syntax and skips it by advance().
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

/// Returns the error with its line and column, counted from 1, instead of its byte offset.
ParseError error_at(std::string_view text, const Failure& failure);

}  // namespace trl::executor
