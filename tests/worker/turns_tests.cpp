// The prompts of later turns: which episodes go on, and what they are told.
#include <gtest/gtest.h>

#include "base/support/json_text.hpp"
#include "runtime/sample/turns.hpp"
#include "tests/worker/support.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

/// A token for each byte.
class Bytes : public PromptFormat {
 public:
  std::vector<Token> prompt(const std::string& text) const override { return {text.begin(), text.end()}; }
  std::vector<Token> answer(const std::string& text) const override { return prompt(text); }
  std::string text(const std::vector<Token>& answer) const override { return {answer.begin(), answer.end()}; }
  const std::vector<Token>& ends() const override { return ends_; }

 private:
  std::vector<Token> ends_ = {0};
};

class TurnsTest : public ::testing::Test {
 protected:
  void add(std::size_t task, int sample, const std::string& answer, const char* failed, const char* reason,
           const std::string& message, int line) {
    json row = {{"task", task},     {"name", "t"},      {"group", "g"}, {"sample", sample},
                {"prompt", "old "}, {"answer", answer}, {"tokens", 3},  {"finish", "stop"}};
    candidates_ += row.dump() + "\n";
    row = {{"task", task},
           {"sample", sample},
           {"valid", true},
           {"compiled", nullptr},
           {"tiny", nullptr},
           {"correct", failed == nullptr},
           {"values", failed == nullptr},
           {"failed", failed == nullptr ? json() : json(failed)},
           {"reason", failed == nullptr ? json() : json(reason)},
           {"message", message},
           {"line", line > 0 ? json(line) : json()},
           {"speedup", 0.0}};
    verdicts_ += row.dump() + "\n";
  }

  NextTurns next(const std::string& feedback, std::int64_t context = 0, std::int64_t max_tokens = 8) {
    write_text(folder_ / "candidates.jsonl", candidates_);
    write_text(folder_ / "verdicts.jsonl", verdicts_);
    return next_turns(folder_.folder("."), folder_.folder("."), {"task 0", "task 1"}, feedback, format_,
                      context, max_tokens);
  }

  testing::TemporaryFolder folder_;
  Bytes format_;
  std::string candidates_, verdicts_;
};

TEST_F(TurnsTest, EpisodesWhoseAnswersFailGoOnAndAreToldWhy) {
  add(0, 0, "right", nullptr, "", "", 0);
  add(0, 1, "a = 1\n  b = {task}\n", "full", "wrong_values", "0.5 at [3]\nand more", 2);
  add(1, 0, "c", "syntax", "syntax_error", "", 0);
  const auto found = next("{task}|{answer}|{stage}|{reason}|{message}|{line}|{code}");
  ASSERT_EQ(found.prompts.size(), 2u);
  EXPECT_EQ(found.prompts[0].task, 0u);
  EXPECT_EQ(found.prompts[0].sample, 1);
  EXPECT_EQ(found.prompts[0].prompt, "task 0|a = 1\n  b = {task}\n|full|wrong_values|0.5 at [3]|2|b = {task}")
      << "what a model wrote is never taken for a placeholder";
  EXPECT_EQ(found.prompts[0].tokens.size(), found.prompts[0].prompt.size());
  EXPECT_EQ(found.prompts[1].prompt, "task 1|c|syntax|syntax_error||?|");
  EXPECT_EQ(found.ended_by_context, 0);
  EXPECT_EQ(next("{prompt}{answer}{reason}").prompts[1].prompt, "old csyntax_error");
}

TEST_F(TurnsTest, AnEpisodeWithoutRoomForAnAnswerEnds) {
  add(0, 0, std::string(10, 'x'), "full", "wrong_values", "", 0);
  add(0, 1, std::string(11, 'x'), "full", "wrong_values", "", 0);
  const auto found = next("{task}{answer}", 24, 8);
  ASSERT_EQ(found.prompts.size(), 1u);
  EXPECT_EQ(found.prompts[0].sample, 0) << "16 tokens of prompt and 8 of the answer fill the context";
  EXPECT_EQ(found.ended_by_context, 1);
}

TEST_F(TurnsTest, FilesAboutDifferentAnswersAreRefused) {
  add(0, 0, "x", "full", "wrong_values", "", 0);
  verdicts_ = R"({"task": 1, "sample": 0, "valid": true, "correct": false, "values": false, "speedup": 0})"
              "\n";
  EXPECT_NE(testing::stage_error([&] { next("{task}{answer}"); }).find("not about the same answer"),
            std::string::npos);
}

}  // namespace
}  // namespace trl::runtime
