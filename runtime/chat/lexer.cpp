#include "runtime/chat/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "runtime/chat/text.hpp"

namespace trl::runtime::chat {
namespace {

using Kind = Lexeme::Kind;

/// One form of line ends, and no line end after the last line.
std::string with_plain_lines(std::string_view source) {
  std::string out;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] == '\r') {
      out += '\n';
      if (i + 1 < source.size() && source[i + 1] == '\n') ++i;
    } else {
      out += source[i];
    }
  }
  if (out.ends_with('\n')) out.pop_back();
  return out;
}

class Lexer {
 public:
  Lexer(std::string_view source, const std::string& name) : source_(with_plain_lines(source)), name_(name) {
    line_starts_.push_back(0);
    for (std::size_t i = 0; i < source_.size(); ++i)
      if (source_[i] == '\n') line_starts_.push_back(i + 1);
  }

  std::vector<Lexeme> lex() {
    while (at_ < source_.size()) outside();
    add(Kind::end, "", at_);
    return std::move(out_);
  }

 private:
  bool at(std::string_view text) const { return std::string_view(source_).substr(at_).starts_with(text); }
  char sign_at(std::size_t i) const {
    return i < source_.size() && (source_[i] == '-' || source_[i] == '+') ? source_[i] : '\0';
  }
  [[noreturn]] void refuse(std::size_t where, const std::string& message) const {
    fail(name_, place(where), message);
  }

  /// Columns are counted from the last place that was asked for, which is mostly on the same line before.
  Place place(std::size_t where) const {
    const auto line = std::upper_bound(line_starts_.begin(), line_starts_.end(), where) - 1;
    if (where < counted_ || *line > counted_) {
      counted_ = *line;
      column_ = 1;
    }
    for (; counted_ < where; ++counted_)
      if ((static_cast<unsigned char>(source_[counted_]) & 0xC0) != 0x80) ++column_;
    return {static_cast<int>(line - line_starts_.begin()) + 1, column_};
  }
  void add(Kind kind, std::string text, std::size_t where) {
    out_.push_back({kind, std::move(text), place(where)});
  }

  /// Text up to the next tag, and the tag.
  void outside() {
    std::size_t tag = at_;
    while (true) {
      tag = source_.find('{', tag);
      if (tag == std::string::npos || tag + 1 >= source_.size()) {
        add_text(source_.substr(at_), at_);
        at_ = source_.size();
        return;
      }
      if (source_[tag + 1] == '%' || source_[tag + 1] == '{' || source_[tag + 1] == '#') break;
      ++tag;
    }
    const char kind = source_[tag + 1];
    const char sign = sign_at(tag + 2);
    std::string text = source_.substr(at_, tag - at_);
    if (sign == '-') {
      text = std::string(stripped(text, false, true));
    } else if (sign != '+' && kind != '{') {
      const std::size_t line = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
      if ((line > 0 || line_starting_) && line < text.size() &&
          stripped(std::string_view(text).substr(line), true, false).empty())
        text.resize(line);
    }
    add_text(text, at_);
    const std::size_t begin = tag;
    at_ = tag + 2 + (sign ? 1 : 0);
    if (kind == '#') {
      comment(begin);
    } else if (kind == '%' && raw(begin)) {
      return;
    } else {
      add(kind == '%' ? Kind::block_begin : Kind::output_begin, "", begin);
      inside(kind == '%', begin);
    }
  }

  void add_text(const std::string& text, std::size_t where) {
    if (!text.empty()) add(Kind::text, text, where);
  }

  /// Skips white space after a tag's end, which lies before `at_`.
  void after_tag(char sign, bool block) {
    if (sign == '-') {
      at_ = source_.size() - stripped(std::string_view(source_).substr(at_), true, false).size();
    } else if (sign != '+' && block && at_ < source_.size() && source_[at_] == '\n') {
      ++at_;
    }
    line_starting_ = source_[at_ - 1] == '\n';
  }

