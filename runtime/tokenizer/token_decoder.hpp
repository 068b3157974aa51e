// From tokens back to text: tokenizer.json's `decoder`.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runtime/tokenizer/component.hpp"
#include "runtime/tokenizer/regular_expression.hpp"

namespace trl::runtime {

/// Returns the byte of a token <0x00> to <0xFF>; -1 for other tokens.
int fallback_byte(std::string_view text);

class TokenDecoder {
 public:
  /// Makes a decoder for a tokenizer.json without one: tokens are joined by a blank, as in `tokenizers`.
  TokenDecoder() = default;
  /// Reads ByteLevel, ByteFallback, Fuse, Replace, Strip at the start, Metaspace, or a Sequence of these.
  /// Throws UserError for other decoders.
  explicit TokenDecoder(Component component) : given_(true) { read(component); }

  /// Returns the bytes of the tokens' texts. With ByteLevel a token may be a part of a character, so that the
  /// bytes needn't be UTF-8; `tokenizers` writes U+FFFD for such parts.
  std::string decode(std::vector<std::string> texts) const;

  /// Whether the bytes of a list of tokens are always the concatenated bytes of the single tokens. True for
  /// the decoder ByteLevel alone.
  bool separable() const { return steps_.size() == 1 && std::holds_alternative<ByteLevel>(steps_.front()); }

  /// Whether tokens <0x00> to <0xFF> are bytes, which are joined with neighbouring bytes to characters
  /// (ByteFallback).
  bool joins_bytes() const {
    return std::any_of(steps_.begin(), steps_.end(),
                       [](const Step& step) { return std::holds_alternative<ByteFallback>(step); });
  }

 private:
  struct ByteLevel {};
  struct ByteFallback {};
  struct Fuse {};
  struct Replace {
    RegularExpression pattern;
    std::string content;
  };
  struct Strip {
    std::string content;
    std::int32_t start;
  };
  struct Metaspace {
    std::string replacement;
    bool prepends;
  };
  using Step = std::variant<ByteLevel, ByteFallback, Fuse, Replace, Strip, Metaspace>;

  void read(Component& component);

  std::vector<Step> steps_;
  bool given_ = false;
};

}  // namespace trl::runtime
