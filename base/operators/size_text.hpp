// The grammar of the text of a tensor's size, such as "(H + 1) // 2 - 2" (docs/interfaces.md, 1): sums of
// products of names, numbers, brackets and floor divisions. The runtime evaluates the text to a number, the
// language reads it into a normal form.
#pragma once

#include <cctype>
#include <cstdint>
#include <optional>
#include <string>

namespace trl::operators {

/// Reads a size as a `Value`. `values` creates the values, with these functions; `sign` is '+', '-', '*', or
/// '/' for a floor division:
///   std::optional<Value> named(const std::string& name)
///   Value number(std::int64_t)
///   std::optional<Value> joined(const Value& a, char sign, const Value& b)
template <typename Value, typename Values>
class SizeText {
 public:
  SizeText(const std::string& text, const Values& values) : text_(text), values_(values) {}

  /// Returns the value of the text; nothing if the text is no size, or a part of it has no value.
  std::optional<Value> read() {
    auto value = sum(0);
    if (at_ != text_.size()) return std::nullopt;
    return value;
  }

 private:
  static constexpr int deepest = 50;
  static constexpr std::size_t longest_name = 100, most_digits = 18;

  std::optional<Value> sum(int depth) {
    if (depth > deepest) return std::nullopt;
    auto value = accept("-") ? join(values_.number(0), '-', product(depth)) : product(depth);
    for (;;) {
      if (accept("+"))
        value = join(value, '+', product(depth));
      else if (accept("-"))
        value = join(value, '-', product(depth));
      else
        return value;
    }
  }

  std::optional<Value> product(int depth) {
    auto value = factor(depth);
    for (;;) {
      if (accept("//"))
        value = join(value, '/', factor(depth));
      else if (accept("*"))
        value = join(value, '*', factor(depth));
      else
        return value;
    }
  }

  std::optional<Value> factor(int depth) {
    if (accept("(")) {
      auto value = sum(depth + 1);
      if (!accept(")")) return std::nullopt;
      return value;
    }
    const std::size_t from = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
      ++at_;
    const std::string word = text_.substr(from, at_ - from);
    if (word.empty() || word.size() > longest_name) return std::nullopt;
    if (!std::isdigit(static_cast<unsigned char>(word[0]))) return values_.named(word);
    std::int64_t value = 0;
    for (const char digit : word) {
      if (!std::isdigit(static_cast<unsigned char>(digit)) || word.size() > most_digits) return std::nullopt;
      value = 10 * value + (digit - '0');
    }
    return values_.number(value);
  }

  std::optional<Value> join(const std::optional<Value>& a, char sign, const std::optional<Value>& b) {
    if (!a || !b) return std::nullopt;
    return values_.joined(*a, sign, *b);
  }

  bool accept(const std::string& sign) {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (text_.compare(at_, sign.size(), sign) != 0) return false;
    at_ += sign.size();
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return true;
  }

  const std::string& text_;
  const Values& values_;
  std::size_t at_ = 0;
};

}  // namespace trl::operators
