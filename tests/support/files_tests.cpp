#include "base/support/files.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>

#include "base/support/digest.hpp"
#include "tests/support/scratch.hpp"

namespace trl {
namespace {

TEST(Files, ReadWhatWasWritten) {
  const test::Scratch scratch;
  // Longer than a block, with a byte of each value.
  std::string text;
  while (text.size() < 1'000'003) text += static_cast<char>(text.size() % 256);
  write_text(scratch.path / "file", text);
  EXPECT_TRUE(read_text(scratch.path / "file") == text);
  write_text(scratch.path / "file", "");
  EXPECT_EQ(read_text(scratch.path / "file"), "");
}

TEST(Files, AReadErrorNamesTheFileAndTheReason) {
  const test::Scratch scratch;
  try {
    read_text(scratch.path / "nowhere");
    FAIL() << "no error";
  } catch (const ReadError& error) {
    EXPECT_EQ(error.code, ENOENT);
    EXPECT_EQ(std::string(error.what()),
              "cannot read " + (scratch.path / "nowhere").string() + ": No such file or directory");
  }
  EXPECT_THROW(read_text(scratch.path), ReadError) << "a folder";
}

TEST(Files, AFullDiskIsNamedWithWhatWasNeeded) {
  try {
    write_text("/dev/full", std::string(2048, 'x'));
    FAIL() << "no error";
  } catch (const DiskError& error) {
    EXPECT_EQ(error.code, ENOSPC);
    const std::string message = error.what();
    EXPECT_NE(message.find("cannot write /dev/full: No space left on device (it needs 2.0 KiB, "),
              std::string::npos)
        << message;
    EXPECT_NE(error.help.find("Free space"), std::string::npos) << error.help;
  }
}

TEST(Files, AnUnknownReasonIsLeftOut) {
  EXPECT_STREQ(DiskError("write", "/a/b", 0).what(), "cannot write /a/b");
}

TEST(Files, BytesAreSaidInUnits) {
  EXPECT_EQ(bytes_text(0), "0 bytes");
  EXPECT_EQ(bytes_text(1), "1 byte");
  EXPECT_EQ(bytes_text(1023), "1023 bytes");
  EXPECT_EQ(bytes_text(1258291), "1.2 MiB");
}

TEST(Digest, IsSha256) {
  const std::string digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  EXPECT_EQ(sha256_hex("abc"), digest);
  const test::Scratch scratch;
  write_text(scratch.path / "file", "abc");
  EXPECT_EQ(sha256_of_file(scratch.path / "file"), digest);
}

// RFC 4231, test cases 2 and 6.
TEST(Digest, HmacIsThatOfTheStandard) {
  EXPECT_EQ(hexadecimal(hmac_sha256("Jefe", "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(hexadecimal(hmac_sha256(std::string(131, '\xaa'),
                                    "Test Using Larger Than Block-Size Key - Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

}  // namespace
}  // namespace trl
