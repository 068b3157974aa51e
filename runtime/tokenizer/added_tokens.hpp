// Added tokens, which are found in a text before the text is split into pieces: `added_tokens` of
// tokenizer.json.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/tokenizer/bpe.hpp"
#include "runtime/tokenizer/component.hpp"
#include "runtime/tokenizer/normalizer.hpp"
#include "runtime/tokenizer/pair_table.hpp"
#include "runtime/tokenizer/token.hpp"

namespace trl::runtime {

/// A prefix tree of texts, each with a token.
class TextTree {
 public:
  /// Adds a text. Returns false when the tree has the text already.
  bool add(std::string_view text, Token token);
  bool empty() const { return nodes_ == 1; }
  struct Found {
    std::size_t begin, end;
    Token token;
  };
  /// Finds the leftmost place at or after `from` where a text of the tree begins, and there the longest text.
  std::optional<Found> next(std::string_view text, std::size_t from) const;

 private:
  PairTable<std::int32_t> children_;  // (node, byte) → node
  std::vector<Token> ends_ = {-1};    // the token of the text that ends at a node, -1 if none ends there
  std::int32_t nodes_ = 1;
  std::array<bool, 256> begins_{};
};

/// The added tokens of a tokenizer. Immutable after construction.
class AddedTokens {
 public:
  struct Token {
    runtime::Token id = 0;
    std::string content;
    /// left, right: whether the token includes the white space on this side
    bool single_word = false, left = false, right = false;
    bool normalized = false, special = false;
    /// `content`, normalised if `normalized`: the text that is searched for and decoded to
    std::string written;
  };
  /// A part of a text: either one added token, or text that isn't tokenised yet.
  struct Part {
    std::string_view text;
    std::optional<runtime::Token> token;
  };

  AddedTokens() = default;
  /// Reads the list. The library `tokenizers` computes the ids of added tokens itself; a UserError is thrown
  /// when such an id differs from the id in the file.
  AddedTokens(Component& tokenizer, const Bpe& model, const Normalizer& normalizer);

  /// `split_raw` returns the parts of a text before normalisation, `split_normalized` the parts of a
  /// normalised text, in order. With `keep_special`, the text of a special token is ordinary text.
  std::vector<Part> split_raw(std::string_view text, bool keep_special) const {
    return split(text, raw_, keep_special);
  }
  std::vector<Part> split_normalized(std::string_view text, bool keep_special) const {
    return split(text, normalized_, keep_special);
  }

  const std::map<runtime::Token, Token>& all() const { return tokens_; }
  std::optional<runtime::Token> find(const std::string& content) const;
  bool is_special(const std::string& text) const { return special_.contains(text); }

 private:
  std::vector<Part> split(std::string_view text, const TextTree& tree, bool keep_special) const;
  bool stands_alone(std::string_view text, std::size_t begin, std::size_t end) const;

  std::map<runtime::Token, Token> tokens_;
  std::map<std::string, runtime::Token, std::less<>> ids_;
  std::set<std::string> special_;
  TextTree raw_, normalized_;
  std::optional<RegularExpression> word_;
};

}  // namespace trl::runtime
