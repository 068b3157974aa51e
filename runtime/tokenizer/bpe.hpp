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

/// A vocabulary and its merges (Sennrich et al., 2016), which start from characters or from bytes. Immutable;
/// every method may be called from several threads.
class Bpe {
 public:
  Bpe() = default;
  /// Reads a model of type BPE. With `bytes`, pieces are raw bytes; the vocabulary must contain every byte,
  /// written in the byte-level alphabet. Throws UserError, which names the fault, or the unsupported feature:
  /// dropout, continuing_subword_prefix, end_of_word_suffix, or an id of two entries.
  Bpe(Component component, bool bytes);

  /// Appends the tokens of a piece. Each thread caches the tokens of pieces of fewer than 256 bytes.
  void encode(std::string_view piece, std::vector<Token>& out) const;
  /// Like `encode`, but without the cache: the reference for tests.
  void encode_anew(std::string_view piece, std::vector<Token>& out) const;

  /// Returns the token whose text in the vocabulary is `text`; nothing if there is none.
  std::optional<Token> find(const std::string& text) const;
  /// The number of entries of the vocabulary. It may be less than the largest token.
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
  std::unordered_map<std::string, Token> whole_;  // only with ignore_merges: the token of a whole piece
  std::array<Token, 256> byte_tokens_{};          // for byte-level pieces: byte → token
  PairTable<Token> characters_;                   // for other pieces: (code point, 0) → token
  std::array<Token, 256> fallback_{};             // the tokens <0x00> to <0xFF>, -1 for a missing token
  Token unknown_ = -1;
  bool bytes_ = false, byte_fallback_ = false, fuse_unknown_ = false;
  std::uint64_t identity_ = 0;  // distinguishes the cached pieces of different models
};

}  // namespace trl::runtime
