// Regular expressions of tokenizer.json: Oniguruma's, carried out by PCRE2.
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
/// differ from PCRE2's. Syntax that both read alike is passed on, classes of Unicode are completed to
/// version 16.0, and everything else is refused. PCRE2's just-in-time compiler executes it. Copies share the
/// compiled pattern; methods may be called from several threads.
class RegularExpression {
 public:
  /// Throws UserError, which quotes the pattern and names its unsupported part.
  explicit RegularExpression(const std::string& pattern);
  /// An expression that matches `text` as it is written.
  static RegularExpression literal(const std::string& text);
  /// One digit as Rust's `char::is_numeric` knows them, by which `tokenizers`' Digits splits: Unicode's N in
  /// version 17.0.
  static RegularExpression digit();
  /// One character of a word as the Rust library `regex` knows them (`\w` in Unicode 16.0).
  static RegularExpression word_character();

  /// Replaces `spans` by matches and gaps that cover `text` in order; none is empty. Parts of the text that
  /// are no UTF-8 never match. Throws UserError when the text is too hard for the pattern (PCRE2's limits).
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
