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

/// The byte of a token <0x00> to <0xFF>, -1 of others.
int fallback_byte(std::string_view text);

class TokenDecoder {
 public:
  /// No decoder: tokens are joined by a blank, as in `tokenizers`.
  TokenDecoder() = default;
  /// Reads ByteLevel, ByteFallback, Fuse, Replace, Strip at the start, Metaspace, or a Sequence of these.
  /// Throws UserError for others.
  explicit TokenDecoder(Component component) : given_(true) { read(component); }

  /// The bytes of the tokens' texts. They need not be UTF-8 with ByteLevel, whose tokens may be parts of a
  /// character; `tokenizers` puts U+FFFD there.
  std::string decode(std::vector<std::string> texts) const;

  /// Whether the bytes of a list of tokens are the bytes of the single tokens in a row (ByteLevel alone).
  bool separable() const { return steps_.size() == 1 && std::holds_alternative<ByteLevel>(steps_.front()); }

  /// Whether tokens <0x00> to <0xFF> stand for bytes, which are joined with their neighbours (ByteFallback).
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