  void comment(std::size_t begin) {
    const std::size_t end = source_.find("#}", at_);
    if (end == std::string::npos) refuse(begin, "this comment isn't closed by #}");
    const char sign = end > at_ ? sign_at(end - 1) : '\0';
    at_ = end + 2;
    after_tag(sign, true);
  }

  /// {% raw %}: text up to {% endraw %}.
  bool raw(std::size_t begin) {
    const auto tag_end = [&](std::size_t from, std::string_view word, char& sign) -> std::size_t {
      const auto blank = [&](std::size_t i) {
        return source_.size() -
               stripped(std::string_view(source_).substr(std::min(i, source_.size())), true, false).size();
      };
      std::size_t i = blank(from);
      if (source_.compare(i, word.size(), word) != 0) return std::string::npos;
      i = blank(i + word.size());
      sign = sign_at(i);
      if (sign) ++i;
      return source_.compare(i, 2, "%}") == 0 ? i + 2 : std::string::npos;
    };
    char sign = 0;
    const std::size_t opened = tag_end(at_, "raw", sign);
    if (opened == std::string::npos) return false;
    at_ = opened;
    if (sign == '-') after_tag(sign, true);
    for (std::size_t next = source_.find("{%", at_); next != std::string::npos;
         next = source_.find("{%", next + 1)) {
      const char before = sign_at(next + 2);
      const std::size_t closed = tag_end(next + 2 + (before ? 1 : 0), "endraw", sign);
      if (closed == std::string::npos) continue;
      std::string text = source_.substr(at_, next - at_);
      if (before == '-') {
        text = std::string(stripped(text, false, true));
      } else if (before != '+') {
        const std::size_t line = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
        if (line > 0 && stripped(std::string_view(text).substr(line), true, false).empty()) text.resize(line);
      }
      add_text(text, at_);
      at_ = closed;
      after_tag(sign, true);
      return true;
    }
    refuse(begin, "raw isn't closed by endraw");
  }

