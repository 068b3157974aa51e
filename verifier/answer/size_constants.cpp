#include "verifier/answer/size_constants.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <string>
#include <string_view>

namespace trl::runtime {
namespace {

constexpr std::int64_t least = 2, most = 65536;
constexpr std::size_t most_constants = 64;

struct Token {
  enum class Kind { word, number, sign };
  Kind kind = Kind::sign;
  std::string_view text;
  std::int64_t number = 0;
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Splits a text into words, integers and operators; a number that isn't an integer counts as a word.
class Tokens {
 public:
  explicit Tokens(const Source& source)
      : text_(source.text), python_(source.language == Source::Language::python) {
    while (at_ < text_.size()) next();
  }
  std::vector<Token> take() { return std::move(tokens_); }

 private:
  bool starts(std::string_view with) const { return text_.substr(at_).starts_with(with); }
  void skip_past(std::string_view end, std::size_t from) {
    const std::size_t found = text_.find(end, from);
    at_ = found == std::string_view::npos ? text_.size() : found + end.size();
  }

  void next() {
    const char c = text_[at_];
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at_;
    } else if (python_ ? c == '#' : starts("//")) {
      skip_past("\n", at_);
    } else if (!python_ && starts("/*")) {
      skip_past("*/", at_ + 2);
    } else if (python_ && (starts("\"\"\"") || starts("'''"))) {
      at_ += 3;
    } else if (c == '"' || c == '\'') {
      string(c);
    } else if (is_word(c)) {
      word();
    } else {
      constexpr std::string_view doubled[] = {"==", "!=", "<=", ">=", "<<", ">>"};
      const auto found =
          std::find_if(std::begin(doubled), std::end(doubled), [&](auto sign) { return starts(sign); });
      const std::size_t size = found == std::end(doubled) ? 1 : 2;
      tokens_.push_back({Token::Kind::sign, text_.substr(at_, size)});
      at_ += size;
    }
  }

  void string(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\') ++at_;
    at_ = std::min(at_ + 1, text_.size());
  }

  void word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (is_word(text_[at_]) ||
            (text_[at_] == '.' && std::isdigit(static_cast<unsigned char>(text_[begin])) != 0)))
      ++at_;
    Token token{Token::Kind::word, text_.substr(begin, at_ - begin)};
    std::string digits(token.text);
    std::erase(digits, '_');
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), token.number);
    if (read.ec == std::errc() && read.ptr == digits.data() + digits.size()) token.kind = Token::Kind::number;
    tokens_.push_back(token);
  }

  std::string_view text_;
  bool python_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

}  // namespace

std::vector<std::int64_t> size_constants(const Source& source) {
  const std::vector<Token> tokens = Tokens(source).take();
  const auto at = [&](std::size_t i) { return i < tokens.size() ? tokens[i].text : std::string_view(); };
  std::vector<std::int64_t> found;
  struct Bracket {
    char kind;
    bool listed;  // whether the token is inside the list of an `in`
  };
  std::vector<Bracket> open;
  for (std::size_t i = 0; i < tokens.size() && found.size() < most_constants; ++i) {
    const Token& token = tokens[i];
    const std::string_view before = i > 0 ? at(i - 1) : std::string_view(), behind = at(i + 1);
    if (is_one_of(token.text, {"(", "[", "{"})) {
      open.push_back({token.text[0], before == "in" || (!open.empty() && open.back().listed)});
    } else if (is_one_of(token.text, {")", "]", "}"})) {
      if (!open.empty()) open.pop_back();
    }
    if (token.kind != Token::Kind::number || token.number < least || token.number > most) continue;
    const bool equal = is_one_of(before, {"==", "!=", "case"}) || is_one_of(behind, {"==", "!="});
    const bool ordered =
        is_one_of(before, {"<", "<=", ">", ">="}) || is_one_of(behind, {"<", "<=", ">", ">="});
    const bool key =
        behind == ":" && is_one_of(before, {"{", ","}) && !open.empty() && open.back().kind == '{';
    const bool in_list = !open.empty() && open.back().listed;
    const bool usual = std::has_single_bit(static_cast<std::uint64_t>(token.number));
    if (!equal && !key && !in_list && !(ordered && !usual)) continue;
    if (std::find(found.begin(), found.end(), token.number) == found.end()) found.push_back(token.number);
  }
  return found;
}

}  // namespace trl::runtime
