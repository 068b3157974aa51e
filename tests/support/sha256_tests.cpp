// SHA-256 written out, beside OpenSSL's.
#include <gtest/gtest.h>

#include <random>

#include "base/support/digest.hpp"
#include "base/support/plain_sha256.hpp"

namespace trl {
namespace {

TEST(PlainSha256, GivesThePublishedDigests) {
  // FIPS 180-4's examples.
  PlainSha256 empty, abc;
  abc.add("abc");
  EXPECT_EQ(hexadecimal(empty.finish()), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hexadecimal(abc.finish()), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(PlainSha256, AgreesWithOpenSslOnRandomTextsOfEveryLength) {
  std::mt19937 random(1);
  for (std::size_t length = 0; length < 300; ++length) {
    std::string text(length, '\0');
    for (char& byte : text) byte = static_cast<char>(random());
    PlainSha256 hash;
    // In pieces of any size.
    for (std::size_t at = 0; at < length;) {
      const std::size_t count = std::min<std::size_t>(length - at, random() % 70);
      hash.add(std::string_view(text).substr(at, count));
      at += count;
    }
    EXPECT_EQ(hash.finish(), sha256(text)) << length;
  }
}

}  // namespace
}  // namespace trl
