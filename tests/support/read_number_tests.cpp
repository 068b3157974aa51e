// Numbers read by strtod, beside std::from_chars.
#include "base/headers/read_number.hpp"

#include <gtest/gtest.h>

#include <random>

namespace trl {
namespace {

void expect_same(const std::string& text) {
  double expected = -7, read = -7;
  const char *first = text.data(), *last = text.data() + text.size();
  const auto wanted = std::from_chars(first, last, expected);
  const auto got = read_number_by_strtod(first, last, read);
  EXPECT_EQ(got.ec, wanted.ec) << text;
  EXPECT_EQ(got.ptr - first, wanted.ptr - first) << text;
  EXPECT_TRUE(read == expected || (read != read && expected != expected))
      << text << ": " << read << ", " << expected;
}

TEST(ReadNumber, ByStrtodIsAsByFromChars) {
  for (const char* text :
       {"",         "0",        "-0",    "1.5", ".5",  "5.",   "-.25x", "1e400",    "-1e400", "1e-400",
        "4.9e-324", "2.2e-308", "0x10",  "1e",  "1e+", "1e+5", "+1",    "-+1",      "--1",    " 1",
        "-",        ".",        "1.2.3", "1-2", "inf", "-inf", "nan",   "infinite", "1_000"})
    expect_same(text);
}

TEST(ReadNumber, ByStrtodIsAsByFromCharsOnRandomTexts) {
  std::mt19937 random(2);
  const std::string letters = "0123456789.eE+-x ";
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (std::size_t length = random() % 12; text.size() < length;)
      text += letters[random() % letters.size()];
    expect_same(text);
  }
}

}  // namespace
}  // namespace trl
