// The functions of digest.hpp without OpenSSL, for programs that run in a browser.
#include <algorithm>
#include <array>
#include <string>

#include "base/support/digest.hpp"
#include "base/support/files.hpp"
#include "base/support/plain_sha256.hpp"

namespace trl {

Digest sha256(std::string_view bytes) {
  PlainSha256 hash;
  hash.add(bytes);
  return hash.finish();
}

Digest hmac_sha256(std::string_view key, std::string_view bytes) {
  std::array<unsigned char, 64> padded = {};
  const Digest of_key = sha256(key);
  if (key.size() > padded.size())
    std::copy(of_key.begin(), of_key.end(), padded.begin());
  else
    std::copy(key.begin(), key.end(), padded.begin());
  const auto hashed = [&](unsigned char pad, std::string_view then) {
    std::string text;
    for (const unsigned char byte : padded) text += static_cast<char>(byte ^ pad);
    text += then;
    return sha256(text);
  };
  const Digest inner = hashed(0x36, bytes);
  return hashed(0x5c, {reinterpret_cast<const char*>(inner.data()), inner.size()});
}

std::string sha256_of_file(const std::filesystem::path& file) {
  PlainSha256 hash;
  read_blocks(file, [&](std::string_view block) { hash.add(block); });
  return hexadecimal(hash.finish());
}

}  // namespace trl
