#include <gtest/gtest.h>

#include <algorithm>

#include "base/contract/stages/select.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "base/support/random.hpp"
#include "interpreter/files.hpp"
#include "interpreter/local/local_stage.hpp"
#include "tests/interpreter/fixture.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using nlohmann::json;

namespace {

struct SampledAnswer {
  int task = 0, sample = 0;
  bool correct = false;
  double speedup = 0;
  const char* failed = nullptr;
  std::string answer = {};  ///< one of its own if it is empty
  int tokens = 1;
  const char* finish = "stop";
  double kernel_share = 0;  ///< 0: not said
  bool judged = true;
  int launches = 1;
  double time_us = 0;  ///< 0: not said
};

class Select : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto document = study();
    spec_ = {{"seed", 1},
             {"round", 1},
             {"keep", 2},
             {"keep_by", "reward"},
             {"min_reward", 0.5},
             {"failing", nullptr},
             {"reward", document["experiments"]["study"]["train"][1]["reward"]}};
  }
  /// Runs the select stage and returns (task, sample) of each kept candidate.
  std::vector<std::pair<int, int>> select(const std::vector<SampledAnswer>& candidates) {
    return select_turns({candidates});
  }
  /// The same of episodes, whose answers come turn after turn.
  std::vector<std::pair<int, int>> select_turns(const std::vector<std::vector<SampledAnswer>>& turns) {
    const auto out = scratch_.path / ("out" + std::to_string(++count_));
    std::filesystem::create_directory(out);
    std::map<std::string, Result> inputs;
    for (int turn = 1; turn <= static_cast<int>(turns.size()); ++turn) {
      const auto result = judged(turns[static_cast<std::size_t>(turn) - 1], turn);
      inputs.emplace(contract::input_of_turn("candidates", turn), result);
      inputs.emplace(contract::input_of_turn("verdicts", turn), result);
      inputs.emplace("tasks", result);
    }
    summary_ = run_select({spec_, inputs, out});
    std::vector<std::pair<int, int>> kept;
    for (const auto& row : read_json_lines(out / "candidates.jsonl"))
      kept.emplace_back(row.at("task"), row.at("sample"));
    samples_ = read_json_lines(out / "samples.jsonl");
    rewards_ = read_json_lines(out / "rewards.jsonl");
    return kept;
  }
  /// Answers of a turn and their verdicts.
  Result judged(const std::vector<SampledAnswer>& candidates, int turn) {
    const auto in = scratch_.path / ("in" + std::to_string(count_) + "." + std::to_string(turn));
    std::filesystem::create_directory(in);
    write_text(in / "tasks.json", json::array({task("level1", 1), task("level2", 1)}).dump());
    std::vector<json> sampled, verdicts;
    for (const auto& c : candidates) {
      sampled.push_back({{"task", c.task},
                         {"name", "t"},
                         {"group", "level1"},
                         {"sample", c.sample},
                         {"prompt", turn == 1 ? "p" : "prompt of turn " + std::to_string(turn)},
                         {"answer", c.answer.empty() ? "a" + std::to_string(c.sample) : c.answer},
                         {"tokens", c.tokens},
                         {"finish", c.finish}});
      if (turn > 1) sampled.back()["turn"] = turn;
      verdicts.push_back({{"task", c.task},
                          {"sample", c.sample},
                          {"valid", true},
                          {"compiled", nullptr},
                          {"tiny", nullptr},
                          {"correct", c.correct},
                          {"values", c.correct},
                          {"speedup", c.speedup},
                          {"failed", c.failed ? json(c.failed) : json()}});
      if (!c.judged) verdicts.back()["reason"] = "not_judged";
      if (c.kernel_share > 0) verdicts.back()["kernel_share"] = c.kernel_share;
      verdicts.back()["launches"] = c.launches;
      if (c.time_us > 0) verdicts.back()["time_us"] = c.time_us;
    }
    write_json_lines(in / "candidates.jsonl", sampled);
    write_json_lines(in / "verdicts.jsonl", verdicts);
    describe_result(in, {{"key", in.filename()}});
    return Result(in);
  }
  using Kept = std::vector<std::pair<int, int>>;

  Scratch scratch_;
  json spec_, summary_;
  std::vector<json> samples_, rewards_;
  int count_ = 0;
};

}  // namespace

