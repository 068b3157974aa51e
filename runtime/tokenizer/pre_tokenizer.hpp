// Splits text into the pieces within which pairs are merged: tokenizer.json's `pre_tokenizer`.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runtime/tokenizer/component.hpp"
#include "runtime/tokenizer/regular_expression.hpp"

namespace trl::runtime {

/// GPT-2's pattern, which Hugging Face's `ByteLevel` pre-tokenizer applies when `use_regex` is set.
extern const char* const kByteLevelPattern;

/// The pieces of a text in order. Pieces that the pre-tokenizer has changed lie in `changed`. Reusable, which
/// saves allocations.
struct Pieces {
  struct Piece {
    std::string_view text;
    bool at_start;  // whether the piece begins where the whole text begins
  };
  std::vector<Piece> all;
  std::deque<std::string> changed;
  std::vector<Piece> previous;
  std::vector<Span> spans;
};

/// The steps of a pre-tokenizer. `split` may be called from several threads.
class PreTokenizer {
 public:
  /// No splitting: the text is one piece, or none when it is empty.
  PreTokenizer() = default;
  /// Reads ByteLevel, Split, Digits, Metaspace, WhitespaceSplit, or a Sequence of these, in which ByteLevel
  /// comes last. Throws UserError for others.
  explicit PreTokenizer(Component component) { read(component); }
  /// ByteLevel with GPT-2's pattern.
  static PreTokenizer byte_level();

  /// Whether pieces are merged as bytes of the byte-level alphabet instead of characters.
  bool bytes() const { return bytes_; }
  /// Whether the result depends on where in the whole text the given one begins.
  bool depends_on_start() const;

  /// Replaces `pieces` by the pieces of `text`, none of which is empty. With ByteLevel they are the raw
  /// bytes, which stand for the characters of its alphabet.
  void split(std::string_view text, bool at_start, Pieces& pieces) const;

 private:
  enum class Behavior { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };
  struct Split {
    RegularExpression pattern;
    Behavior behavior;
    bool invert;
  };
  struct Metaspace {
    enum class Prepend { always, first, never } prepend;
    std::string replacement;
  };
  struct PrefixSpace {};
  using Step = std::variant<Split, Metaspace, PrefixSpace>;

  void read(Component& component);
  static void apply(const Split& split, Pieces& pieces);

  std::vector<Step> steps_;
  bool bytes_ = false;
};

}  // namespace trl::runtime
