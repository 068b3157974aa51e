#include "runtime/verify/plan/seal.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>
#include <sys/random.h>

#include <array>
#include <cerrno>
#include <span>
#include <system_error>

namespace trl::runtime {
namespace {

std::string hexadecimal(std::span<const unsigned char> bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

}  // namespace

std::string sha256(std::string_view text) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  return hexadecimal(digest);
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

std::string random_secret() {
  std::array<unsigned char, 32> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw std::system_error(errno, std::generic_category(), "the system gives no random bytes");
  return hexadecimal(bytes);
}

}  // namespace trl::runtime