  void inside(bool block, std::size_t begin) {
    const std::string_view end = block ? "%}" : "}}";
    std::string open;  // brackets
    while (true) {
      while (at_ < source_.size() && stripped(std::string_view(source_).substr(at_, 1), true, false).empty())
        ++at_;
      if (at_ >= source_.size()) refuse(begin, fmt::format("this tag isn't closed by {}", end));
      if (open.empty()) {
        const char sign = sign_at(at_) && source_.compare(at_ + 1, 2, end) == 0 ? source_[at_] : '\0';
        if (sign == '+' && !block) refuse(at_, "+}} is not supported");
        if (sign || at(end)) {
          add(block ? Kind::block_end : Kind::output_end, "", at_);
          at_ += sign ? 3 : 2;
          after_tag(sign, block);
          return;
        }
      }
      const char c = source_[at_];
      if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') {
        const std::size_t from = at_;
        while (at_ < source_.size() &&
               (std::isalnum(static_cast<unsigned char>(source_[at_])) || source_[at_] == '_'))
          ++at_;
        add(Kind::name, source_.substr(from, at_ - from), from);
      } else if (std::isdigit(static_cast<unsigned char>(c))) {
        number();
      } else if (c == '\'' || c == '"') {
        string();
      } else {
        sign(open);
      }
    }
  }

  void number() {
    const std::size_t from = at_;
    const auto digits = [&] {
      while (at_ < source_.size() && std::isdigit(static_cast<unsigned char>(source_[at_]))) ++at_;
    };
    digits();
    bool real = false;
    const auto digit_at = [&](std::size_t i) {
      return i < source_.size() && std::isdigit(static_cast<unsigned char>(source_[i]));
    };
    // "1.x" is a member of 1, and after a dot comes an index.
    const bool after_dot = !out_.empty() && out_.back().is_sign(".");
    if (!after_dot && at(".") && digit_at(at_ + 1)) {
      real = true;
      ++at_;
      digits();
    }
    if (!after_dot && at_ < source_.size() && (source_[at_] == 'e' || source_[at_] == 'E') &&
        (digit_at(at_ + 1) || (sign_at(at_ + 1) && digit_at(at_ + 2)))) {
      real = true;
      at_ += 2;
      digits();
    }
    const std::string text = source_.substr(from, at_ - from);
    if (at_ < source_.size() &&
        (std::isalpha(static_cast<unsigned char>(source_[at_])) || source_[at_] == '_'))
      refuse(from, "only decimal numbers are supported");
    if (!real && (text.size() > 18 || (text.size() > 1 && text[0] == '0')))
      refuse(from, fmt::format("the number {} is not supported", text));
    add(real ? Kind::real : Kind::integer, text, from);
  }

  void string() {
    const std::size_t from = at_;
    const char quote = source_[at_++];
    std::string text;
    while (true) {
      if (at_ >= source_.size()) refuse(from, "this text isn't closed");
      const char c = source_[at_++];
      if (c == quote) break;
      if (c != '\\') {
        text += c;
        continue;
      }
      if (at_ >= source_.size()) refuse(from, "this text isn't closed");
      const char escaped = source_[at_++];
      static constexpr std::string_view kFrom = "nrtabfv\\'\"", kTo = "\n\r\t\a\b\f\v\\'\"";
      if (const auto found = kFrom.find(escaped); found != kFrom.npos) {
        text += kTo[found];
      } else if (escaped == '\n') {
        // A line end after \ is left out.
      } else if (escaped == 'x' || escaped == 'u' || escaped == 'U') {
        const std::size_t length = escaped == 'x' ? 2 : escaped == 'u' ? 4 : 8;
        const std::string digits = source_.substr(at_, length);
        if (digits.size() != length ||
            digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
          refuse(at_ - 2, fmt::format("\\{} needs {} hexadecimal digits", escaped, length));
        const auto code = std::stoul(digits, nullptr, 16);
        if (code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
          refuse(at_ - 2, fmt::format("\\{}{} is no character", escaped, digits));
        text += encoded(static_cast<char32_t>(code));
        at_ += length;
      } else if (std::isdigit(static_cast<unsigned char>(escaped)) || escaped == 'N') {
        refuse(at_ - 2, fmt::format("the escape \\{} is not supported", escaped));
      } else {
        text += '\\';
        text += escaped;
      }
    }
    add(Kind::string, text, from);
  }

  void sign(std::string& open) {
    static constexpr std::string_view kSigns[] = {"//", "**", "==", "!=", "<=", ">=", "+", "-", "/",
                                                  "*",  "%",  "~",  "[",  "]",  "(",  ")", "{", "}",
                                                  "<",  ">",  "=",  ".",  ":",  "|",  ",", ";"};
    for (const auto one : kSigns) {
      if (!at(one)) continue;
      if (one == "(" || one == "[" || one == "{") open += one == "(" ? ')' : one == "[" ? ']' : '}';
      if (one == ")" || one == "]" || one == "}") {
        if (open.empty() || open.back() != one[0]) refuse(at_, fmt::format("{} closes nothing", one));
        open.pop_back();
      }
      add(Kind::sign, std::string(one), at_);
      at_ += one.size();
      return;
    }
    refuse(at_, fmt::format("\"{}\" isn't expected here",
                            characters(std::string_view(source_).substr(at_, 4))[0]));
  }

  const std::string source_;
  const std::string& name_;
  std::vector<std::size_t> line_starts_;
  std::vector<Lexeme> out_;
  std::size_t at_ = 0;
  mutable std::size_t counted_ = 0;  // up to where columns are counted
  mutable int column_ = 1;           // of `counted_`
  bool line_starting_ = true;        // whether the text after the last tag begins a line
};

}  // namespace

std::vector<Lexeme> lex_template(std::string_view source, const std::string& name) {
  return Lexer(source, name).lex();
}

}  // namespace trl::runtime::chat