TEST_F(Select, KeepsTheBestOfEachTask) {
  const auto kept = select(
      {{0, 0, true, 0.2}, {0, 1, true, 0.9}, {0, 2, true, 0.5}, {1, 0, true, 0.1}, {1, 1, false, 0, "full"}});
  EXPECT_EQ(kept, (Kept{{0, 1}, {0, 2}, {1, 0}}));
  EXPECT_EQ(summary_["kept"], 3);
  EXPECT_EQ(summary_["correct"], 4);
  EXPECT_EQ(summary_["accuracy"]["level2"], (json{{"correct", 1}, {"candidates", 2}}));
}

TEST_F(Select, ARewardMayAskForTheShareOfTheKernels) {
  spec_["reward"]["formula"] = {{"params", {"c"}},
                                {"body", {{"member", {{"name", "c"}}}, {"name", "kernel_share"}}}};
  spec_["keep"] = 1;
  std::vector<SampledAnswer> candidates = {
      {0, 0, true, 1}, {0, 1, true, 1}, {1, 0, true, 1}, {1, 1, true, 1}};
  candidates[0].kernel_share = 0.8, candidates[1].kernel_share = 0.9;
  candidates[2].kernel_share = 0.99;  // and the last one's plan has nothing of PyTorch's
  EXPECT_EQ(select(candidates), (Kept{{0, 1}, {1, 1}}));
}

TEST_F(Select, ARewardMayAskForTokensLaunchesAndTime) {
  const auto reward_by = [&](const char* field) {  // 1 / (1 + c.field)
    const json value = {{"member", {{"name", "c"}}}, {"name", field}};
    const json sum = {{"op", "+"}, {"args", {1, value}}};
    spec_["reward"]["formula"] = {{"params", {"c"}}, {"body", {{"op", "/"}, {"args", {1, sum}}}}};
  };
  spec_["keep"] = 1, spec_["min_reward"] = 0;
  std::vector<SampledAnswer> candidates = {
      {0, 0, true, 1}, {0, 1, true, 1}, {1, 0, true, 1}, {1, 1, true, 1}};
  candidates[0].tokens = 90, candidates[1].tokens = 30, candidates[2].tokens = 10, candidates[3].tokens = 20;
  candidates[0].launches = 1, candidates[1].launches = 2, candidates[2].launches = 3,
  candidates[3].launches = 1;
  candidates[0].time_us = 5, candidates[1].time_us = 7,
  candidates[2].time_us = 4;  // the last one has no time
  reward_by("tokens");
  EXPECT_EQ(select(candidates), (Kept{{0, 1}, {1, 0}}));
  reward_by("launches");
  EXPECT_EQ(select(candidates), (Kept{{0, 0}, {1, 1}}));
  reward_by("time");
  EXPECT_EQ(select(candidates), (Kept{{0, 0}, {1, 0}}));
  EXPECT_NEAR(rewards_.at(0).at("reward").get<double>(), 1.0 / 6, 1e-9);
  EXPECT_LT(rewards_.at(3).at("reward").get<double>(), 1e-9) << "an answer without a time isn't the fastest";
}

// The mean of ten times 0.7 is another number than 0.7.
TEST_F(Select, EqualRewardsTeachNothing) {
  spec_["keep"] = 0, spec_["min_reward"] = 0;
  spec_["reward"]["formula"] = {{"params", {"c"}},
                                {"body", {{"member", {{"name", "c"}}}, {"name", "speedup"}}}};
  for (const double reward : {0.1, 0.7, 0.85}) {
    std::vector<SampledAnswer> candidates;
    for (int i = 0; i < 10; ++i) candidates.push_back({0, i, true, reward});
    for (const char* weigh : {"mean", "leave_one_out", "standardised"}) {
      spec_["weigh"] = weigh;
      select(candidates);
      for (const auto& row : samples_) EXPECT_EQ(row.value("weight", 1.0), 0) << weigh << " of " << reward;
    }
  }
}

