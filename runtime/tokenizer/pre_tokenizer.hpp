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

/// The pieces of a text, in order. Texts that the pre-tokenizer has changed are stored in `changed`. An
/// object can be reused for another text, which saves allocations.
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
  /// Makes a pre-tokenizer without steps: a text is one piece, and an empty text has no pieces.
  PreTokenizer() = default;
  /// Reads ByteLevel, Split, Digits, Metaspace, WhitespaceSplit, or a Sequence of these, in which ByteLevel
  /// comes last. Throws UserError for other pre-tokenizers.
  explicit PreTokenizer(Component component) { read(component); }
  /// Makes a pre-tokenizer ByteLevel with GPT-2's pattern.
  static PreTokenizer byte_level();

  /// Whether merges start from the bytes of a piece (byte-level alphabet) instead of its characters.
  bool bytes() const { return bytes_; }
  /// Whether the result of `split` depends on its argument `at_start`.
  bool depends_on_start() const;

  /// Replaces `pieces` by the pieces of `text`, none of which is empty. `at_start` says whether `text` is at
  /// the start of the whole text. With ByteLevel, pieces are raw bytes, not characters of the byte-level
  /// alphabet.
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
