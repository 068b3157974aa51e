#include "runtime/tokenizer/byte_level.hpp"

#include <map>

namespace trl::runtime {
namespace {

bool printable(int byte) {
  return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

std::size_t utf8_length(unsigned char first) {
  return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
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

std::string utf8(char32_t c) {
  std::string out;
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
  return out;
}

std::string to_byte_level(std::string_view bytes) {
  std::string out;
  for (const unsigned char byte : bytes) out += utf8(byte_characters()[byte]);
  return out;
}

std::string from_byte_level(std::string_view text) {
  static const auto inverse = [] {
    std::map<std::string, char, std::less<>> bytes;
    for (int byte = 0; byte < 256; ++byte) bytes[utf8(byte_characters()[byte])] = static_cast<char>(byte);
    return bytes;
  }();
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto character = text.substr(i, utf8_length(static_cast<unsigned char>(text[i])));
    const auto found = inverse.find(character);
    if (found == inverse.end()) {
      out += character;
    } else {
      out += found->second;
    }
    i += character.size();
  }
  return out;
}

}  // namespace trl::runtime