TEST_F(Select, WhatIsWeighedIsKeptWhole) {
  spec_["keep"] = 0, spec_["min_reward"] = 0;
  spec_["reward"]["formula"] = {{"params", {"c"}},
                                {"body", {{"member", {{"name", "c"}}}, {"name", "speedup"}}}};
  // Rewards 1, 0, 0.5 of one task and 0.25 of the other.
  const std::vector<SampledAnswer> candidates = {
      {0, 2, true, 0.5}, {0, 0, true, 1}, {1, 0, true, 0.25}, {0, 1, false, 0, "full"}};
  const auto weights = [&](const char* weigh) {
    spec_["weigh"] = weigh;
    EXPECT_EQ(select(candidates), (Kept{{0, 0}, {0, 1}, {0, 2}, {1, 0}})) << weigh;
    std::vector<double> found;
    for (const auto& row : samples_) found.push_back(row.value("weight", 1.0));
    return found;
  };
  EXPECT_EQ(weights("reward"), (std::vector<double>{1, 0, 0.5, 0.25}));
  EXPECT_EQ(weights("mean"), (std::vector<double>{0.5, -0.5, 0, 0})) << "an answer alone is its own mean";
  EXPECT_EQ(weights("leave_one_out"), (std::vector<double>{0.75, -0.75, 0, 0.25}))
      << "an answer alone has no others to compare with";
  const double deviation = std::sqrt((0.25 + 0.25 + 0) / 2) + 1e-4;
  EXPECT_EQ(weights("standardised"), (std::vector<double>{0.5 / deviation, -0.5 / deviation, 0, 0}));
  spec_["temperature"] = 0.5;
  EXPECT_EQ(weights("exponential"), (std::vector<double>{1, std::exp(-2.0), std::exp(-1.0), std::exp(-1.5)}));
  spec_.erase("temperature");
  EXPECT_EQ(summary_["kept"], 4);
  spec_["weigh"] = "none", spec_["keep"] = 1;
  EXPECT_EQ(select(candidates), (Kept{{0, 0}, {1, 0}}));
  EXPECT_FALSE(samples_.front().contains("weight"))
      << "what was made before there were weights stays as it was";
}

// The weights are those among all answers to the task.
TEST_F(Select, TheBestAnswersCanBeKeptAndWeighed) {
  spec_["keep"] = 2, spec_["min_reward"] = 0, spec_["weigh"] = "mean";
  spec_["reward"]["formula"] = {{"params", {"c"}},
                                {"body", {{"member", {{"name", "c"}}}, {"name", "speedup"}}}};
  EXPECT_EQ(select({{0, 0, true, 1}, {0, 1, true, 0.25}, {0, 2, true, 0.75}, {1, 0, true, 0.5}}),
            (Kept{{0, 0}, {0, 2}, {1, 0}}));
  ASSERT_EQ(samples_.size(), 3u);
  const double mean = (1 + 0.25 + 0.75) / 3;
  EXPECT_DOUBLE_EQ(samples_[0].at("weight"), 1 - mean);
  EXPECT_DOUBLE_EQ(samples_[1].at("weight"), 0.75 - mean);
  EXPECT_EQ(samples_[2].at("weight"), 0) << "an answer alone is its own mean";
}

