#include "runtime/train/prompt_format.hpp"

#include <gtest/gtest.h>

#include "runtime/train/documents.hpp"
#include "tests/worker/foreign_tokenizer.hpp"
#include "tests/worker/support.hpp"

namespace trl::runtime {
namespace {

using testing::foreign_tokenizer;
using testing::tiny_config;

TEST(PromptFormatTest, TheWindTunnelsTokensMarkAnswerAndEnd) {
  TokenizerTrainer trainer;
  trainer.add("a kernel");
  const auto tokenizer = Tokenizer::parse(trainer.train(270), "tokenizer.json");
  auto config = tiny_config();
  config.end_tokens = {5};
  const auto format = format_of("model", config, tokenizer);
  auto expected = tokenizer.encode_ordinary("a <|answer|>");
  expected.push_back(tokenizer.special(kAnswer));
  EXPECT_EQ(format->prompt("a <|answer|>"), expected) << "spellings in the text are ordinary text";
  EXPECT_EQ(format->ends(), std::vector<Token>{tokenizer.special(kEndOfText)});
}

TEST(PromptFormatTest, OtherModelsGoOnAfterThePromptAndEndAtTheirTokens) {
  const auto tokenizer = Tokenizer::parse(foreign_tokenizer(), "tokenizer.json");
  auto config = tiny_config();
  config.end_tokens = {1, 0};
  const auto format = format_of("model", config, tokenizer);
  EXPECT_EQ(format->prompt("a kernel"), tokenizer.encode_ordinary("a kernel"));
  EXPECT_EQ(format->ends(), (std::vector<Token>{1, 0}));
  const auto document = make_document(*format, "a kernel", "a program");
  auto expected = format->prompt("a kernel");
  EXPECT_EQ(document.answer_begin, expected.size());
  for (const auto token : tokenizer.encode_ordinary("a program")) expected.push_back(token);
  expected.push_back(1);
  EXPECT_EQ(document.tokens, expected);
  config.end_tokens.clear();
  EXPECT_NE(testing::stage_error([&] { format_of("model", config, tokenizer); }).find("model/config.json"),
            std::string::npos);
}

// Llama's <s> comes before a text; what a post-processor puts after one would end the answer.
TEST(PromptFormatTest, WhatThePostProcessorPutsBeforeATextComesFirst) {
  auto document = foreign_tokenizer();
  const auto special = [](const char* name) {
    return nlohmann::json{{"SpecialToken", {{"id", name}, {"type_id", 0}}}};
  };
  const auto text = nlohmann::json{{"Sequence", {{"id", "A"}, {"type_id", 0}}}};
  const auto described = [](const char* name, int id) {
    return nlohmann::json{{"id", name}, {"ids", {id}}, {"tokens", {name}}};
  };
  document["post_processor"] = {
      {"type", "TemplateProcessing"},
      {"single", {special("<|unused|>"), text, special("<|endoftext|>")}},
      {"pair", {text, {{"Sequence", {{"id", "B"}, {"type_id", 1}}}}}},
      {"special_tokens",
       {{"<|unused|>", described("<|unused|>", 1)}, {"<|endoftext|>", described("<|endoftext|>", 0)}}}};
  const auto tokenizer = Tokenizer::parse(document, "tokenizer.json");
  auto config = tiny_config();
  config.end_tokens = {0};
  auto expected = tokenizer.encode_ordinary("a kernel");
  expected.insert(expected.begin(), 1);
  EXPECT_EQ(format_of("model", config, tokenizer)->prompt("a kernel"), expected);
}

// The conversation that the model's template writes; the date is the same on every day.
TEST(PromptFormatTest, AChatTemplateWritesTheConversation) {
  const testing::TemporaryFolder folder;
  folder.folder("model");
  std::ofstream(folder / "model/tokenizer_config.json")
      << nlohmann::json{{"chat_template",
                         "{% for m in messages %}<|unused|>{{ m.role }} {{ strftime_now('%Y-%m-%d') }}\n{{ "
                         "m.content }}{% endfor %}"
                         "{% if add_generation_prompt %}<|unused|>assistant\n{% endif %}"}};
  const auto tokenizer = Tokenizer::parse(foreign_tokenizer(), "tokenizer.json");
  auto config = tiny_config();
  config.end_tokens = {0};
  const auto format = format_of(folder / "model", config, tokenizer);
  EXPECT_EQ(format->prompt("a kernel"),
            tokenizer.encode("<|unused|>user 2024-07-26\na kernel<|unused|>assistant\n"));
  EXPECT_EQ(format->ends(), std::vector<Token>{0});
  // A special token that the text spells is ordinary text, those of the template are not.
  auto expected = tokenizer.encode("<|unused|>user 2024-07-26\n");
  for (const auto token : tokenizer.encode_ordinary("a <|endoftext|>")) expected.push_back(token);
  for (const auto token : tokenizer.encode("<|unused|>assistant\n")) expected.push_back(token);
  EXPECT_EQ(format->prompt("a <|endoftext|>"), expected);
}

}  // namespace
}  // namespace trl::runtime
