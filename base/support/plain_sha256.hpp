// SHA-256 (FIPS 180-4) written out: the reference for OpenSSL's implementation, and the substitute for it
// where OpenSSL is missing.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace trl {

/// Computes the digest of bytes that are added in pieces of any size.
class PlainSha256 {
 public:
  void add(std::string_view bytes);
  /// Returns the digest of all added bytes. Nothing may be added afterwards.
  std::array<unsigned char, 32> finish();

 private:
  void take_block(const unsigned char* block);

  std::array<std::uint32_t, 8> state_ = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> pending_ = {};
  std::uint64_t length_ = 0;  ///< the number of bytes added so far
};

}  // namespace trl
