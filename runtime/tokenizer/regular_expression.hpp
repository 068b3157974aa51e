// The regular expressions of tokenizer.json, written in Oniguruma's syntax and executed by PCRE2.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace trl::runtime {

/// Part of a text: a match, or the text between two matches.
struct Span {
  std::size_t begin, end;
  bool match;
};

/// A compiled expression. `tokenizers` reads patterns with Oniguruma, whose syntax and Unicode tables (16.0)
/// differ from PCRE2's. Syntax with the same meaning in both is passed on, Unicode classes are extended to
/// version 16.0, and everything else is refused. PCRE2's just-in-time compiler executes it. Copies share the
/// compiled pattern; methods may be called from several threads.
class RegularExpression {
 public:
  /// Throws UserError, which quotes the pattern and names its unsupported part.
  explicit RegularExpression(const std::string& pattern);
  /// Makes an expression that matches exactly `text`.
  static RegularExpression literal(const std::string& text);
  /// Makes an expression that matches one character of Unicode's class N in version 17.0. The pre-tokenizer
  /// Digits of `tokenizers` splits by it (Rust's `char::is_numeric`).
  static RegularExpression digit();
  /// Makes an expression that matches one word character: `\w` of the Rust library `regex`, in Unicode 16.0.
  static RegularExpression word_character();

  /// Replaces `spans` by the matches and the gaps between them, which cover `text` in order; no span is
  /// empty. Parts of the text that aren't UTF-8 never match. Throws UserError when matching exceeds PCRE2's
  /// limits.
  void find(std::string_view text, std::vector<Span>& spans) const;

  /// Whether the expression matches somewhere in the text.
  bool found_in(std::string_view text) const;

 private:
  struct Code;
  struct Translated {
    std::string pattern, shown;
  };
  explicit RegularExpression(const Translated& translated);
  std::shared_ptr<const Code> code_;
};

}  // namespace trl::runtime
