#include "runtime/tokenizer/byte_level.hpp"

#include <cstdint>

#include "runtime/tokenizer/unicode.hpp"

namespace trl::runtime {
namespace {

bool printable(int byte) {
  return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

}  // namespace

const std::array<char32_t, 256>& byte_characters() {
  static const auto table = [] {
    std::array<char32_t, 256> characters{};
    char32_t next = 0x100;
    for (int byte = 0; byte < 256; ++byte) {
      characters[byte] = printable(byte) ? static_cast<char32_t>(byte) : next++;
    }
    return characters;
  }();
  return table;
}

std::optional<std::string> from_byte_level(std::string_view text) {
  // The alphabet ends below U+0144.
  static const auto inverse = [] {
    std::array<std::int16_t, 0x144> bytes;
    bytes.fill(-1);
    for (int byte = 0; byte < 256; ++byte) bytes[byte_characters()[byte]] = static_cast<std::int16_t>(byte);
    return bytes;
  }();
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    if (!character.valid || character.code >= inverse.size() || inverse[character.code] < 0)
      return std::nullopt;
    out += static_cast<char>(inverse[character.code]);
    at += character.length;
  }
  return out;
}

}  // namespace trl::runtime
