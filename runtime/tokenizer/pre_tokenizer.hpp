// Splits text into the pieces within which byte pairs are merged.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace trl::runtime {

/// GPT-2's pattern, which Hugging Face's `ByteLevel` pre-tokenizer applies when `use_regex` is set.
extern const char* const kByteLevelPattern;

/// A compiled pattern, executed by PCRE2 with its just-in-time compiler, because patterns need lookahead and
/// \p{L}. Copies share the compiled pattern; `split` may be called from several threads.
class PreTokenizer {
 public:
  /// Throws UserError when the pattern does not compile.
  explicit PreTokenizer(const std::string& pattern = kByteLevelPattern);

  /// Calls `piece` for every match and every gap between matches, in order. Bytes that are not valid UTF-8
  /// count as gaps.
  void split(std::string_view text, const std::function<void(std::string_view)>& piece) const;

 private:
  struct Code;
  std::shared_ptr<const Code> code_;
};

}  // namespace trl::runtime
