#include "interpreter/schedule/forecast.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "base/support/files.hpp"
#include "interpreter/plan/finished.hpp"
#include "interpreter/schedule/progress_file.hpp"
#include "interpreter/schedule/study_status.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/finished_study.hpp"
#include "tests/support/scratch.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;

namespace {

Stage stage_at(const std::string& kind, const std::string& slot) {
  Stage stage;
  stage.kind = kind, stage.slot = slot, stage.key = kind + slot;
  return stage;
}

}  // namespace

TEST(Forecast, IsTheMeanOfTheSamePlaceInOtherRowsAndSeeds) {
  const test::Scratch folder;
  const Plan plan;
  Forecast forecast(plan, Store(folder.path));
  const auto next = stage_at("sample", "inputs/seed 2/round 7/sample");
  EXPECT_FALSE(forecast.seconds(next));
  forecast.add(stage_at("sample", "none/seed 1/exam/sample"), 100);
  EXPECT_EQ(forecast.seconds(next), 100) << "only the kind is known";
  forecast.add(stage_at("sample", "none/seed 1/round 1/sample"), 10);
  forecast.add(stage_at("sample", "none/seed 2/round 12/sample"), 20);
  EXPECT_EQ(forecast.seconds(next), 15);
  const auto exam = stage_at("sample", "inputs/seed 2/exam/sample"),
             unknown = stage_at("pretrain", "inputs/seed 2/pretrain");
  const Stage* both[] = {&next, &exam};
  EXPECT_EQ(forecast.seconds(both), 115);
  const Stage* with_unknown[] = {&next, &unknown};
  EXPECT_FALSE(forecast.seconds(with_unknown));
  std::vector<const Stage*> mostly(19, &next);
  mostly.push_back(&unknown);
  EXPECT_DOUBLE_EQ(*forecast.seconds(mostly), 300) << "what isn't known counts as the mean of the others";
}

// Two samples a task take twice as long as one, and three epochs three times as long.
TEST(Forecast, GoesByTheWorkOfAStage) {
  auto& run = finished_study();
  const auto doubled = [&](const char* kind, auto change) {
    const auto stage = std::find_if(run.plan.stages.begin(), run.plan.stages.end(), [&](const Stage& s) {
      return s.kind == kind && s.slot.find("exam") == s.slot.npos;
    });
    if (stage == run.plan.stages.end()) return 0.0;
    Stage more = *stage;
    more.key += "+", change(more.spec);
    Forecast forecast(run.plan);
    forecast.add_stored(*stage, 10);
    return forecast.seconds(more).value_or(0);
  };
  EXPECT_DOUBLE_EQ(
      doubled("sample", [](nlohmann::json& spec) { spec["samples"] = 2 * spec["samples"].get<int>(); }), 20);
  EXPECT_DOUBLE_EQ(
      doubled("finetune", [](nlohmann::json& spec) { spec["epochs"] = 3 * spec["epochs"].get<int>(); }), 30);
}

// `trl status --watch` looks every two seconds.
TEST(StudyStatus, ReadsEachResultOnce) {
  auto& run = finished_study();
  const test::Scratch folder;
  const auto copied = folder.path / "store";
  std::filesystem::copy(run.store.root(), copied, std::filesystem::copy_options::recursive);
  const Store store(copied);
  const auto& last = run.plan.stages.back();
  std::filesystem::rename(store.folder(last.key), folder.path / "last");
  StudyStatus status(run.plan);
  const auto before = status.look(store);
  EXPECT_EQ(before.at("done"), run.plan.stages.size() - 1);
  EXPECT_EQ(before.at("to_do"), nlohmann::json({last.slot}));
  EXPECT_TRUE(before.at("seconds_left").is_number()) << before.dump();
  EXPECT_EQ(before.at("seconds_left"), StudyStatus(run.plan).look(store).at("seconds_left"));
  // Results that change where they lie aren't read again, but those that come and go are seen.
  for (const auto& stage : run.plan.stages)
    if (store.has(stage.key)) write_text(store.folder(stage.key) / "stage.json", "{}");
  EXPECT_EQ(status.look(store), before);
  std::filesystem::rename(folder.path / "last", store.folder(last.key));
  const auto now = status.look(store);
  EXPECT_EQ(now.at("done"), run.plan.stages.size());
  EXPECT_EQ(now.at("seconds_left"), 0);
  EXPECT_TRUE(now.at("to_do").empty());
  std::filesystem::remove_all(store.folder(last.key));
  EXPECT_EQ(status.look(store).at("to_do"), before.at("to_do"));
}

