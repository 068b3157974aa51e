// What is read of a study while it is carried out, by a store that fills stage by stage.
#include <gtest/gtest.h>

#include <sstream>

#include "base/support/files.hpp"
#include "interpreter/live/state.hpp"
#include "interpreter/live/text_curves.hpp"
#include "interpreter/schedule/progress_file.hpp"
#include "interpreter/schedule/scheduler.hpp"
#include "interpreter/wrap.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/fake_stages.hpp"
#include "tests/interpreter/finished_study.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int steps = 40;

double loss_at(std::int64_t step) { return 1.0 / (1.0 + 0.1 * static_cast<double>(step)); }

/// A study whose stages `finetune` tell their losses.
struct Watched {
  explicit Watched(json resolved = small_study())
      : document(std::move(resolved)), store(write_secret(scratch.path / "store")) {
    write_model(scratch.path);
    plan = make_plan(document, "study", options(scratch.path));
  }
  /// Carries the whole study out; `between` is called before each stage of the worker.
  void carry_out(const std::function<void(const WorkerRequest&)>& between = {}) {
    FakeClient worker(store.secret());
    worker.before = [&](const WorkerRequest& request, const WorkerEvents& events) {
      if (between) between(request);
      for (int step = 0; step < steps && request.stage == "finetune"; ++step)
        events.metric("loss", step, loss_at(step));
    };
    std::ostringstream out;
    const auto clock = [time = 0.0]() mutable { return time += 1; };
    Progress progress(out, {}, clock);
    OneSeat seat(worker);
    interpreter::carry_out(
        plan, store, seat, progress, [] { return false; }, clock);
  }
  Scratch scratch;
  json document;
  StoreWriter store;
  Plan plan;
};

/// A study of two rounds with two seeds, carried out once.
json two_seeds() {
  auto document = small_study();
  document["experiments"]["study"]["seeds"] = {1, 2};
  document["experiments"]["study"]["train"][1]["rounds"] = 2;
  return document;
}
Watched& carried_out() {
  static Watched watched(two_seeds());
  static const bool once = (watched.carry_out(), true);
  (void)once;
  return watched;
}

std::map<std::string, json> parts_of(const Watched& watched) {
  LiveStudy study(watched.document, watched.plan, watched.store);
  study.look();
  return study.parts({});
}

TEST(LiveStudy, IsTheSameWhetherItIsReadAtOnceOrStageByStage) {
  Watched watched;
  LiveStudy study(watched.document, watched.plan, watched.store);
  std::size_t looks = 0, last = 0;
  watched.carry_out([&](const WorkerRequest&) {
    looks += study.look();
    EXPECT_GE(study.done(), last);
    last = study.done();
    study.parts({});
  });
  EXPECT_GT(looks, 5u);
  study.look();
  EXPECT_TRUE(study.finished());
  EXPECT_FALSE(study.look()) << "nothing is read twice";
  auto incremental = study.parts({}), whole = parts_of(watched);
  // The last refused answers are those of the stages that were new at the last looks.
  incremental.erase("refused"), whole.erase("refused");
  EXPECT_EQ(json(incremental).dump(), json(whole).dump());
}

TEST(LiveStudy, TellsStagesCurvesAndVerdicts) {
  auto& watched = carried_out();
  const auto parts = parts_of(watched);
  const auto& progress = parts.at("progress");
  EXPECT_EQ(progress.at("done"), watched.plan.stages.size());
  EXPECT_EQ(progress.at("seconds_left"), 0);
  const auto& plan = parts.at("plan");
  ASSERT_EQ(plan.at("chains").size(), progress.at("states").size());
  for (std::size_t i = 0; i < plan["chains"].size(); ++i) {
    const auto slots = plan["pipelines"][plan["chains"][i]["pipeline"].get<std::size_t>()].size();
    EXPECT_EQ(progress["states"][i], std::string(slots, '#'));
  }
  const auto& loss = parts.at("curve reinforce/finetune/loss");
  EXPECT_EQ(loss.at("title"), "loss");
  EXPECT_FALSE(loss.at("by_round").get<bool>());
  const auto& line = loss.at("lines").at(0);
  ASSERT_EQ(line.at("at").size(), 2u * steps) << "two rounds, one behind the other";
  EXPECT_DOUBLE_EQ(line["mean"][0], loss_at(0));
  EXPECT_NEAR(line["mean"][steps + 1], loss_at(1), 1e-4);
  EXPECT_EQ(line["seeds"][0], 2);
  const auto& correct = parts.at("curve reinforce/verify/correct");
  EXPECT_TRUE(correct.at("by_round").get<bool>());
  EXPECT_EQ(correct.at("unit"), "share");
  EXPECT_EQ(correct.at("lines").at(0).at("at"), json({1.0, 2.0}));
  EXPECT_TRUE(parts.contains("curve reinforce/select/mean_reward"));
  const auto& answers = parts.at("answers");
  int all = 0;
  for (const auto& one : answers.at("classes")) all += one.at("count").get<int>();
  EXPECT_EQ(all, answers.at("judged"));
  EXPECT_GT(all, 0);
  EXPECT_GT(answers.at("tokens_per_second"), 0);
  EXPECT_GT(answers.at("candidates_per_second"), 0);
}

