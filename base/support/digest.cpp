#include "base/support/digest.hpp"

namespace trl {

std::string hexadecimal(std::span<const unsigned char> bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

std::string sha256_hex(std::string_view bytes) { return hexadecimal(sha256(bytes)); }

}  // namespace trl
