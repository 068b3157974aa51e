#include "verifier/executor/text/lexer.hpp"

#include <algorithm>

namespace trl::executor {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name(char c) { return is_letter(c) || is_digit(c) || c == '$' || c == '.'; }
bool is_suffix(char c) { return is_name(c) || c == '-'; }

}  // namespace

const Token& Lexer::peek() {
  if (!has_ahead_) read();
  has_ahead_ = true;
  return ahead_;
}

Token Lexer::next() {
  Token token = peek();
  has_ahead_ = false;
  return token;
}

bool Lexer::at(std::string_view word) {
  const Token& token = peek();
  return (token.kind == TokenKind::mark || token.kind == TokenKind::name) && token.text == word;
}

bool Lexer::accept(std::string_view word) {
  if (!at(word)) return false;
  next();
  return true;
}

void Lexer::expect(std::string_view word) {
  if (!accept(word)) fail("expected '" + std::string(word) + "'");
}

std::string_view Lexer::rest() { return text_.substr(peek().at); }

void Lexer::advance(std::size_t bytes) {
  position_ = std::min(peek().at + bytes, text_.size());
  has_ahead_ = false;
}

void Lexer::fail(std::string message) { fail(std::move(message), peek().at); }
void Lexer::fail(std::string message, std::size_t at) { throw Failure{std::move(message), at}; }

void Lexer::read() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++position_;
    } else if (c == '/' && position_ + 1 < text_.size() && text_[position_ + 1] == '/') {
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else {
      break;
    }
  }
  ahead_ = Token{};
  ahead_.at = position_;
  ahead_.integer = -1;
  if (position_ >= text_.size()) return;

  const std::size_t begin = position_;
  const auto peek_char = [this](std::size_t ahead) {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  };
  const auto take = [this](auto predicate) {
    const std::size_t from = position_;
    while (position_ < text_.size() && predicate(text_[position_])) ++position_;
    return text_.substr(from, position_ - from);
  };
  const auto quoted = [this, begin] {
    const std::size_t from = ++position_;
    while (position_ < text_.size() && text_[position_] != '"' && text_[position_] != '\n') {
      position_ += text_[position_] == '\\' ? 2 : 1;
    }
    if (position_ >= text_.size() || text_[position_] != '"') throw Failure{"a string is not closed", begin};
    return text_.substr(from, position_++ - from);
  };
  const auto small_number = [begin](std::string_view digits) {
    std::int64_t value = 0;
    for (const char c : digits) {
      value = value * 10 + (c - '0');
      if (value > 1'000'000'000) throw Failure{"number too large", begin};
    }
    return value;
  };

  const char c = text_[position_];
  switch (c) {
    case '"':
      ahead_.kind = TokenKind::text;
      ahead_.text = quoted();
      return;
    case '%':
      ++position_;
      ahead_.kind = TokenKind::value;
      ahead_.text = take(is_suffix);
      if (peek_char(0) == '#' && is_digit(peek_char(1))) {
        ++position_;
        ahead_.integer = small_number(take(is_digit));
      }
      return;
    case '@':
      ++position_;
      ahead_.kind = TokenKind::symbol;
      ahead_.text = peek_char(0) == '"' ? quoted() : take(is_suffix);
      return;
    case '^':
    case '#':
    case '!':
      ++position_;
      ahead_.kind = c == '^' ? TokenKind::block : c == '#' ? TokenKind::alias : TokenKind::type;
      ahead_.text = take(is_suffix);
      return;
    default:
      break;
  }
  if (is_letter(c)) {
    ahead_.kind = TokenKind::name;
    ahead_.text = take(is_name);
    return;
  }
  if (is_digit(c) || (c == '-' && is_digit(peek_char(1)))) {
    const bool negative = c == '-';
    if (negative) ++position_;
    std::uint64_t value = 0;
    if (peek_char(0) == '0' && peek_char(1) == 'x' && is_hex(peek_char(2))) {
      position_ += 2;
      const std::string_view digits = take(is_hex);
      if (digits.size() > 16) throw Failure{"number too large", begin};
      for (const char d : digits) {
        value = value * 16 + static_cast<std::uint64_t>(is_digit(d) ? d - '0' : (d | 0x20) - 'a' + 10);
      }
      ahead_.hexadecimal = true;
      ahead_.kind = TokenKind::integer;
    } else {
      const std::string_view digits = take(is_digit);
      ahead_.kind = TokenKind::integer;
      if (peek_char(0) == '.' && is_digit(peek_char(1))) {
        ++position_;
        take(is_digit);
        ahead_.kind = TokenKind::real;
      }
      const char e = peek_char(0);
      const std::size_t sign = peek_char(1) == '-' || peek_char(1) == '+' ? 1 : 0;
      if (ahead_.kind == TokenKind::real && (e == 'e' || e == 'E') && is_digit(peek_char(1 + sign))) {
        position_ += 1 + sign;
        take(is_digit);
      }
      if (ahead_.kind == TokenKind::integer) {
        if (digits.size() > 19) throw Failure{"number too large", begin};
        for (const char d : digits) value = value * 10 + static_cast<std::uint64_t>(d - '0');
      }
    }
    ahead_.integer = static_cast<std::int64_t>(negative ? std::uint64_t{0} - value : value);
    ahead_.text = text_.substr(begin, position_ - begin);
    if (ahead_.text.size() > 100) throw Failure{"number too long", begin};
    return;
  }
  ahead_.kind = TokenKind::mark;
  position_ += c == '-' && peek_char(1) == '>' ? 2 : 1;
  ahead_.text = text_.substr(begin, position_ - begin);
}

ParseError error_at(std::string_view text, const Failure& failure) {
  const std::string_view before = text.substr(0, std::min(failure.at, text.size()));
  ParseError error;
  error.message = failure.message;
  error.line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t newline = before.rfind('\n');
  error.column =
      1 + static_cast<int>(newline == std::string_view::npos ? before.size() : before.size() - newline - 1);
  return error;
}

}  // namespace trl::executor
