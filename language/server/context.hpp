// The kind of text that is being written at a place of a file that may not parse yet.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace trl::language_server {

/// A bracket that is open at the place.
struct OpenBracket {
  char bracket = '{';  ///< { ( or [
  std::size_t at = 0;  ///< its offset
  std::string head;    ///< the text before it in its item: `lora writer`, `failing`, `reward(c) = min`
  std::vector<std::string>
      names;               ///< the left sides of the items of the block, those behind the place included
  std::size_t commas = 0;  ///< within ( and [: how many arguments stand before the place
  std::string label;       ///< within (: the label of the argument at the place, `level1`
};

struct Context {
  std::vector<OpenBracket> open;  ///< outermost first
  std::string item;               ///< the text of the item so far, from its begin to the word at the place
  std::string word;               ///< the word at the place, up to the place, with its dots: `windtunnel.lev`
  std::size_t word_begin = 0;
  bool comment = false;  ///< the place is within a comment or a quoted text

  /// The head of the outermost block: `lora writer : base`; empty at the top of the file.
  std::string declaration() const { return open.empty() ? "" : open.front().head; }
  /// The blocks within the declaration: [`failing`].
  std::vector<std::string> sections() const;
};

Context context_at(std::string_view text, std::size_t offset);

/// The words of a head: `lora writer : base` → [lora, writer, :, base].
std::vector<std::string> words_in(std::string_view head);

}  // namespace trl::language_server