TEST(Forecast, OfStoredStagesGivesWayToThoseMadeHere) {
  auto& run = finished_study();
  Forecast forecast(run.plan, run.store);
  const auto& stage = run.plan.stages.front();
  const auto before = forecast.seconds(stage);
  ASSERT_TRUE(before);
  forecast.add(stage, 1000);
  EXPECT_EQ(forecast.seconds(stage), 1000);
  forecast.add(stage, 2000);
  EXPECT_EQ(forecast.seconds(stage), 1500);
}

TEST(Forecast, OfAPlanGoesByAnswersOfItsModelInTheStore) {
  auto& run = finished_study();
  const Experience measured = experience_in(run.store, run.plan);
  ASSERT_FALSE(measured.sampled.empty());
  EXPECT_GT(measured.sampled.front().answers, 0);
  EXPECT_GT(measured.sampled.front().tokens, measured.sampled.front().answers);
  Plan other = run.plan;
  other.models.clear();
  EXPECT_TRUE(experience_in(run.store, other).sampled.empty()) << "answers of another model tell nothing";
  const test::Scratch empty;
  EXPECT_TRUE(experience_in(Store(empty.path), run.plan).sampled.empty());
}

TEST(Progress, SaysWhenTheRunEnds) {
  std::ostringstream out;
  double now = 0;
  Progress progress(out, {.terminal = true, .colour = false, .width = 120, .quiet = false},
                    [&] { return now; });
  std::vector<ProgressSnapshot> told;
  progress.observe([&](const ProgressSnapshot& snapshot) { told.push_back(snapshot); });
  progress.begin(3, 9, "none/seed 1/exam/sample", 100);
  EXPECT_TRUE(has(out.str(), "[3/9, 1 min 40 s left]")) << out.str();
  ASSERT_EQ(told.size(), 1u) << "it tells when a stage begins, and no more than once a second";
  progress.update(1, 4, "candidates");
  ASSERT_EQ(told.size(), 1u);
  now = 30;
  progress.update(3, 4, "candidates");
  EXPECT_TRUE(has(out.str(), "[3/9, 1 min 10 s left]")) << out.str();
  EXPECT_TRUE(has(out.str(), "3/4 candidates, 0.1/s, 10 s left")) << out.str();
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[1].stage, "none/seed 1/exam/sample");
  EXPECT_DOUBLE_EQ(*told[1].left, 10);
  EXPECT_DOUBLE_EQ(*told[1].run_left, 70);
}

TEST(Progress, OfAQuietRunShowsErrorsAlone) {
  std::ostringstream out;
  double now = 0;
  Progress progress(out, {.terminal = false, .colour = false, .width = 80, .quiet = true},
                    [&] { return now; });
  progress.begin(1, 2, "a");
  now = 100;
  progress.update(1, 2, "steps");
  progress.finish("done");
  EXPECT_EQ(out.str(), "");
  progress.say("trl: a crashed; trying again");
  EXPECT_EQ(out.str(), "trl: a crashed; trying again\n");
}

TEST(ProgressFile, IsReadForItsOwnProcessAndGoesWithIt) {
  const test::Scratch folder;
  std::filesystem::create_directory(folder.path / "running");
  {
    const ProgressFile file(folder.path, 1);
    EXPECT_FALSE(read_progress(folder.path, 1, ::getpid()));
    ProgressSnapshot snapshot;
    snapshot.number = 2, snapshot.total = 5, snapshot.stage = "a/b", snapshot.done = 1, snapshot.all = 4;
    file.write(snapshot);
    const auto read = read_progress(folder.path, 1, ::getpid());
    ASSERT_TRUE(read);
    EXPECT_EQ((*read)["stage"], "a/b");
    EXPECT_EQ((*read)["all"], 4);
    EXPECT_TRUE((*read)["run_left"].is_null());
    EXPECT_FALSE(read_progress(folder.path, 1, ::getpid() + 1)) << "another process may have been killed";
  }
  EXPECT_FALSE(read_progress(folder.path, 1, ::getpid()));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path / "running"));
  const ProgressFile nowhere(folder.path / "missing", 1);
  nowhere.write({});  // Nothing happens.
}
