#include "runtime/sample/stop.hpp"

#include <algorithm>

#include "base/support/error.hpp"

namespace trl::runtime {

StopTexts::StopTexts(const Tokenizer& tokenizer, std::vector<std::string> texts)
    : tokenizer_(tokenizer), texts_(std::move(texts)) {
  for (const auto& text : texts_) {
    if (text.empty()) throw UserError("a stop text is empty: it is in every answer", "leave it out");
    longest_ = std::max(longest_, text.size());
  }
}

std::optional<std::size_t> StopTexts::find(const std::vector<Token>& tokens) const {
  if (texts_.empty() || tokens.empty()) return std::nullopt;
  const auto first_in = [&](const std::string& text) {
    auto first = std::string::npos;
    for (const auto& one : texts_) first = std::min(first, text.find(one));
    return first;
  };
  // Decodes the last token and as many tokens before it as a stop text can reach back. At the beginning of a
  // list, a decoder may drop a blank, so one more token is included; and it joins tokens of single bytes to
  // characters, so all of these are included.
  std::size_t begin = tokens.size() - 1, before = 0;
  std::size_t size = tokenizer_.decode({tokens[begin]}).size();
  while (begin > 0 && (before < longest_ || size == 0 || tokenizer_.is_single_byte(tokens[begin]))) {
    --begin;
    size = tokenizer_.decode({tokens[begin]}).size();
    before += tokenizer_.separable() ? size : std::min<std::size_t>(size, 1);
  }
  const std::vector<Token> tail(tokens.begin() + static_cast<std::ptrdiff_t>(begin), tokens.end());
  if (first_in(tokenizer_.decode(tail)) == std::string::npos) return std::nullopt;
  const auto found = first_in(tokenizer_.decode(tokens));
  return found == std::string::npos ? std::nullopt : std::optional(found);
}

std::size_t StopTexts::undecided(const std::string& text) const {
  for (std::size_t size = std::min(text.size(), longest_ - std::min<std::size_t>(longest_, 1)); size > 0;
       --size)
    for (const auto& one : texts_)
      if (size < one.size() && text.ends_with(std::string_view(one).substr(0, size))) return size;
  return 0;
}

}  // namespace trl::runtime
