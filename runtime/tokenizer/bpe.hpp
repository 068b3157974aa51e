// Byte-pair encoding of one piece: tokenizer.json's `model`.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/tokenizer/component.hpp"
#include "runtime/tokenizer/pair_table.hpp"
#include "runtime/tokenizer/token.hpp"

namespace trl::runtime {

/// A vocabulary and its merges (Sennrich et al., 2016), with characters or bytes to begin with. Immutable;
/// every method may be called from several threads.
class Bpe {
 public:
  Bpe() = default;
  /// Reads a model of type BPE. With `bytes`, pieces are raw bytes, which the vocabulary spells in the
  /// byte-level alphabet, and each must be in it. Throws UserError naming the fault or the unsupported
  /// feature: dropout, continuing_subword_prefix, end_of_word_suffix, ids that two entries share.
  Bpe(Component component, bool bytes);

  /// Appends the tokens of a piece. Pieces of fewer than 256 bytes are remembered for each thread.
  void encode(std::string_view piece, std::vector<Token>& out) const;
  /// The same without the memory: the plain reference.
  void encode_anew(std::string_view piece, std::vector<Token>& out) const;

  /// The entry's number.
  std::optional<Token> find(const std::string& text) const;
  /// The number of entries, which may be less than the largest number.
  std::size_t size() const { return vocabulary_.size(); }
  const std::unordered_map<std::string, Token>& vocabulary() const { return vocabulary_; }

 private:
  struct Merge {
    std::int32_t rank;
    Token result;
  };
  struct Symbol {
    Token token;
    std::int32_t previous, next;
  };

  void read_vocabulary(Component& component);
  void read_merges(Component& component);
  void append_symbols(std::string_view piece, std::vector<Symbol>& symbols) const;
  void merge(std::vector<Symbol>& symbols) const;

  std::unordered_map<std::string, Token> vocabulary_;
  PairTable<Merge> merges_;
  std::unordered_map<std::string, Token> whole_;  // only with ignore_merges: a piece → its token
  std::array<Token, 256> byte_tokens_{};          // of byte-level pieces
  PairTable<Token> characters_;                   // of others: (code point, 0) → token
  std::array<Token, 256> fallback_{};             // the tokens <0x00> to <0xFF>, -1 where there is none
  Token unknown_ = -1;
  bool bytes_ = false, byte_fallback_ = false, fuse_unknown_ = false;
  std::uint64_t identity_ = 0;  // distinguishes this model's remembered pieces from other models'
};

}  // namespace trl::runtime
