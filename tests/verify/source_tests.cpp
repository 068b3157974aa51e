#include "runtime/verify/source.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "runtime/verify/seal.hpp"
#include "runtime/verify/tolerance.hpp"

namespace trl::runtime {
namespace {

TEST(Source, IsTheAnswerWhereNothingIsFenced) {
  EXPECT_EQ(extract_source("class ModelNew: pass\n"), "class ModelNew: pass\n");
}

TEST(Source, OfAFencedAnswerKeepsItsLineNumbers) {
  EXPECT_EQ(extract_source("Here:\n```python\nclass ModelNew: pass\n```\nDone.\n"),
            "\n\nclass ModelNew: pass\n");
}

TEST(Source, IsTheBlockThatDefinesTheModel) {
  EXPECT_EQ(extract_source("```\nModelNew\n```\n```\nusage()\n```\n"), "\nModelNew\n");
}

TEST(Source, OfACutOffAnswerIsWhatIsThere) { EXPECT_EQ(extract_source("```python\nx = 1"), "\nx = 1"); }

TEST(Tolerance, TakesNanOnlyForNan) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(tolerance("f32").accepts(1.0001, 1));
  EXPECT_FALSE(tolerance("f32").accepts(1.001, 1));
  EXPECT_TRUE(tolerance("f16").accepts(1.001, 1));
  EXPECT_FALSE(tolerance("f32").accepts(nan, 1));
  EXPECT_FALSE(tolerance("f32").accepts(1, nan));
  EXPECT_TRUE(tolerance("f32").accepts(nan, nan));
  EXPECT_TRUE(tolerance("f32").accepts(inf, inf));
  EXPECT_FALSE(tolerance("f32").accepts(inf, -inf));
  EXPECT_FALSE(tolerance("f32").accepts(1e30, inf));
}

TEST(Seal, InputsFollowFromSecretSealAndPurpose) {
  const RandomKey key = input_key("secret", "seal", "original");
  EXPECT_EQ(key.value, input_key("secret", "seal", "original").value);
  EXPECT_NE(key.value, input_key("other", "seal", "original").value);
  EXPECT_NE(key.value, input_key("secret", "other", "original").value);
  EXPECT_NE(key.value, input_key("secret", "seal", "reseed").value);
}

TEST(NormalisedSource, LeavesOutCommentsAndBlanksThatChangeNothing) {
  const std::string one = "import torch\n\nx = 1  # one\n# alone\ny = x\n";
  EXPECT_EQ(normalised_source(one), normalised_source("import torch\n\nx = 1\n\ny = x   \n\n\n"));
  EXPECT_EQ(normalised_source(one), "import torch\n\nx = 1\n\ny = x");
}

TEST(NormalisedSource, KeepsWhateverCouldMatter) {
  const auto differ = [](const std::string& a, const std::string& b) {
    EXPECT_NE(normalised_source(a), normalised_source(b)) << a;
  };
  differ("\n\nx = 1\ny = 2\n", "\n\nx = 1\n\ny = 2\n");      // lines keep their numbers
  differ("\n\nif x:\n  y = 1\n", "\n\nif x:\n    y = 1\n");  // indentation
  differ("\n\nx = '#a'\n", "\n\nx = '#b'\n");                // no comment
  differ("\n\nx = \"#a\"\n", "\n\nx = \"#b\"\n");
  differ("\n\nx = \"\"\"\n# a\n\"\"\"\n", "\n\nx = \"\"\"\n# b\n\"\"\"\n");
  differ("\n\nx = \"\"\"a \n\"\"\"\n", "\n\nx = \"\"\"a\n\"\"\"\n");
  differ("\n\nx = 'a \\\n# b'\n", "\n\nx = 'a \\\n# c'\n");    // a string over two lines
  differ("\n\nx = 1 # a\ry = 2\n", "\n\nx = 1 # a\ry = 3\n");  // a line ends at \r too
  differ("# coding: latin-1\n", "# coding: utf-8\n");
}

TEST(Seal, Sha256OfTheStandardsExample) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace trl::runtime
