#include "base/support/digest.hpp"
#include "verifier/answer/source.hpp"

#include <gtest/gtest.h>
#include "verifier/plan/commitment.hpp"

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

TEST(Source, IsAWholeProgramThatQuotesFences) {
  for (const std::string quotes : {"\"\"\"", "'''"}) {
    const std::string program = "import torch\n\ndef f(x):\n    r" + quotes +
                                "It's as\n\n    ```python\n    f(x)\n    ```\n\n```\nx\n```\n    " + quotes +
                                "\n    return x  # isn't \"\"\"\n\nclass ModelNew:\n    pass\n";
    EXPECT_EQ(extract_source(program), (Source{program, Source::Language::python}));
    EXPECT_EQ(
        extract_source("Here's mine:\n```python\n" + program + "```\nUse it:\n```\nModel()\n```\n").text,
        "\n\n" + program);
    EXPECT_EQ(extract_source("```\nx = 1\n```\n```py\n" + program).text, "\n\n\n\n" + program) << "cut off";
  }
  const std::string kernel = "/* As in\n```cuda\nf<<<1, 1>>>();\n``` */\n// \"\n__global__ void f() {}\n";
  EXPECT_EQ(extract_source(kernel), (Source{kernel, Source::Language::cuda}));
  EXPECT_EQ(extract_source("Mine:\n```cpp\n" + kernel + "```\n").text, "\n\n" + kernel);
}

TEST(Source, IsABlockWhoeverQuotesItInProse) {
  EXPECT_EQ(extract_source("\"\"\"\n```python\nclass ModelNew: pass\n```\n\"\"\"\n").text,
            "\n\nclass ModelNew: pass\n");
}

TEST(Source, OfAProgramAfterOneThatWasCutOffInADocstringIsItsBlock) {
  EXPECT_EQ(extract_source("```python\nclass ModelNew:\n    \"\"\"Adds\n```\nAgain:\n```python\n"
                           "class ModelNew:\n    \"\"\"Adds.\"\"\"\n```\n")
                .text,
            "\n\n\n\n\n\nclass ModelNew:\n    \"\"\"Adds.\"\"\"\n");
}

/// What stands before the code.
std::string plan_of(const std::string& answer) { return answer.substr(0, bytes_of_plan(answer)); }

TEST(Source, APlanIsWhatStandsBeforeTheBlockThatIsVerified) {
  const std::string program = "class ModelNew: pass\n";
  EXPECT_EQ(plan_of("One block a row.\n\n```python\n" + program + "```\nDone.\n"), "One block a row.\n\n");
  EXPECT_EQ(plan_of("A sketch:\n```\nModelNew\n```\nNow:\n  ```py\n" + program + "```\n```\nusage()\n```\n"),
            "A sketch:\n```\nModelNew\n```\nNow:\n");
  EXPECT_EQ(plan_of("<think>\nTiles.\n</think>\nHere:\n```python\n" + program),
            "<think>\nTiles.\n</think>\nHere:\n");
  EXPECT_EQ(plan_of("By tiles:\n```cuda\n__global__ void f() {}\n```\n"), "By tiles:\n");
}

TEST(Source, WithoutABlockAPlanIsWhatWasThought) {
  EXPECT_EQ(plan_of("<think>\nTiles.\n</think>\nclass ModelNew: pass\n"), "<think>\nTiles.\n</think>");
  EXPECT_EQ(plan_of("Tiles.\n</think>\nclass ModelNew: pass\n"), "Tiles.\n</think>")
      << "some templates write <think> themselves";
  EXPECT_EQ(plan_of("<think>\nTiles are"), "<think>\nTiles are") << "cut off";
}

TEST(Source, WhatWasThoughtIsNoAnswer) {
  const std::string draft = "```python\nclass ModelNew: draft\n```\n", program = "class ModelNew: right\n";
  EXPECT_EQ(extract_source("<think>\n" + draft + "</think>\n```python\n" + program + "```\n").text,
            "\n\n\n\n\n\n" + program);
  EXPECT_EQ(extract_source("<think>\n" + draft + "</think>\nI give up.").text, "\n\n\n\n\nI give up.")
      << "drafts aren't taken";
  EXPECT_EQ(extract_source("<think>\n" + draft + "Or else").text, "\n\n\n\n")
      << "it was cut off in its thoughts";
  EXPECT_EQ(extract_source("Tiles.\n" + draft + "</think>\n" + program).text, "\n\n\n\n\n" + program)
      << "some templates write <think> themselves";
  const std::string mentions = "class ModelNew:\n    note = '</think>'\n";
  EXPECT_EQ(extract_source(mentions).text, mentions);
  EXPECT_EQ(extract_source("```python\n" + mentions + "```\n").text, "\n" + mentions);
}

TEST(Source, IsTheBlockOfAnyFence) {
  const std::string program = "class ModelNew: pass\n";
  EXPECT_EQ(extract_source("~~~python\n" + program + "~~~\n").text, "\n" + program);
  EXPECT_EQ(extract_source("````python\n" + program + "````\nDone.").text, "\n" + program);
  EXPECT_EQ(extract_source("  ```\r\nclass ModelNew: pass\r\n  ```\r\n").text, "\nclass ModelNew: pass\r\n");
  EXPECT_EQ(extract_source("~~~\n```\n~~~\n" + std::string("```py\n") + program + "```").text,
            "\n\n\n\n" + program);
}

TEST(Source, AnAnswerThatIsCodeAloneHasNoPlan) {
  EXPECT_EQ(plan_of("# A row a program.\nclass ModelNew: pass\n"), "");
  EXPECT_EQ(plan_of("import torch\nx = "), "") << "nor one that isn't right";
  EXPECT_EQ(plan_of("```python\nclass ModelNew: pass\n```\n"), "");
  EXPECT_EQ(plan_of("class ModelNew:\n    \"\"\"As in\n    ```\n    f(x)\n    ```\n    \"\"\"\n"), "")
      << "a fence that the program quotes";
  EXPECT_EQ(plan_of(""), "");
}

TEST(Source, OfAnyAnswerIsFoundInModerateTime) {
  for (const std::string line :
       {"```\n", "\\\"\"\"\n", "```\n\\\"\"\"\n", "\"\"\"\n\"\"\"\n", "'\n", "/*\n", "/**/\n"})
    for (const std::string begin : {"", "```\n", "//\n```\n"}) {
      std::string answer = begin;
      while (answer.size() < std::size_t{1} << 20) answer += line;
      EXPECT_LE(extract_source(answer).text.size(), answer.size());
    }
}

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
