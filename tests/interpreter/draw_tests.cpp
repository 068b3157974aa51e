#include <gtest/gtest.h>

#include <set>

#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "base/support/json_text.hpp"
#include "interpreter/files.hpp"
#include "interpreter/local/apportion.hpp"
#include "interpreter/local/local_stage.hpp"
#include "interpreter/stage/stage.hpp"
#include "tests/interpreter/fixture.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using nlohmann::json;

TEST(Apportion, GivesLargestRemaindersFirst) {
  EXPECT_EQ(apportion({0.4, 0.6}, 16, {40, 60}), (std::vector<int>{6, 10}));  // 6.4, 9.6
  EXPECT_EQ(apportion({1, 1, 1}, 10, {9, 9, 9}), (std::vector<int>{4, 3, 3}));
  EXPECT_EQ(apportion({0.1, 0.2, 0.7}, 10, {9, 9, 9}), (std::vector<int>{1, 2, 7}));
}

TEST(Apportion, HandsOverWhatAGroupCannotTake) {
  EXPECT_EQ(apportion({0.9, 0.1}, 10, {3, 20}), (std::vector<int>{3, 7}));
  EXPECT_EQ(apportion({0.5, 0.5, 0}, 10, {3, 4, 20}), (std::vector<int>{3, 4, 0}));
  EXPECT_EQ(apportion({1, 1}, 0, {3, 4}), (std::vector<int>{0, 0}));
  EXPECT_EQ(apportion({0, 0}, 5, {3, 4}), (std::vector<int>{0, 0}));
}

namespace {

json pool() {
  auto pool = json::array();
  for (int id = 1; id <= 4; ++id) pool.push_back(task("level1", id));
  for (int id = 1; id <= 6; ++id) pool.push_back(task("level2", id));
  return pool;
}

class Draw : public ::testing::Test {
 protected:
  std::vector<std::string> draw(const json& spec, std::map<std::string, Result> inputs = {}) {
    const auto output = scratch_.path / ("draw" + std::to_string(++count_));
    std::filesystem::create_directory(output);
    summary_ = run_draw({spec, inputs, output});
    describe_result(output, {{"key", output.filename()}});
    folder_ = output;
    std::vector<std::string> keys;
    for (const auto& drawn : read_json(output / "tasks.json")) keys.push_back(drawn.at("key"));
    return keys;
  }
  /// A verify stage's folder in which `correct` of `all` candidates of each group are correct.
  std::map<std::string, Result> measured(std::map<std::string, std::pair<int, int>> groups) {
    const auto folder = scratch_.path / ("verdicts" + std::to_string(++count_));
    std::filesystem::create_directory(folder);
    auto tasks = json::array();
    std::vector<json> verdicts;
    for (const auto& [group, count] : groups) {
      for (int n = 0; n < count.second; ++n)
        verdicts.push_back({{"task", tasks.size()}, {"sample", n}, {"correct", n < count.first}});
      tasks.push_back(task(group, 1));
    }
    write_text(folder / "tasks.json", tasks.dump());
    write_json_lines(folder / "verdicts.jsonl", verdicts);
    write_text(folder / "accuracy.json", "{}");
    describe_result(folder, {{"key", folder.filename()}});
    const Result result(folder);
    return {{"verdicts", result}, {"tasks", result}, {"previous", result}};
  }
  static int of(const std::vector<std::string>& keys, const std::string& group) {
    return static_cast<int>(
        std::count_if(keys.begin(), keys.end(), [&](auto& key) { return key.starts_with(group); }));
  }
  json spec(int round = 1, int count = 5) const {
    return {{"seed", 1}, {"round", round}, {"count", count}, {"pool", pool()}};
  }
  json paced(int round = 1, int count = 5) const {
    auto with = spec(round, count);
    with["share"] = study()["experiments"]["study"]["vary"]["args"][2]["share"];
    return with;
  }

