// UTF-8, and Unicode's normalisation forms in the version that Hugging Face's `tokenizers` has.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace trl::runtime {

/// One character of a text: a code point and its length in bytes, or, where the bytes are no UTF-8, one byte.
struct Character {
  char32_t code = 0;
  std::uint8_t length = 1;
  bool valid = false;
};

/// The character at `at` < text.size(). Overlong forms, surrogates and code points above U+10FFFF are no
/// UTF-8.
Character character_at(std::string_view text, std::size_t at);

/// One code point as UTF-8.
std::string utf8(char32_t character);

/// The length of the longest prefix that is UTF-8.
std::size_t valid_prefix(std::string_view text);

/// Unicode's White_Space.
bool is_white_space(char32_t character);

enum class NormalForm { NFC, NFD, NFKC, NFKD };

/// The normal form of `text`, which must be UTF-8 (Unicode Standard Annex 15). Code points that were assigned
/// after Unicode 9.0, the version of `tokenizers`' tables, are left as they are and compose with nothing.
/// The time is n log n for any text.
std::string normal_form(std::string_view text, NormalForm form);

}  // namespace trl::runtime