// Episodes of random length and reward against the formula as it is published, written out without the
// stage's sums.
TEST_F(Select, AnEpisodesAnswersCountByTheirReturnsAmongThoseOfTheSameTurn) {
  RandomStream random("episodes");
  for (int study = 0; study < 20; ++study) {
    const int turns = 1 + static_cast<int>(random.below(4)), episodes = 1 + static_cast<int>(random.below(7));
    const double discount = study % 5 == 0 ? 1 : random.uniform();
    struct Turn {
      int episode, turn;
      double reward;
    };
    std::vector<Turn> all;
    std::vector<std::vector<SampledAnswer>> sampled(static_cast<std::size_t>(turns));
    for (int episode = 0; episode < episodes; ++episode)
      for (int turn = 1; turn <= turns; ++turn) {
        const double reward = random.below(3) == 0 ? 0 : random.uniform();
        all.push_back({episode, turn, reward});
        sampled[static_cast<std::size_t>(turn) - 1].push_back(
            {0, episode, true, reward, nullptr, "a" + std::to_string(episode) + std::to_string(turn)});
        if (random.below(3) == 0) break;
      }
    const auto returned = [&](const Turn& one) {
      double sum = 0;
      for (const auto& later : all)
        if (later.episode == one.episode && later.turn >= one.turn)
          sum += std::pow(discount, later.turn - one.turn) * later.reward;
      return sum;
    };
    spec_["reward"]["formula"] = {{"params", {"c"}},
                                  {"body", {{"member", {{"name", "c"}}}, {"name", "speedup"}}}};
    spec_["keep"] = 0, spec_["min_reward"] = 0, spec_["weigh"] = "leave_one_out";
    spec_["turns"] = turns, spec_["discount"] = discount, spec_["plan_reward"] = spec_["reward"];
    select_turns(sampled);
    ASSERT_EQ(samples_.size(), all.size());
    std::map<std::string, double> weights;
    for (const auto& row : samples_) {
      weights[row.at("answer")] = row.value("weight", 1.0);
      EXPECT_EQ(row.at("plan"), row.value("weight", 1.0)) << "plans have returns, too";
    }
    for (const auto& one : all) {
      double others = 0;
      int count = 0;
      for (const auto& other : all)
        if (other.turn == one.turn && other.episode != one.episode) others += returned(other), ++count;
      EXPECT_NEAR(weights.at("a" + std::to_string(one.episode) + std::to_string(one.turn)),
                  returned(one) - (count > 0 ? others / count : 0), 1e-12);
    }
    for (const auto& row : rewards_) {
      if (turns == 1) {
        EXPECT_FALSE(row.contains("returned"));
        EXPECT_FALSE(row.contains("turn"));
        continue;
      }
      const int turn = row.value("turn", 1);
      const auto one = std::find_if(all.begin(), all.end(), [&](const Turn& candidate) {
        return candidate.episode == row.at("sample") && candidate.turn == turn;
      });
      EXPECT_EQ(row.at("reward"), one->reward);
      EXPECT_NEAR(row.at("returned").get<double>(), returned(*one), 1e-12);
    }
  }
}

TEST_F(Select, TheBestAnswersOfAllTurnsAreKept) {
  spec_["turns"] = 2, spec_["keep"] = 2;
  const auto kept = select_turns({{{0, 0, false, 0, "full"}, {0, 1, true, 0.5}, {1, 0, false, 0, "full"}},
                                  {{0, 0, true, 0.9, nullptr, "mended"}, {1, 0, false, 0, "full"}}});
  EXPECT_EQ(kept, (Kept{{0, 0}, {0, 1}}));
  EXPECT_EQ(samples_.front()["answer"], "mended");
  EXPECT_EQ(samples_.front()["prompt"], "prompt of turn 2") << "each with the prompt to which it was given";
  EXPECT_DOUBLE_EQ(summary_["correct_after_1"], 1.0 / 3);
  EXPECT_DOUBLE_EQ(summary_["correct_after_2"], 2.0 / 3);
}

