// UTF-8, and Unicode's normalisation forms in the Unicode version of Hugging Face's `tokenizers`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace trl::runtime {

/// One character of a text: a code point and its length in bytes. Where the text isn't UTF-8, it is one byte
/// and not `valid`.
struct Character {
  char32_t code = 0;
  std::uint8_t length = 1;
  bool valid = false;
};

/// Returns the character at byte `at` < text.size(). Overlong forms, surrogates and code points above
/// U+10FFFF aren't valid.
Character character_at(std::string_view text, std::size_t at);

/// Returns a code point as UTF-8.
std::string utf8(char32_t character);

/// Returns the length in bytes of the longest prefix that is UTF-8.
std::size_t valid_prefix(std::string_view text);

/// Whether a character has Unicode's property White_Space.
bool is_white_space(char32_t character);

enum class NormalForm { NFC, NFD, NFKC, NFKD };

/// Returns the normal form of `text`, which must be UTF-8 (Unicode Standard Annex 15). Code points that were
/// assigned after Unicode 9.0, the version of `tokenizers`' tables, are left as they are and compose with
/// nothing. The time is n log n for any text.
std::string normal_form(std::string_view text, NormalForm form);

}  // namespace trl::runtime
