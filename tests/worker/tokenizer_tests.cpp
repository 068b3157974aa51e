#include "runtime/tokenizer/tokenizer.hpp"

#include <gtest/gtest.h>

#include "ground/files.hpp"
#include "ground/random.hpp"
#include "runtime/tokenizer/trainer.hpp"
#include "tests/worker/support.hpp"

namespace trl::runtime {
namespace {

using testing::stage_error;

nlohmann::json trained(int vocabulary = 300) {
  TokenizerTrainer trainer;
  for (int i = 0; i < 3; ++i)
    trainer.add("x = tl.load(x_ptr + offs, mask=mask, other=0.0)\n    tl.store(out_ptr + offs, x)");
  return trainer.train(vocabulary);
}

std::string random_bytes(RandomStream& random) {
  std::string text;
  for (auto n = random.below(200); n > 0; --n) text += static_cast<char>(random.below(256));
  return text;
}

TEST(TokenizerTest, EveryStringOfBytesComesBack) {
  const auto tokenizer = Tokenizer::parse(trained(), "test");
  RandomStream random("tokenizer");
  for (int i = 0; i < 300; ++i) {
    const auto text = random_bytes(random);
    EXPECT_EQ(tokenizer.decode(tokenizer.encode_ordinary(text)), text);
  }
}

TEST(TokenizerTest, FrequentPiecesBecomeOneToken) {
  const auto tokenizer = Tokenizer::parse(trained(), "test");
  EXPECT_EQ(tokenizer.encode(" mask").size(), 1U);
  EXPECT_LT(tokenizer.encode("x = tl.load(x_ptr + offs, mask=mask)").size(), 25U);
}

TEST(TokenizerTest, SpecialTokensAreZeroAndOne) {
  const auto tokenizer = Tokenizer::parse(trained(), "test");
  EXPECT_EQ(tokenizer.special(kEndOfText), 0);
  EXPECT_EQ(tokenizer.special(kAnswer), 1);
  EXPECT_EQ(tokenizer.encode("<|answer|>x").front(), 1);
  EXPECT_GT(tokenizer.encode_ordinary("<|answer|>").size(), 1U);
  EXPECT_EQ(tokenizer.decode({1, tokenizer.encode("x")[0], 0}), "x");
  EXPECT_EQ(tokenizer.decode({0}, true), kEndOfText);
}

TEST(TokenizerTest, MergesMayBeStringsOrPairs) {
  auto document = trained();
  const auto expected = Tokenizer::parse(document, "pairs").encode("tl.load(mask)");
  for (auto& merge : document["model"]["merges"]) {
    merge = merge[0].get<std::string>() + " " + merge[1].get<std::string>();
  }
  EXPECT_EQ(Tokenizer::parse(document, "strings").encode("tl.load(mask)"), expected);
}

TEST(TokenizerTest, TrainingDependsOnTheCountsAlone) {
  TokenizerTrainer a, b;
  for (const char* text : {"one two", "two three", "one two"}) a.add(text);
  for (const char* text : {"two three", "one two", "one two"}) b.add(text);
  EXPECT_EQ(a.train(270).dump(), b.train(270).dump());
}

TEST(TokenizerTest, LongRunsTakeLinearMemoryAndNoStack) {
  const auto tokenizer = Tokenizer::parse(trained(), "test");
  const std::string text(200'000, 'x');
  EXPECT_EQ(tokenizer.decode(tokenizer.encode(text)), text);
}

TEST(TokenizerTest, ATooSmallVocabularyIsAnError) {
  EXPECT_EQ(stage_error([] { trained(257); }), "a vocabulary of 257 is too small");
}

TEST(TokenizerTest, WhatIsNotSupportedIsNamed) {
  auto document = trained();
  document["pre_tokenizer"] = {{"type", "Metaspace"}};
  EXPECT_EQ(stage_error([&] { Tokenizer::parse(document, "t.json"); }),
            "t.json: its pre_tokenizer Metaspace is not supported");
  document = trained();
  document["model"]["merges"].push_back({"no", "where"});
  EXPECT_NE(stage_error([&] { Tokenizer::parse(document, "t.json"); }).find("is not in the vocabulary"),
            std::string::npos);
}

TEST(TokenizerTest, TheStageWritesATokenizer) {
  const testing::TemporaryFolder folder;
  write_text(folder.folder("corpus") / "samples.jsonl", R"({"prompt": "a b a b", "answer": "a b"})"
                                                        "\n");
  testing::FakeStage stage;
  stage.spec = {{"vocabulary", 260}};
  stage.inputs["corpus"] = folder / "corpus";
  stage.output = folder.folder("out");
  EXPECT_EQ(run_tokenizer(stage)["size"], 259);  // only " b" occurs twice
  EXPECT_EQ(Tokenizer::load(folder / "out/tokenizer.json").decode({258}), " b");
}

}  // namespace
}  // namespace trl::runtime