  Scratch scratch_;
  json summary_;
  std::filesystem::path folder_;
  int count_ = 0;
};

}  // namespace

TEST_F(Draw, IsInProportionToThePoolsAndWithoutRepetition) {
  const auto keys = draw(spec());
  EXPECT_EQ(keys.size(), 5u);
  EXPECT_EQ(of(keys, "level1"), 2);
  EXPECT_EQ(of(keys, "level2"), 3);
  EXPECT_EQ(std::set<std::string>(keys.begin(), keys.end()).size(), 5u);
}

TEST_F(Draw, DependsOnSeedAndRoundAlone) {
  EXPECT_EQ(draw(spec(1)), draw(spec(1)));
  EXPECT_NE(draw(spec(1)), draw(spec(2)));
  auto other = spec(1);
  other["seed"] = 2;
  EXPECT_NE(draw(spec(1)), draw(other));
}

TEST_F(Draw, SharesFollowAccuracy) {
  // 0.1 + 0.4 · min(accuracy / 0.4, 1) is 10 % for no correct answers, and 50 % for 40 % or more.
  EXPECT_EQ(of(draw(paced(1, 4), measured({{"level1", {0, 10}}})), "level2"), 0);
  EXPECT_EQ(of(draw(paced(1, 4), measured({{"level1", {2, 10}}})), "level2"), 1);
  EXPECT_EQ(of(draw(paced(1, 4), measured({{"level1", {4, 10}}})), "level2"), 2);
  EXPECT_EQ(of(draw(paced(1, 4), measured({{"level1", {9, 10}}})), "level2"), 2);
  EXPECT_DOUBLE_EQ(summary_["shares"]["level2"], 0.5);
  EXPECT_DOUBLE_EQ(summary_["accuracy"]["level1"], 0.9);
}

TEST_F(Draw, AnswersThatWereNotJudgedChangeNoAccuracy) {
  auto inputs = measured({{"level1", {2, 4}}, {"level2", {1, 10}}});
  const auto folder = inputs.at("verdicts").folder();
  auto verdicts = read_json_lines(folder / "verdicts.jsonl");
  verdicts[2]["reason"] = verdicts[3]["reason"] = "not_judged";
  write_json_lines(folder / "verdicts.jsonl", verdicts);
  describe_result(folder, {{"key", folder.filename()}});
  const Result result(folder);
  draw(paced(), {{"verdicts", result}, {"tasks", result}, {"previous", result}});
  EXPECT_DOUBLE_EQ(summary_["accuracy"]["level1"], 1);
}

TEST_F(Draw, OtherCountsDrawTheSameTasksFirst) {
  const auto few = draw(paced(1, 4), measured({{"level1", {0, 10}}})),
             many = draw(paced(1, 4), measured({{"level1", {9, 10}}}));
  EXPECT_EQ(few[0], many[0]);
  EXPECT_EQ(few[1], many[1]);
}

TEST_F(Draw, AGroupWithoutCandidatesKeepsItsLastAccuracy) {
  draw(paced(), measured({{"level1", {2, 10}}, {"level2", {1, 10}}}));
  const auto first = folder_;
  auto inputs = measured({{"level2", {5, 10}}});
  inputs.insert_or_assign("previous", Result(first));
  draw(paced(2), inputs);
  EXPECT_DOUBLE_EQ(summary_["accuracy"]["level1"], 0.2);
  EXPECT_DOUBLE_EQ(summary_["accuracy"]["level2"], 0.5);
}

TEST_F(Draw, MeasuringTakesARoundOfEachGroupAskedFor) {
  auto each = spec(0, 3);
  each["each"] = {"level1"};
  const auto keys = draw(each);
  EXPECT_EQ(of(keys, "level1"), 3);
  EXPECT_EQ(of(keys, "level2"), 0);
}

TEST_F(Draw, AnAccuracyThatWasNeverMeasuredIsAnError) { EXPECT_THROW(draw(paced()), UserError); }
