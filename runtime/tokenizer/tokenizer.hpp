// Byte-level byte-pair encoding, in Hugging Face's tokenizer.json format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/tokenizer/pre_tokenizer.hpp"

namespace trl::runtime {

using Token = std::int32_t;

inline constexpr const char* kEndOfText = "<|endoftext|>";
inline constexpr const char* kAnswer = "<|answer|>";

/// Immutable once loaded; every method may be called from several threads.
class Tokenizer {
 public:
  struct AddedToken {
    Token id = 0;
    std::string content;
    bool special = false;
  };

  /// Reads a tokenizer.json of model type BPE with a byte-level pre-tokenizer (GPT-2's and Qwen2's form).
  /// Throws UserError, which names the file and what is wrong or not supported. A normalizer NFC is accepted
  /// but not applied: texts must be normalised already.
  static Tokenizer load(const std::filesystem::path& file);

  /// The same from the parsed document; `name` stands for the file in errors.
  static Tokenizer parse(const nlohmann::json& document, const std::string& name);

  /// The tokens of `text`. Added tokens in the text are recognised, as Hugging Face's `encode` does.
  std::vector<Token> encode(std::string_view text) const;

  /// The tokens of `text`, in which a special token's spelling is ordinary text: for texts from outside.
  std::vector<Token> encode_ordinary(std::string_view text) const;

  /// The bytes of the tokens. Ids outside the vocabulary are left out, and special tokens too unless
  /// `keep_special`.
  std::string decode(const std::vector<Token>& tokens, bool keep_special = false) const;

  /// One more than the largest id.
  Token size() const { return static_cast<Token>(pieces_.size()); }

  std::optional<Token> find(const std::string& added_token) const;
  /// The id of an added token. Throws UserError when the tokenizer has none of that name.
  Token special(const std::string& added_token) const;

 private:
  void merge(std::string_view piece, std::vector<Token>& out) const;

  PreTokenizer pre_tokenizer_{kByteLevelPattern};
  std::string name_;
  std::array<Token, 256> byte_tokens_{};
  struct Merge {
    std::int32_t rank;
    Token result;
  };
  std::unordered_map<std::uint64_t, Merge> merges_;  // by (left << 32) | right
  std::unordered_map<std::string, Token> whole_;     // only with ignore_merges: bytes of a piece → token
  std::vector<std::string> pieces_;                  // id → bytes
  std::vector<bool> is_special_;
  std::vector<AddedToken> added_;
};

}  // namespace trl::runtime
