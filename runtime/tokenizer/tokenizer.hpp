// Hugging Face's tokenizer.json, carried out as their library `tokenizers` does.
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
  /// either carried out or refused by a UserError, which names the file, the component and the
  /// unsupported field.
  static Tokenizer load(const std::filesystem::path& file);

  /// The same from the parsed document; `name` stands for the file in errors.
  static Tokenizer parse(const nlohmann::json& document, const std::string& name);

  /// The tokens of `text`. Added tokens in the text are recognised. Nothing is put around it, as with
  /// `add_special_tokens = False` of `tokenizers`.
  std::vector<Token> encode(std::string_view text) const { return encode(text, false); }

  /// The tokens of `text`, in which a special token's spelling is ordinary text: for texts from outside.
  /// Other added tokens are recognised, as with `encode_special_tokens` of `tokenizers`.
  std::vector<Token> encode_ordinary(std::string_view text) const { return encode(text, true); }

  /// The tokens with the special tokens that the post-processor puts around them, such as <s>:
  /// `add_special_tokens = True`. A chat template writes these tokens itself.
  std::vector<Token> with_surroundings(std::vector<Token> tokens) const {
    return post_processor_.apply(std::move(tokens));
  }

  /// The bytes of the tokens. Ids outside the vocabulary are left out, and special tokens too unless
  /// `keep_special`. Where `tokenizers` writes U+FFFD for parts of characters of byte-level tokens, the bytes
  /// themselves are returned.
  std::string decode(const std::vector<Token>& tokens, bool keep_special = false) const;

  /// Whether the bytes of a list of tokens are the bytes of the single tokens in a row, independent of
  /// neighbours.
  bool separable() const { return decoder_.separable(); }
  /// Whether a token is a byte that the decoder joins with its neighbours to characters, such as <0x0A>.
  bool is_single_byte(Token token) const;

  /// One more than the largest id.
  Token size() const { return static_cast<Token>(pieces_.size()); }

  std::optional<Token> find(const std::string& added_token) const { return added_.find(added_token); }
  /// The id of an added token. Throws UserError when the tokenizer has none of that name.
  Token special(const std::string& added_token) const;

 private:
  struct Piece {
    std::string text;   // as the decoder is given it
    std::string bytes;  // its decoded bytes, where the decoder is `separable`
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
