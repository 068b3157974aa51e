#include "base/support/digest.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <memory>

#include "base/support/files.hpp"

namespace trl {

Digest sha256(std::string_view bytes) {
  Digest digest{};
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
  return digest;
}

Digest hmac_sha256(std::string_view key, std::string_view bytes) {
  Digest digest{};
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data(), nullptr);
  return digest;
}

std::string sha256_of_file(const std::filesystem::path& file) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> hash(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  EVP_DigestInit_ex(hash.get(), EVP_sha256(), nullptr);
  read_blocks(file,
              [&](std::string_view block) { EVP_DigestUpdate(hash.get(), block.data(), block.size()); });
  Digest digest{};
  EVP_DigestFinal_ex(hash.get(), digest.data(), nullptr);
  return hexadecimal(digest);
}

}  // namespace trl