// Each reward's advantages are its own: a task whose answers all earn the same for their code may differ in
// plans.
TEST_F(Select, PlanAndCodeHaveAdvantagesOfTheirOwn) {
  const auto member = [](const char* name) {
    return json{{"formula", {{"params", {"c"}}, {"body", {{"member", {{"name", "c"}}}, {"name", name}}}}}};
  };
  const json truth = {
      {"formula",
       {{"params", {"v"}}, {"body", {{"if", {{{"member", {{"name", "v"}}}, {"name", "correct"}}, 1, 0}}}}}}};
  spec_["keep"] = 0, spec_["min_reward"] = 0, spec_["weigh"] = "mean";
  spec_["reward"] = truth, spec_["plan_reward"] = member("speedup");
  // Speed-ups 2, 1, 0 of one task; of the other one both are right, and equally fast.
  select({{0, 0, true, 2}, {0, 1, true, 1}, {0, 2, false, 0, "full"}, {1, 0, true, 1.5}, {1, 1, true, 1.5}});
  std::vector<double> code, plan;
  for (const auto& row : samples_)
    code.push_back(row.value("weight", 1.0)), plan.push_back(row.at("plan").get<double>());
  const std::vector<double> expected = {1.0 / 3, 1.0 / 3, -2.0 / 3, 0, 0};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(code.at(i), expected[i], 1e-12) << i;
  EXPECT_EQ(plan, (std::vector<double>{1, 0, -1, 0, 0}));
  EXPECT_EQ(summary_["mean_reward"], 0.8);
  EXPECT_EQ(summary_["mean_plan_reward"], (2 + 1 + 0 + 1.5 + 1.5) / 5);
  spec_["weigh"] = "standardised";
  select({{0, 0, true, 2}, {0, 1, true, 1}});
  EXPECT_EQ(samples_[0].value("weight", 1.0), 0) << "both are right";
  EXPECT_NEAR(samples_[0].at("plan").get<double>(), 0.5 / (std::sqrt(0.5) + 1e-4), 1e-12);
  spec_.erase("plan_reward");
  select({{0, 0, true, 2}, {0, 1, true, 1}});
  EXPECT_FALSE(samples_[0].contains("plan"));
  EXPECT_FALSE(summary_.contains("mean_plan_reward"));
}

// The rows of a pair follow each other, the right answer first; `kept` tells which candidates were used.
TEST_F(Select, PairsJoinARightAndAWrongAnswerOfATask) {
  spec_["weigh"] = "pairs", spec_["keep"] = 2;
  std::vector<SampledAnswer> candidates = {
      {0, 0, true, 0.5}, {0, 1, false, 0, "full"}, {0, 2, true, 1}, {1, 0, true, 1}, {1, 1, true, 1}};
  const Kept used = {{0, 2}, {0, 1}, {0, 0}};
  EXPECT_EQ(select(candidates), used) << "tasks whose answers are all right or all wrong give no pair";
  ASSERT_EQ(samples_.size(), 4u) << "the wrong answer is in both pairs";
  std::vector<std::pair<int, double>> found;
  for (const auto& row : samples_) found.emplace_back(row.at("pair"), row.value("weight", 1.0));
  EXPECT_EQ(found, (std::vector<std::pair<int, double>>{{0, 1}, {0, -1}, {1, 1}, {1, -1}}));
  EXPECT_EQ(samples_[1]["answer"], samples_[3]["answer"]);
  spec_["keep"] = 1;
  candidates[3].correct = candidates[4].correct = false;
  EXPECT_EQ(select(candidates), (Kept{{0, 2}, {0, 1}}));
}

TEST_F(Select, AnswersThatWereNotJudgedTeachNothingAndCountInNoMean) {
  spec_["keep"] = 4, spec_["min_reward"] = -1;
  std::vector<SampledAnswer> candidates = {{0, 0, true, 1}, {0, 1, true, 1}, {1, 0}, {1, 1}};
  candidates[2].judged = candidates[3].judged = false;
  EXPECT_EQ(select(candidates), (Kept{{0, 0}, {0, 1}}));
  EXPECT_EQ(summary_["mean_reward"], rewards_[0]["reward"]);
  EXPECT_FALSE(summary_["accuracy"].contains("level2")) << summary_.dump();
  candidates[0].judged = candidates[1].judged = false;
  EXPECT_TRUE(select(candidates).empty());
  EXPECT_TRUE(summary_["mean_reward"].is_null());
}

