#include "language/formulas/draw_key.hpp"

#include <openssl/evp.h>

#include <array>

namespace trl::language {

std::uint64_t draw_key(std::string_view text) {
  std::array<unsigned char, 32> digest{};
  EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
  std::uint64_t key = 0;
  for (std::size_t byte = 8; byte-- > 0;) key = key << 8 | digest[byte];
  return key;
}

}  // namespace trl::language