TEST(LiveStudy, RowsOfOneTrainingAreOneLine) {
  auto document = small_study();
  Watched watched(document);
  watched.carry_out();
  const auto parts = parts_of(watched);
  std::size_t rows = 0;
  for (const auto& line : parts.at("curve imitate/finetune/loss").at("lines")) rows += line.at("rows").size();
  EXPECT_EQ(parts.at("curve imitate/finetune/loss").at("lines").size(), 1u)
      << "every row goes on from one imitation";
  EXPECT_GT(rows, 1u);
}

TEST(LiveStudy, GoesOnInAStageThatRuns) {
  Watched watched;
  LiveStudy study(watched.document, watched.plan, watched.store);
  const auto training = std::find_if(watched.plan.stages.begin(), watched.plan.stages.end(),
                                     [](const Stage& stage) { return stage.kind == "finetune"; });
  ASSERT_NE(training, watched.plan.stages.end());
  std::ostringstream out;
  double now = 0;
  Progress progress(out, {.quiet = true}, [&] { return now; });
  const ProgressFile file(watched.store.root(), 1);
  progress.observe([&](const ProgressSnapshot& snapshot) { file.write(snapshot); });
  progress.begin(1, 9, training->slot, 100, {}, training->key);
  for (int step = 0; step < 500; ++step) progress.metric("loss", loss_at(step), 0, step);
  progress.metric("gradient_norm", 3, 0, 1);
  now = 2;
  progress.update(500, 1000, "steps");
  const auto told = read_progress(watched.store.root(), 1, ::getpid());
  ASSERT_TRUE(told);
  EXPECT_EQ(told->at("curves").size(), 1u) << "of the metrics that are curves";
  study.look();
  const auto parts = study.parts({{training->key, *told}});
  const auto& line = parts.at("curve imitate/finetune/loss").at("lines").at(0);
  EXPECT_EQ(line.at("at").size(), 125u);
  EXPECT_NEAR(line.at("mean").at(0), (loss_at(0) + loss_at(1) + loss_at(2) + loss_at(3)) / 4, 1e-4);
  EXPECT_EQ(parts.at("progress").at("seconds_left"), 98) << "the run's own forecast";
  EXPECT_TRUE(has(parts.at("progress").at("states").dump(), ">"));
}

// A stage is tried again after a crash. A worker may count its steps from any number.
TEST(LiveStudy, CurvesAreThoseOfTheAttemptThatIsCommitted) {
  for (const int first : {0, 1}) {
    Watched watched;
    FakeClient worker(watched.store.secret());
    std::string crashed;
    int told = 0;
    worker.before = [&](const WorkerRequest& request, const WorkerEvents& events) {
      if (request.stage != "finetune") return;
      if (crashed.empty()) {
        crashed = request.checkpoint->key;
        for (int step = first; step < first + 8; ++step) events.metric("loss", step, 1);
        throw WorkerCrashed("trl-worker was killed by signal 9 (Killed)", "");
      }
      for (int step = first; step < first + 4; ++step) events.metric("loss", step, 3);
      events.progress(4, 8, "steps");
      if (request.checkpoint->key != crashed) return;
      const auto progress = read_progress(watched.store.root(), 1, ::getpid());
      ASSERT_TRUE(progress);
      for (const auto& value : progress->at("curves").at("loss").at("values"))
        EXPECT_TRUE(value.is_null() || value == 3.0) << progress->dump();
      LiveStudy study(watched.document, watched.plan, watched.store);
      study.look();
      const auto parts = study.parts({{crashed, *progress}});
      EXPECT_EQ(parts.at("curve imitate/finetune/loss").at("lines").at(0).at("mean"),
                json({3.0, 3.0, 3.0, 3.0}))
          << "while it runs";
      ++told;
    };
    std::ostringstream out;
    const auto clock = [time = 0.0]() mutable { return time += 1; };
    Progress progress(out, {.quiet = true}, clock);
    const ProgressFile file(watched.store.root(), 1);
    progress.observe([&](const ProgressSnapshot& snapshot) { file.write(snapshot); });
    OneSeat seat(worker);
    interpreter::carry_out(
        watched.plan, watched.store, seat, progress, [] { return false; }, clock);
    EXPECT_EQ(told, 1);
    const auto parts = parts_of(watched);
    EXPECT_EQ(parts.at("curve imitate/finetune/loss").at("lines").at(0).at("mean"),
              json({3.0, 3.0, 3.0, 3.0}))
        << "once it is stored";
  }
}

TEST(LiveStudy, HasHostileAnswersAsDataOfBoundedSize) {
  auto& watched = carried_out();
  const auto refused = parts_of(watched).at("refused");
  ASSERT_FALSE(refused.empty());
  EXPECT_LE(refused.size(), 8u);
  std::string all;
  for (const auto& one : refused) {
    EXPECT_TRUE(has(one.at("answer"), "<script>alert")) << "what the model wrote is what is shown";
    EXPECT_FALSE(one.at("reason").get<std::string>().empty());
    EXPECT_LE(one.at("answer").get<std::string>().size(), 4100u);
  }
}

