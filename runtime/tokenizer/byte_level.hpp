// The byte-level alphabet: every byte has a printable character, so that a vocabulary is readable text.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace trl::runtime {

/// GPT-2's mapping of bytes to code points: printable Latin-1 characters stand for themselves, the other
/// bytes for U+0100 onwards.
const std::array<char32_t, 256>& byte_characters();

/// Returns the bytes that a text in this alphabet represents; nothing when a character isn't in the alphabet.
std::optional<std::string> from_byte_level(std::string_view text);

}  // namespace trl::runtime
