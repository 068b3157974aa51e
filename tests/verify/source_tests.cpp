#include "ground/digest.hpp"
#include "runtime/verify/answer/source.hpp"

#include <gtest/gtest.h>
#include "runtime/verify/plan/commitment.hpp"

namespace trl::runtime {
namespace {

TEST(Source, IsTheAnswerWhereNothingIsFenced) {
  EXPECT_EQ(extract_source("class ModelNew: pass\n").text, "class ModelNew: pass\n");
}

TEST(Source, OfAFencedAnswerKeepsItsLineNumbers) {
  EXPECT_EQ(extract_source("Here:\n```python\nclass ModelNew: pass\n```\nDone.\n").text,
            "\n\nclass ModelNew: pass\n");
}

TEST(Source, IsTheBlockThatDefinesTheModel) {
  EXPECT_EQ(extract_source("```\nModelNew\n```\n```\nusage()\n```\n").text, "\nModelNew\n");
}

TEST(Source, OfACutOffAnswerIsWhatIsThere) { EXPECT_EQ(extract_source("```python\nx = 1").text, "\nx = 1"); }

std::string language(const std::string& answer) {
  return extract_source(answer).language == Source::Language::cuda ? "cuda" : "python";
}

TEST(Source, IsCudaWhereTheFenceSaysSo) {
  for (const char* tag : {"cuda", "cu", "cpp", "C++", "{.cuda}", "cuda title=relu.cu", " cpp "})
    EXPECT_EQ(language("Here:\n```" + std::string(tag) + "\nint x;\n```\n"), "cuda") << tag;
  for (const char* tag : {"python", "py", "Python3", "", "text", "triton"})
    EXPECT_EQ(language("Here:\n```" + std::string(tag) + "\nx = 1\n```\n"), "python") << tag;
}

TEST(Source, IsCudaWhereItBeginsSo) {
  for (const char* text : {"#include <torch/extension.h>\n", "\n\n  // relu\n", "/* relu */", "#define N 4\n",
                           "template <int N>\n", "__global__ void f() {}\n", "extern \"C\" __global__"})
    EXPECT_EQ(language(text), "cuda") << text;
  for (const char* text : {"", "import torch\n", "# include\nimport torch\n", "\"\"\"\n#include <x>\"\"\"\n",
                           "x = '''\n__global__'''\n"})
    EXPECT_EQ(language(text), "python") << text;
}

TEST(Source, IsTheLastCudaBlockWhereNoneDefinesTheModel) {
  const std::string kernel = "```cuda\n__global__ void f() {}\n```\n";
  const Source found =
      extract_source(kernel + "Use it:\n```python\ny = forward(x)\n```\n```cpp\nint x;\n```\n");
  EXPECT_EQ(found, (Source{"\n__global__ void f() {}\n", Source::Language::cuda}));
  // Python that builds the extension itself is the complete candidate.
  EXPECT_EQ(language(kernel + "```python\nclass ModelNew: pass\n```\n" + kernel), "python");
}

TEST(Commitment, InputsFollowFromSecretCommitmentAndPurpose) {
  const RandomKey key = input_key("secret", "seal", "original");
  EXPECT_EQ(key.value, input_key("secret", "seal", "original").value);
  EXPECT_NE(key.value, input_key("other", "seal", "original").value);
  EXPECT_NE(key.value, input_key("secret", "other", "original").value);
  EXPECT_NE(key.value, input_key("secret", "seal", "reseed").value);
}

TEST(Commitment, Sha256OfTheStandardsExample) {
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace trl::runtime