TEST_F(Select, TiesGoToTheFirstSample) {
  EXPECT_EQ(select({{0, 2, true, 1}, {0, 0, true, 2}, {0, 1, true, 3}}), (Kept{{0, 0}, {0, 1}}));
}

TEST_F(Select, NoiseOfTheTimerDisturbsWhoIsFastest) {
  std::vector<SampledAnswer> candidates;
  for (int i = 0; i < 400; ++i) candidates.push_back({0, i, true, 0.5});
  spec_["keep"] = 400, spec_["min_reward"] = 0;
  spec_["reward"]["formula"] = {{"params", {"c"}},
                                {"body", {{"member", {{"name", "c"}}}, {"name", "speedup"}}}};
  select(candidates);
  EXPECT_EQ(summary_["mean_reward"], 0.5) << "no noise";
  spec_["timing_noise"] = 0.15;
  const auto kept = select(candidates);
  // Measured times are right in the mean. A speed-up is the reciprocal of a time, and its mean is larger by
  // the factor (1 + cv²).
  EXPECT_NEAR(summary_["mean_reward"].get<double>(), 0.5 * (1 + 0.15 * 0.15), 0.5 * 0.15 * 4 / 20);
  EXPECT_NE(kept.front().second, 0);
  EXPECT_EQ(select(candidates), kept) << "the same draws every time";
}

TEST_F(Select, MinRewardIsExceededNotMet) {
  spec_["failing"] = {{"syntax", 0}, {"compile", 0.3}, {"tiny", 0.5}, {"full", 0.7}};
  EXPECT_EQ(select({{0, 0, false, 0, "tiny"}, {0, 1, false, 0, "full"}, {0, 2, false, 0, "compile"}}),
            (Kept{{0, 1}}));
  spec_["min_reward"] = 0.7;
  EXPECT_EQ(select({{0, 0, false, 0, "full"}}), Kept{});
}

TEST_F(Select, WithoutStagedEvaluationThereIsNoCredit) {
  EXPECT_EQ(select({{0, 0, false, 0, "full"}}), Kept{});
  EXPECT_EQ(summary_["mean_reward"], 0.0);
  EXPECT_EQ(summary_["tasks_without"], 2);
}

TEST_F(Select, MeanRewardIsOverAllCandidates) {
  select({{0, 0, true, 1}, {0, 1, false, 0, "syntax"}});
  EXPECT_DOUBLE_EQ(summary_["mean_reward"], 0.5);
}

TEST_F(Select, KeepByRandomIgnoresRewardAndMinReward) {
  spec_["keep_by"] = "random";
  std::vector<SampledAnswer> candidates;
  for (int n = 0; n < 8; ++n) candidates.push_back({0, n, n < 2, 1, n < 2 ? nullptr : "full"});
  const auto kept = select(candidates);
  EXPECT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept, select(candidates));
  spec_["seed"] = 2;
  const auto other = select(candidates);
  spec_["seed"] = 3;
  EXPECT_TRUE(kept != other || kept != select(candidates));
}

TEST_F(Select, IdenticalAnswersToATaskAreKeptOnceUnlessAllAreWanted) {
  const std::vector<SampledAnswer> candidates = {{0, 0, true, 1, nullptr, "same"},
                                                 {0, 1, true, 1, nullptr, "same"},
                                                 {0, 2, true, 1, nullptr, "other"},
                                                 {1, 0, true, 1, nullptr, "same"}};
  spec_["keep"] = 3;
  EXPECT_EQ(select(candidates), (Kept{{0, 0}, {0, 1}, {0, 2}, {1, 0}}));
  EXPECT_EQ(summary_["distinct"], 3) << "answers to different tasks are different";
  spec_["duplicates"] = "drop";
  EXPECT_EQ(select(candidates), (Kept{{0, 0}, {0, 2}, {1, 0}}));
  spec_["keep"] = 2;
  EXPECT_EQ(select(candidates), (Kept{{0, 0}, {0, 2}, {1, 0}})) << "a duplicate takes no place";
  spec_["keep_by"] = "random", spec_["keep"] = 3;
  EXPECT_EQ(select(candidates).size(), 3u);
}

