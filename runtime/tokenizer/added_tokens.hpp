// Tokens that are found in a text before it is split: tokenizer.json's `added_tokens`.
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

/// A prefix tree of texts.
class TextTree {
 public:
  /// Returns false when the tree has the text.
  bool add(std::string_view text, Token token);
  bool empty() const { return nodes_ == 1; }
  struct Found {
    std::size_t begin, end;
    Token token;
  };
  /// The leftmost text at or after `from`, and the longest of the texts that begin there.
  std::optional<Found> next(std::string_view text, std::size_t from) const;

 private:
  PairTable<std::int32_t> children_;  // (node, byte) → node
  std::vector<Token> ends_ = {-1};    // by node, -1 where no text ends
  std::int32_t nodes_ = 1;
  std::array<bool, 256> begins_{};
};

/// Immutable once read.
class AddedTokens {
 public:
  struct Token {
    runtime::Token id = 0;
    std::string content;
    bool single_word = false, left = false, right = false;  // left, right: takes white space there with it
    bool normalized = false, special = false;
    std::string written;  // the text for which a normalized token is searched, and to which it is decoded
  };
  /// A part of a text: one token, or text to be split.
  struct Part {
    std::string_view text;
    std::optional<runtime::Token> token;
  };

  AddedTokens() = default;
  /// Reads the list. `tokenizers` numbers added tokens itself; where its number differs from the file's, a
  /// UserError says so.
  AddedTokens(Component& tokenizer, const Bpe& model, const Normalizer& normalizer);

  /// The parts of a text that isn't normalised yet, and of one that is, in order. With `keep_special`, the
  /// spelling of a special token is ordinary text.
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