TEST(LiveStudy, OfTwoThousandStagesIsSmall) {
  auto document = small_study();
  auto& seeds = document["experiments"]["study"]["seeds"];
  seeds = json::array();
  for (int seed = 1; seed <= 120; ++seed) seeds.push_back(seed);
  Watched watched(document);
  ASSERT_GT(watched.plan.stages.size(), 2000u);
  LiveStudy study(watched.document, watched.plan, watched.store);
  study.look();
  EXPECT_LT(json(study.parts({})).dump().size(), 200'000u);
}

TEST(LiveStudy, RowsWithTrainingOfOtherNamesShareACurve) {
  auto document = small_study();
  const auto with_unfiltered = study()["experiments"]["study"]["controls"];
  document["experiments"]["study"]["controls"] = with_unfiltered;
  Watched watched(document);
  watched.carry_out();
  LiveStudy study(watched.document, watched.plan, watched.store);
  study.look();
  std::size_t rewards = 0;
  for (const auto& series : study.series()) {
    if (series.measure->name != "mean_reward") continue;
    ++rewards;
    EXPECT_EQ(series.places, (std::vector<std::string>{"reinforce/select", "unfiltered/select"}));
    EXPECT_EQ(series.lines.size(), 3u) << "two cells and the control";
  }
  EXPECT_EQ(rewards, 1u);
}

TEST(LiveState, EndsWithARun) {
  auto& watched = carried_out();
  LiveState state(watched.document, {&watched.plan}, watched.store.root(), "study.trl");
  auto parts = state.look();
  EXPECT_EQ(parts.at("run").at("file"), "study.trl");
  EXPECT_TRUE(parts.at("run").at("ended").is_null());
  EXPECT_TRUE(parts.contains("0 plan"));
  state.end("stopped");
  parts = state.look();
  EXPECT_EQ(parts.at("run").at("ended"), "stopped");
  EXPECT_TRUE(parts.at("run").at("processes").empty());
}

TEST(TextCurves, FitATerminal) {
  auto& watched = carried_out();
  LiveStudy study(watched.document, watched.plan, watched.store);
  study.look();
  for (const bool unicode : {true, false}) {
    const auto text = curves_text(study.series(), unicode);
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
      EXPECT_LE(display_width(line), 80u) << line;
      const bool plain =
          std::all_of(line.begin(), line.end(), [](const char c) { return c >= ' ' && c <= '~'; });
      EXPECT_TRUE(unicode || plain) << line;
    }
    EXPECT_LT(text.find("mean reward"), text.find("correct answers"));
    EXPECT_LT(text.find("correct answers"), text.find("loss (imitate"));
    EXPECT_FALSE(has(text, "\x1b")) << "colours are for others";
  }
}

TEST(TextCurves, ShowEachRowOnTheSeriesScale) {
  LiveSeries series;
  series.name = "reinforce/select/mean_reward", series.places = {"reinforce/select"}, series.by_round = true;
  series.measure = contract::measure_called("mean_reward", "select", false);
  Curve rising, flat, other;
  for (int round = 1; round <= 8; ++round) rising.add(round, round), flat.add(round, 1), other.add(round, 3);
  series.lines.push_back({{"inputs"}, false, Curve::band(std::vector<Curve>{rising})});
  series.lines.push_back({{"none", "control"}, false, Curve::band(std::vector<Curve>{flat, other})});
  EXPECT_EQ(curves_text({series}, true),
            "mean reward (reinforce/select), round 1 to 8\n"
            "  inputs               ▁▁▂▂▂▂▃▃▃▃▄▄▄▄▅▅▅▅▆▆▆▆▇▇▇▇██  8\n"
            "  none (+1)            ▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂▂  2  1 to 3\n");
  EXPECT_EQ(curves_text({series}, false),
            "mean reward (reinforce/select), round 1 to 8\n"
            "  inputs               1 ->                          8\n"
            "  none (+1)            2 ->                          2  1 to 3\n");
}

TEST(TextCurves, OfASingleRoundAreDotsWithTheRangeOfTheSeeds) {
  LiveSeries series;
  series.name = "reinforce/select/mean_reward", series.places = {"reinforce/select"}, series.by_round = true;
  series.measure = contract::measure_called("mean_reward", "select", false);
  Curve low, high, other;
  low.add(1, 0), high.add(1, 2), other.add(1, 3);
  series.lines.push_back({{"inputs"}, false, Curve::band(std::vector<Curve>{low, high})});
  series.lines.push_back({{"none"}, false, Curve::band(std::vector<Curve>{other})});
  EXPECT_EQ(curves_text({series}, true),
            "mean reward (reinforce/select), round 1\n"
            "  inputs               ─────────●─────────           1  0 to 2\n"
            "  none                                            ●  3\n");
  EXPECT_EQ(curves_text({series}, false),
            "mean reward (reinforce/select), round 1\n"
            "  inputs                                             1  0 to 2\n"
            "  none                                               3\n");
}

}  // namespace