// The control that keeps at random trains on as much as the filter would have, of the same candidates.
TEST_F(Select, ARandomChoiceCanBeMatchedToWhatTheRewardKeeps) {
  RandomStream random("matched selections");
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<SampledAnswer> candidates;
    for (int n = 0; n < 16; ++n)
      candidates.push_back({n / 8, n % 8, random.below(3) == 0, 1, "full", "", 1 + int(random.below(50))});
    const auto tokens_of = [&](const Kept& kept) {
      int sum = 0;
      for (const auto& [task, sample] : kept) sum += candidates[task * 8 + sample].tokens;
      return sum;
    };
    spec_["keep"] = 4, spec_["seed"] = trial, spec_["keep_by"] = "reward", spec_["match"] = "none";
    const auto filtered = select(candidates);
    spec_["keep_by"] = "random";
    const auto all = select(candidates);
    spec_["match"] = "samples";
    const auto matched = select(candidates);
    EXPECT_EQ(matched.size(), filtered.size());
    for (const auto& one : matched)
      EXPECT_NE(std::find(all.begin(), all.end(), one), all.end()) << "never more than `keep` of a task";
    spec_["match"] = "tokens";
    const int tokens = tokens_of(select(candidates));
    EXPECT_LE(tokens, tokens_of(filtered));
    if (tokens_of(all) >= tokens_of(filtered)) {
      EXPECT_GT(tokens, tokens_of(filtered) - 51) << "no other answer fits";
    }
  }
}

TEST_F(Select, AMatchedChoiceIsNotBiasedTowardsATask) {
  std::vector<SampledAnswer> candidates;
  for (int n = 0; n < 8; ++n) candidates.push_back({n / 4, n % 4, n == 0, 1, "full"});
  spec_["keep"] = 4, spec_["keep_by"] = "random", spec_["match"] = "samples";
  int of_first_task = 0;
  for (int seed = 0; seed < 400; ++seed) {
    spec_["seed"] = seed;
    const auto kept = select(candidates);
    ASSERT_EQ(kept.size(), 1u);
    of_first_task += kept[0].first == 0;
  }
  EXPECT_NEAR(of_first_task, 200, 50);
}

TEST_F(Select, SaysWhichAnswersWereCutOff) {
  select({{0, 0, true, 1, nullptr, "", 9, "length"}, {1, 0, true, 1}});
  ASSERT_EQ(samples_.size(), 2u);
  EXPECT_EQ(samples_[0].at("finish"), "length");
  EXPECT_FALSE(samples_[1].contains("finish"));
  EXPECT_EQ(summary_["cut_off"], 1);
}

TEST_F(Select, WritesWhatFinetuningReads) {
  select({{1, 0, true, 1}});
  ASSERT_EQ(samples_.size(), 1u);
  EXPECT_EQ(samples_[0], (json{{"task", "t"},
                               {"group", "level1"},
                               {"key", "level2-1"},
                               {"prompt", "p"},
                               {"answer", "a0"},
                               {"flaw", nullptr}}));
}

TEST_F(Select, ARewardWithoutValueIsAnErrorThatShowsTheCandidate) {
  spec_["reward"] = json::parse(
      R"({"formula": {"params": ["c"], "body": {"op": "/", "args": [1, {"member": {"name": "c"}, "name": "speedup"}]}}})");
  EXPECT_THROW(select({{0, 0, false, 0, "full"}}), UserError);
}
