// The request `generate`: what is read along is what was sampled.
#include <gtest/gtest.h>

#include "base/tensors/safetensors.hpp"
#include "runtime/model/load.hpp"
#include "runtime/sample/generate.hpp"
#include "runtime/tokenizer/trainer.hpp"
#include "runtime/worker/stages.hpp"
#include "tests/worker/support.hpp"

namespace trl::runtime {
namespace {

using testing::FakeStage;
using testing::lively_weights;
using testing::tiny_config;

class StreamTest : public ::testing::Test {
 protected:
  // A model with a tokenizer of bytes, so that tokens end inside of characters.
  StreamTest() {
    TokenizerTrainer trainer;
    const auto model = folder_.folder("model");
    write_text(model / "tokenizer.json", trainer.train(258).dump());
    auto config = tiny_config();
    config.vocabulary = Tokenizer::load(model / "tokenizer.json").size();
    write_text(model / "config.json", to_json(config).dump());
    write_safetensors(model / "model.safetensors", {lively_weights(config), {}});
    stage_.inputs["model"] = model;
    stage_.spec = {
        {"prompts", {"abc", "héé"}}, {"samples", 3}, {"temperature", 1.0}, {"max_tokens", 40}, {"seed", 7}};
    stage_.threads = 2;
  }

  /// The text of each answer as it was told, and how it ended, by (prompt, sample).
  std::map<std::pair<std::int64_t, std::int64_t>, std::pair<std::string, std::string>> told() const {
    std::map<std::pair<std::int64_t, std::int64_t>, std::pair<std::string, std::string>> answers;
    for (const auto& piece : stage_.pieces) {
      auto& [text, finish] = answers[{piece.prompt, piece.sample}];
      EXPECT_EQ(finish, "") << "nothing comes after the end";
      // Throws where the piece isn't UTF-8.
      EXPECT_NO_THROW(static_cast<void>(nlohmann::json(piece.text).dump())) << piece.text;
      text += piece.text;
      finish = piece.finish;
    }
    return answers;
  }

  testing::TemporaryFolder folder_;
  FakeStage stage_;
};

TEST_F(StreamTest, EveryAnswerIsToldInPiecesToItsEnd) {
  const auto summary = run_generate(stage_);
  const auto answers = told();
  EXPECT_EQ(answers.size(), 6u);
  EXPECT_GT(stage_.pieces.size(), 12u) << "it comes in pieces";
  for (const auto& [place, answer] : answers)
    EXPECT_TRUE(answer.second == "stop" || answer.second == "length");
  EXPECT_GT(summary.at("tokens").get<std::int64_t>(), 6);
}

TEST_F(StreamTest, TheSeedAndTheRoundDecideWhatIsDrawn) {
  run_generate(stage_);
  const auto first = told();
  stage_.pieces.clear();
  run_generate(stage_);
  EXPECT_EQ(told(), first);
  for (const char* changed : {"round", "seed"}) {
    stage_.pieces.clear();
    auto spec = stage_.spec;
    stage_.spec[changed] = 8;
    run_generate(stage_);
    EXPECT_NE(told(), first) << changed;
    stage_.spec = spec;
  }
}

// What is told is never taken back: the beginning of a stop text waits until more is known.
TEST_F(StreamTest, NothingOfAStopTextIsTold) {
  run_generate(stage_);
  const auto free = told();
  const auto text = free.at({0, 1}).first;
  std::string stop;  // two ASCII characters that stand beside each other
  for (std::size_t i = 0; stop.empty() && i + 1 < text.size(); ++i)
    if (static_cast<unsigned char>(text[i]) < 0x80 && static_cast<unsigned char>(text[i + 1]) < 0x80)
      stop = text.substr(i, 2);
  ASSERT_FALSE(stop.empty());
  stage_.spec["stop"] = {stop};
  stage_.pieces.clear();
  run_generate(stage_);
  for (const auto& [place, answer] : told()) {
    const auto& whole = free.at(place);
    const auto at = whole.first.find(stop);
    if (at == std::string::npos)
      EXPECT_EQ(answer, whole);
    else
      EXPECT_EQ(answer, (std::pair{whole.first.substr(0, at), std::string("stop")}));
  }
}

TEST_F(StreamTest, ItStopsWhenItIsCancelled) {
  stage_.checks_until_cancel = 10;
  EXPECT_THROW(run_generate(stage_), Cancelled);
  EXPECT_LT(stage_.pieces.size(), 15u);
}

TEST_F(StreamTest, APromptThatIsTooLongIsRefused) {
  stage_.spec["prompts"] = {std::string(200, 'a')};
  EXPECT_THROW(run_generate(stage_), UserError);
}

TEST(GenerateStreamTest, TheTensorsOperationsTellWhatTheyReturn) {
  const auto config = tiny_config();
  const LanguageModel model(config, lively_weights(config), at::kFloat, LanguageModel::Use::frozen);
  std::vector<Prompt> prompts(3);
  for (std::size_t p = 0; p < prompts.size(); ++p) {
    prompts[p].tokens.assign(p + 1, static_cast<Token>(20 + p));
    prompts[p].samples = {random_key("a"), random_key("b")};
  }
  GenerateSettings settings;
  settings.max_tokens = 40;
  settings.ends = {0, 1, 2};
  settings.choices = 300;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Token>> told;
  int finished = 0;
  settings.stream = [&](std::size_t prompt, std::size_t sample, const Answer& answer, bool end) {
    told[{prompt, sample}] = answer.tokens;
    finished += end;
  };
  for (const bool by_tensors : {true, false}) {
    told.clear();
    finished = 0;
    const auto answers = by_tensors ? generate_by_tensors(model, prompts, settings, {})
                                    : generate(config, model.weights(), prompts, settings, {});
    EXPECT_EQ(finished, 6);
    for (std::size_t p = 0; p < 3; ++p)
      for (std::size_t s = 0; s < 2; ++s) EXPECT_EQ((told[{p, s}]), answers[p][s].tokens) << p << "/" << s;
  }
}

}  // namespace
}  // namespace trl::runtime
