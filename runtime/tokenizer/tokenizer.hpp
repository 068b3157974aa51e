// Tokenizes by a tokenizer.json, with the same results as Hugging Face's library `tokenizers`.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/tokenizer/added_tokens.hpp"
#include "runtime/tokenizer/bpe.hpp"
#include "runtime/tokenizer/normalizer.hpp"
#include "runtime/tokenizer/post_processor.hpp"
#include "runtime/tokenizer/pre_tokenizer.hpp"
#include "runtime/tokenizer/token.hpp"
#include "runtime/tokenizer/token_decoder.hpp"

namespace trl::runtime {

inline constexpr const char* kEndOfText = "<|endoftext|>";
inline constexpr const char* kAnswer = "<|answer|>";

/// Immutable once loaded; every method may be called from several threads.
class Tokenizer {
 public:
  /// Reads a tokenizer.json whose model is BPE, of bytes or of characters. Every field of every component is
  /// either supported or refused by a UserError, which names the file, the component and the field.
  static Tokenizer load(const std::filesystem::path& file);

  /// Like `load`, but from a parsed document; errors call the file `name`.
  static Tokenizer parse(const nlohmann::json& document, const std::string& name);

  /// Returns the tokens of `text`. Added tokens in the text are recognised. No special tokens are put around
  /// the text, as with `add_special_tokens = False` of `tokenizers`.
  std::vector<Token> encode(std::string_view text) const { return encode(text, false); }

  /// Returns the tokens of `text`. The spelling of a special token is ordinary text, which untrusted texts
  /// need. Other added tokens are recognised, as with `encode_special_tokens` of `tokenizers`.
  std::vector<Token> encode_ordinary(std::string_view text) const { return encode(text, true); }

  /// Returns the tokens with the special tokens that the post-processor puts around them, such as <s>, as
  /// with `add_special_tokens = True`. A chat template writes these tokens itself.
  std::vector<Token> with_surroundings(std::vector<Token> tokens) const {
    return post_processor_.apply(std::move(tokens));
  }

  /// Returns the bytes of the tokens. Ids outside the vocabulary are left out, and so are special tokens
  /// unless `keep_special`. Byte-level tokens that are parts of characters give their bytes, where
  /// `tokenizers` writes U+FFFD.
  std::string decode(const std::vector<Token>& tokens, bool keep_special = false) const;

  /// Whether the bytes of a list of tokens are always the concatenated bytes of the single tokens.
  bool separable() const { return decoder_.separable(); }
  /// Whether a token is a byte that the decoder joins with its neighbours to characters, such as <0x0A>.
  bool is_single_byte(Token token) const;

  /// One more than the largest id.
  Token size() const { return static_cast<Token>(pieces_.size()); }

  std::optional<Token> find(const std::string& added_token) const { return added_.find(added_token); }
  /// Returns the id of an added token. Throws UserError when the tokenizer has no such token.
  Token special(const std::string& added_token) const;

 private:
  struct Piece {
    std::string text;   // the text that is passed to the decoder
    std::string bytes;  // the decoded bytes, if the decoder is `separable`
    bool known = false, special = false;
  };

  std::vector<Token> encode(std::string_view text, bool keep_special) const;

  std::string name_;
  Normalizer normalizer_;
  PreTokenizer pre_tokenizer_;
  Bpe model_;
  AddedTokens added_;
  PostProcessor post_processor_;
  TokenDecoder decoder_;
  std::vector<Piece> pieces_;  // by id
};

}  // namespace trl::runtime
