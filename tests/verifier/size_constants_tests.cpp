// Finds the sizes for which a candidate's text has special cases.
#include <gtest/gtest.h>

#include "verifier/answer/size_constants.hpp"

namespace trl::runtime {
namespace {

using Found = std::vector<std::int64_t>;

Found of(const std::string& text, Source::Language language = Source::Language::python) {
  return size_constants(Source{text, language});
}

TEST(SizeConstants, AreWhatIsCompared) {
  EXPECT_EQ(of("if n == 97:\n    n = 3\n"), Found{97});
  EXPECT_EQ(of("if 385 != x.shape[1]: pass"), Found{385});
  EXPECT_EQ(of("y = a if n < 1_000 else b"), Found{1000});
  EXPECT_EQ(of("match n:\n    case 4096: pass"), Found{4096});
}

TEST(SizeConstants, AreListedOrKeys) {
  EXPECT_EQ(of("if x.shape[0] in (97, 385): fast()"), (Found{97, 385}));
  EXPECT_EQ(of("if (m, n) in [(97, 385), (64, 256)]: fast()"), (Found{97, 385, 64, 256}));
  EXPECT_EQ(of("blocks = {97: 32, 4096: 16}"), (Found{97, 4096}));
}

TEST(SizeConstants, TilesAreNone) {
  EXPECT_EQ(of("kernel[(triton.cdiv(n, 256),)](x, y, n, BLOCK=256, num_warps=8)"), Found{});
  EXPECT_EQ(of("BLOCK = 1024 if n > 1024 else 128"), Found{});
  EXPECT_EQ(of("x = y[3:97]; z = a[..., 97:]"), Found{});
  EXPECT_EQ(of("if x > 20.0 or e == 1e5: pass"), Found{});
}

TEST(SizeConstants, WordsOfOthersAreNone) {
  EXPECT_EQ(of("# n == 97\nname = 'n == 97'\n"), Found{});
  EXPECT_EQ(of("// n == 97\n/* n == 98 */ char c = '\\''; if (n == 99) {}", Source::Language::cuda),
            Found{99});
  EXPECT_EQ(of("source = '''\nif (n == 97) return;\n'''"), Found{97});
}

TEST(SizeConstants, AnyTextIsSafe) {
  EXPECT_EQ(of("'"), Found{});
  EXPECT_EQ(of("]])) in ( 97"), Found{97});
  EXPECT_EQ(of("== 99999999999999999999999 == 70000"), Found{});
  EXPECT_EQ(of(std::string("\0\xff\\", 3)), Found{});
}

}  // namespace
}  // namespace trl::runtime
