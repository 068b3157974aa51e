#include "runtime/verify/seal.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

#include <array>

namespace trl::runtime {

std::string sha256(std::string_view text) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  static constexpr char digits[] = "0123456789abcdef";
  std::string hex;
  for (unsigned char byte : digest) {
    hex += digits[byte >> 4];
    hex += digits[byte & 15];
  }
  return hex;
}

RandomKey input_key(std::string_view secret, std::string_view seal, std::string_view purpose) {
  const std::string text = std::string(seal) + "/" + std::string(purpose);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data(), &length);
  RandomKey key;
  for (int i = 7; i >= 0; --i) key.value = key.value << 8 | digest[static_cast<std::size_t>(i)];
  return key;
}

}  // namespace trl::runtime
