// Analyses the text around the cursor. The file may have syntax errors, since the author is still writing.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace trl::language_server {

/// A bracket that is open at the cursor.
struct OpenBracket {
  char bracket = '{';  ///< { ( or [
  std::size_t at = 0;  ///< the offset of the bracket
  std::string head;  ///< the text before the bracket in its item: `lora writer`, `failing`, `reward(c) = min`
  std::vector<std::string> names;  ///< the left sides of all items of the block, before and after the cursor
  std::size_t commas = 0;          ///< within ( and [: the number of commas before the cursor
  std::string label;               ///< within (: the label of the argument at the cursor, such as `level1`
};

struct Context {
  std::vector<OpenBracket> open;  ///< the open brackets around the cursor, outermost first
  std::string item;               ///< the text of the item from its beginning to the word at the cursor
  std::string
      word;  ///< the part before the cursor of the word at the cursor, with its dots: `windtunnel.lev`
  std::size_t word_begin = 0;
  bool comment = false;  ///< the cursor is within a comment or a quoted text

  /// The head of the outermost block: `lora writer : base`; empty at the top of the file.
  std::string declaration() const { return open.empty() ? "" : open.front().head; }
  /// The names of the blocks around the cursor within the declaration: [`failing`].
  std::vector<std::string> sections() const;
};

Context context_at(std::string_view text, std::size_t offset);

/// The words of a head: `lora writer : base` → [lora, writer, :, base].
std::vector<std::string> words_in(std::string_view head);

}  // namespace trl::language_server
