#pragma once
// Tokens of MLIR's textual form.
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
  std::string_view text;     // without the sigil; for a string without the quotes, with escapes left in
  std::size_t at = 0;        // byte offset where it begins
  std::int64_t integer = 0;  // integer: its value (two's complement); value: the number after '#', or -1
  bool hexadecimal = false;
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  const Token& peek();
  Token next();
  bool at(std::string_view mark_or_name);
  /// Consumes the token if it is next.
  bool accept(std::string_view mark_or_name);
  void expect(std::string_view mark_or_name);
  /// The text from the next token on, for parts that don't consist of tokens (a tensor's shape); advance()
  /// continues after them.
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

/// Line and column, from 1, of a byte offset.
ParseError error_at(std::string_view text, const Failure& failure);

}  // namespace trl::executor
