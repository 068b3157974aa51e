#include "runtime/tokenizer/added_tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace trl::runtime {

bool TextTree::add(std::string_view text, Token token) {
  std::int32_t node = 0;
  for (const char c : text) {
    const int byte = static_cast<unsigned char>(c);
    if (const auto* child = children_.find(node, byte)) {
      node = *child;
    } else {
      children_.set(node, byte, nodes_);
      node = nodes_++;
      ends_.push_back(-1);
    }
  }
  if (ends_[node] >= 0) return false;
  ends_[node] = token;
  begins_[static_cast<unsigned char>(text.front())] = true;
  return true;
}

std::optional<TextTree::Found> TextTree::next(std::string_view text, std::size_t from) const {
  for (std::size_t begin = from; begin < text.size(); ++begin) {
    if (!begins_[static_cast<unsigned char>(text[begin])]) continue;
    std::optional<Found> longest;
    std::int32_t node = 0;
    for (std::size_t at = begin; at < text.size(); ++at) {
      const auto* child = children_.find(node, static_cast<unsigned char>(text[at]));
      if (!child) break;
      node = *child;
      if (ends_[node] >= 0) longest = Found{begin, at + 1, ends_[node]};
    }
    if (longest) return longest;
  }
  return std::nullopt;
}

AddedTokens::AddedTokens(Component& tokenizer, const Bpe& model, const Normalizer& normalizer) {
  if (!tokenizer.optional("added_tokens")) return;
  // `tokenizers` gives tokens that the vocabulary lacks numbers from its size onwards.
  auto next = static_cast<runtime::Token>(model.size());
  for (Component& entry : tokenizer.list("added_tokens")) {
    Token token;
    token.id = entry.integer("id");
    token.content = entry.text("content");
    token.single_word = entry.boolean("single_word");
    token.left = entry.boolean("lstrip");
    token.right = entry.boolean("rstrip");
    token.normalized = entry.boolean("normalized");
    token.special = entry.boolean("special");
    entry.finish();
    if (token.content.empty()) entry.refuse("the token is empty");
    if (ids_.contains(token.content)) entry.refuse(fmt::format("a second token \"{}\"", token.content));
    const runtime::Token id = model.find(token.content).value_or(next);
    if (id != token.id)
      entry.refuse(fmt::format("token \"{}\" has the id {}, but tokenizers would give it {}", token.content,
                               token.id, id));
    if (!model.find(token.content)) ++next;
    if (tokens_.contains(id)) entry.refuse(fmt::format("two tokens have the id {}", id));
    token.written = token.normalized && !normalizer.empty() ? normalizer.apply(token.content) : token.content;
    if (token.written.empty()) entry.refuse("the token's normalised text is empty");
    if (!(token.normalized ? normalized_ : raw_).add(token.written, id))
      entry.refuse(fmt::format("another token is normalised to \"{}\", too", token.written));
    if (token.single_word && !word_) word_ = RegularExpression::word_character();
    if (token.special) special_.insert(token.content);
    ids_.emplace(token.content, id);
    tokens_.emplace(id, std::move(token));
  }
}

std::optional<Token> AddedTokens::find(const std::string& content) const {
  const auto found = ids_.find(content);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

bool AddedTokens::stands_alone(std::string_view text, std::size_t begin, std::size_t end) const {
  if (begin > 0) {
    std::size_t last = begin - 1;
    while (last > 0 && begin - last < 4 && (static_cast<unsigned char>(text[last]) & 0xC0) == 0x80) --last;
    if (word_->found_in(text.substr(last, begin - last))) return false;
  }
  return end == text.size() || !word_->found_in(text.substr(end, character_at(text, end).length));
}

std::vector<AddedTokens::Part> AddedTokens::split(std::string_view text, const TextTree& tree,
                                                  bool keep_special) const {
  std::vector<Part> parts;
  std::size_t done = 0;  // up to which `parts` reach
  if (!tree.empty()) {
    for (auto found = tree.next(text, 0); found; found = tree.next(text, found->end)) {
      const Token& token = tokens_.at(found->token);
      if (keep_special && token.special) continue;
      auto [begin, end, id] = *found;
      if (token.single_word && !stands_alone(text, begin, end)) continue;
      if (token.left) begin = std::max(without_trailing_space(text.substr(0, begin)).size(), done);
      if (token.right) end = text.size() - without_leading_space(text.substr(end)).size();
      end = std::max(begin, end);
      if (done < begin) parts.push_back({text.substr(done, begin - done), std::nullopt});
      // If the previous token took the white space of which this token consists, nothing is left of it.
      if (begin < end) parts.push_back({text.substr(begin, end - begin), id});
      done = end;
    }
  }
  if (done < text.size()) parts.push_back({text.substr(done), std::nullopt});
  return parts;
}

}  // namespace trl::runtime
