// Texts that end an answer: what is found is what is found in the whole text, token by token.
#include <gtest/gtest.h>

#include "runtime/sample/generate.hpp"
#include "runtime/sample/stop.hpp"
#include "runtime/tokenizer/trainer.hpp"
#include "tests/tokenizer/support.hpp"
#include "tests/worker/support.hpp"

namespace trl::runtime {
namespace {

using testing::lively_weights;
using testing::tiny_config;

Tokenizer trained() {
  TokenizerTrainer trainer;
  trainer.add("the end of a program, the end of an answer; héé ```\n``` ends");
  return Tokenizer::parse(trainer.train(300), "trained");
}

/// The number of the first tokens after which a text is in what they are decoded to, and where it begins.
std::optional<std::pair<std::size_t, std::size_t>> first_by_decoding(const Tokenizer& tokenizer,
                                                                     const std::vector<std::string>& texts,
                                                                     const std::vector<Token>& tokens) {
  for (std::size_t count = 1; count <= tokens.size(); ++count) {
    const auto text = tokenizer.decode({tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(count)});
    auto first = std::string::npos;
    for (const auto& one : texts) first = std::min(first, text.find(one));
    if (first != std::string::npos) return std::pair{count, first};
  }
  return std::nullopt;
}

// Of a byte-level tokenizer, and of one whose decoder drops the first blank and joins bytes to characters.
TEST(StopTest, FindsWhatIsInTheTextOfAllTokens) {
  const auto byte_level = trained();
  const auto sentencepiece = Tokenizer::parse(testing::of_characters(), "sentencepiece");
  const std::vector<std::vector<std::string>> lists = {
      {"\n"}, {"ab"}, {" a"}, {" a", "b a b"}, {"\n``"}, {"é"}, {"end", "end of"}, {"a a a a a a", "\nb"}};
  int found = 0;
  for (const Tokenizer* tokenizer : {&byte_level, &sentencepiece}) {
    std::vector<Token> likely;  // those of which the texts consist, and special ones
    for (const std::string text : {"a b", " a", " ab", "\n", "`", "é", "end of", "<s>"})
      for (const auto token : tokenizer->encode(text)) likely.push_back(token);
    for (std::size_t i = 0; i < lists.size(); ++i) {
      const StopTexts stop(*tokenizer, lists[i]);
      for (int time = 0; time < 60; ++time) {
        RandomStream stream(fmt::format("stop/{}/{}", i, time));
        std::vector<Token> tokens;
        for (int t = 0; t < 50; ++t)
          tokens.push_back(
              stream.uniform() < 0.95
                  ? likely[static_cast<std::size_t>(stream.uniform() * static_cast<double>(likely.size()))]
                  : static_cast<Token>(stream.uniform() * tokenizer->size()));
        const auto expected = first_by_decoding(*tokenizer, lists[i], tokens);
        const auto end = expected ? expected->first : tokens.size();
        for (std::size_t count = 1; count <= end; ++count) {
          const auto at = stop.find({tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(count)});
          if (expected && count == end)
            EXPECT_EQ(at, expected->second) << i << " " << time;
          else
            EXPECT_EQ(at, std::nullopt) << i << " " << time << " after " << count;
        }
        found += expected.has_value();
      }
    }
  }
  EXPECT_GT(found, 200);
}

TEST(StopTest, TheEarliestTextCountsAndAnEmptyOneIsRefused) {
  const auto tokenizer = trained();
  const auto tokens = tokenizer.encode("x the end");
  EXPECT_EQ(StopTexts(tokenizer, {"end", "the end"}).find(tokens), 2U);
  EXPECT_EQ(StopTexts(tokenizer, {"End"}).find(tokens), std::nullopt);
  EXPECT_EQ(StopTexts(tokenizer, {}).find(tokens), std::nullopt);
  EXPECT_NE(testing::stage_error([&] { StopTexts(tokenizer, {"a", ""}); }), "");
}

TEST(StopTest, TheBeginningOfATextIsHeldBack) {
  const auto tokenizer = trained();
  const StopTexts stop(tokenizer, {"\n```", "``x"});
  EXPECT_EQ(stop.undecided("a"), 0U);
  EXPECT_EQ(stop.undecided("a\n"), 1U);
  EXPECT_EQ(stop.undecided("a\n``"), 3U);
  EXPECT_EQ(stop.undecided("a``"), 2U);
  EXPECT_EQ(stop.undecided(""), 0U);
  EXPECT_EQ(StopTexts(tokenizer, {}).undecided("a"), 0U);
}

// With stop texts an answer is the one without them up to the token that completes the first, by the loops
// and by tensor operations, which draw several tokens before they look at them.
TEST(StopTest, AnAnswerIsCutWhereTheFirstTextBegins) {
  const auto tokenizer = trained();
  const auto config = [&] {
    auto made = tiny_config();
    made.vocabulary = tokenizer.size();
    return made;
  }();
  const auto weights = lively_weights(config);
  const LanguageModel model(config, weights, at::kFloat, LanguageModel::Use::frozen);
  std::vector<Prompt> prompts;
  for (int p = 0; p < 5; ++p) {
    Prompt prompt{
        tokenizer.encode(std::string("the end of a program").substr(0, 3 + 3 * static_cast<std::size_t>(p))),
        {}};
    for (int s = 0; s < 4; ++s) prompt.samples.push_back(random_key(fmt::format("{}/{}", p, s)));
    prompts.push_back(prompt);
  }
  GenerateSettings settings;
  settings.max_tokens = 40;
  settings.ends = {0};
  settings.choices = tokenizer.size();
  const auto free = generate(config, weights, prompts, settings, {});
  // Texts from the answers themselves that lie across tokens; one of them is completed by the last token that
  // the limit allows.
  const auto across = [&](const Answer& answer, std::size_t token) {
    const auto text = tokenizer.decode(answer.tokens);
    const auto begin =
        tokenizer.decode({answer.tokens.begin(), answer.tokens.begin() + static_cast<std::ptrdiff_t>(token)})
            .size();
    return text.substr(begin - 1, 2);
  };
  const Answer* full = nullptr;  // an answer that the limit ends
  for (const auto& samples : free)
    for (const auto& answer : samples)
      if (answer.tokens.size() == 40) full = &answer;
  ASSERT_NE(full, nullptr);
  ASSERT_GT(free[1][2].tokens.size(), 17U);
  std::vector<std::string> texts = {across(free[1][2], 17), across(*full, 39)};
  settings.stop = std::make_shared<const StopTexts>(tokenizer, texts);
  int cut = 0;
  for (const auto& [rows, threads] : {std::pair{32, 1}, {3, 2}, {0, 0}}) {
    settings.rows = std::max(rows, 2);
    settings.threads = std::max(threads, 1);
    const auto answers = rows == 0 ? generate_by_tensors(model, prompts, settings, {})
                                   : generate(config, weights, prompts, settings, {});
    for (std::size_t p = 0; p < prompts.size(); ++p) {
      for (std::size_t s = 0; s < prompts[p].samples.size(); ++s) {
        const auto& whole = free[p][s];
        const auto& answer = answers[p][s];
        const auto first = first_by_decoding(tokenizer, texts, whole.tokens);
        if (first) {
          ++cut;
          EXPECT_TRUE(answer.stopped);
          EXPECT_FALSE(answer.end_token().has_value());
          EXPECT_EQ(answer.text_size, first->second);
          EXPECT_EQ(answer.tokens,
                    std::vector<Token>(whole.tokens.begin(),
                                       whole.tokens.begin() + static_cast<std::ptrdiff_t>(first->first)));
          EXPECT_EQ(text_of(tokenizer, answer), tokenizer.decode(whole.tokens).substr(0, first->second));
        } else {
          EXPECT_EQ(answer.tokens, whole.tokens);
          EXPECT_EQ(answer.stopped, whole.stopped);
        }
      }
    }
  }
  EXPECT_GE(cut, 6);
  // Greedy answers end at them, too.
  settings.temperature = 0;
  settings.stop = nullptr;
  const auto greedy = generate(config, weights, prompts, settings, {})[0][0];
  texts = {across(greedy, 5)};
  settings.stop = std::make_shared<const StopTexts>(tokenizer, texts);
  const auto stopped = generate(config, weights, prompts, settings, {})[0][0];
  EXPECT_EQ(stopped.tokens.size(), first_by_decoding(tokenizer, texts, greedy.tokens)->first);
}

}  // namespace
}  // namespace trl::runtime
