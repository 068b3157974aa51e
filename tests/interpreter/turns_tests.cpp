// Episodes of several turns: their stages, their cost, and what reports say of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "interpreter/files.hpp"
#include "interpreter/plan/cost.hpp"
#include "interpreter/report/candidate.hpp"
#include "interpreter/report/series.hpp"
#include "interpreter/schedule/scheduler.hpp"
#include "tests/interpreter/fake_stages.hpp"
#include "tests/interpreter/finished_study.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using nlohmann::json;

namespace {

constexpr const char* feedback = "{task} after {answer}";

/// The small study with episodes of some turns, in training and in its exam.
json turned(int training, int exam) {
  auto document = small_study();
  auto& experiment = document["experiments"]["study"];
  experiment["controls"] = json::array();
  experiment["train"][1]["turns"] = training, experiment["train"][1]["feedback"] = feedback;
  experiment["evaluate"]["turns"] = exam, experiment["evaluate"]["feedback"] = feedback;
  return document;
}

class TurnsTest : public ::testing::Test {
 protected:
  TurnsTest() { write_model(home_.path); }
  Plan plan(const json& document) { return make_plan(document, "study", options(home_.path)); }
  Scratch home_;
};

FinishedStudy& finished() {
  static FinishedStudy study(turned(3, 3));
  return study;
}

}  // namespace

TEST_F(TurnsTest, ATurnIsSamplingAndVerifyingFromTheLastOnesVerdicts) {
  const auto one = plan(turned(1, 1)), three = plan(turned(3, 3));
  const auto& trace = three.rows[0].traces[0];
  const auto& round = trace.rounds[0];
  ASSERT_EQ(round.later.size(), 2u);
  ASSERT_EQ(trace.exam_later.size(), 2u);
  EXPECT_EQ(one.rows[0].traces[0].rounds[0].sample, round.sample)
      << "first turns are shared with single answers";
  EXPECT_FALSE(three.find(round.sample)->spec.contains("feedback"));
  std::string sample = round.sample, verify = round.verify;
  for (int turn = 2; turn <= 3; ++turn) {
    const auto& [its_sample, its_verify] = round.later[static_cast<std::size_t>(turn) - 2];
    const auto* stage = three.find(its_sample);
    EXPECT_EQ(stage->spec["turn"], turn);
    EXPECT_EQ(stage->spec["feedback"], feedback);
    EXPECT_EQ(stage->inputs.at("candidates"), sample);
    EXPECT_EQ(stage->inputs.at("verdicts"), verify);
    EXPECT_EQ(stage->inputs.at("tasks"), round.draw);
    EXPECT_EQ(three.find(round.select)->inputs.at("verdicts_" + std::to_string(turn)), its_verify);
    EXPECT_TRUE(std::count(trace.training.begin(), trace.training.end(), its_sample)) << "paid for";
    EXPECT_TRUE(std::count(trace.training.begin(), trace.training.end(), its_verify)) << "paid for";
    sample = its_sample, verify = its_verify;
  }
  EXPECT_EQ(three.find(round.select)->spec["turns"], 3);
  EXPECT_FALSE(one.find(one.rows[0].traces[0].rounds[0].select)->spec.contains("turns"));
}

TEST_F(TurnsTest, OnlyWhatWeighsDiscounts) {
  const auto select = [&](const json& changes) {
    auto document = turned(2, 1);
    document["experiments"]["study"]["train"][1].update(changes);
    const auto made = plan(document);
    return made.find(made.rows[0].traces[0].rounds[0].select)->spec;
  };
  EXPECT_FALSE(select(json::object()).contains("discount"));
  const auto trloo =
      select({{"variant", "policy_gradient"}, {"baseline", "leave_one_out"}, {"discount", 0.4}});
  EXPECT_EQ(trloo["discount"], 0.4);
  EXPECT_EQ(trloo["weigh"], "leave_one_out");
  const auto grpo = select({{"variant", "grpo"},
                            {"baseline", "leave_one_out"},
                            {"standardised", true},
                            {"discount", 1},
                            {"clip_ratio", 0.2},
                            {"kl", 0},
                            {"mean_over", "answers"},
                            {"mismatch", "reject"},
                            {"mismatch_cap", 2}});
  EXPECT_FALSE(grpo.contains("discount")) << "1 is what was always done";
  EXPECT_EQ(grpo["weigh"], "leave_one_out");
  const auto single = [&](double discount) {
    auto document = turned(1, 1);
    document["experiments"]["study"]["train"][1].update(
        {{"variant", "policy_gradient"}, {"baseline", "mean"}, {"discount", discount}});
    return plan(document).rows[0].traces[0].rounds[0].select;
  };
  EXPECT_EQ(single(0.1), single(0.9)) << "an episode of one turn has nothing to discount";
}

TEST_F(TurnsTest, EveryTurnIsCounted) {
  const auto seconds = [&](int training, const char* kind) {
    auto document = turned(training, 1);
    auto& experiment = document["experiments"]["study"];
    experiment["train"][1].update({{"variant", "policy_gradient"}, {"baseline", "mean"}, {"discount", 1}});
    experiment["machine"] = {{"gpus", 1},         {"bandwidth", 1e12}, {"compute", 1e14},
                             {"efficiency", 0.5}, {"cores", 4},        {"verify", 1}};
    experiment["estimate"] = {{"weights", 1e9},
                              {"weight_bytes", 2e9},
                              {"cache_bytes_per_token", 1000},
                              {"peak_bytes", 1e10},
                              {"trained", 1e6}};
    auto made = plan(document);
    std::erase_if(made.stages, [&](const Stage& stage) {
      return stage.kind != kind || (stage.spec.contains("round") && stage.spec["round"] == 0) ||
             stage.slot.find("round") == std::string::npos || stage.slot.find("purity") != std::string::npos;
    });
    auto whole = plan(document);
    std::string why;
    double sum = 0;
    const auto all = cost_of(
        document, whole,
        [&](const Stage& stage) -> std::optional<double> {
          for (const auto& one : made.stages)
            if (one.key == stage.key) return std::nullopt;
          return 0.0;
        },
        {}, why);
    EXPECT_TRUE(all) << why;
    if (all) sum = all->to_do.at(kind).seconds;
    return sum;
  };
  for (const char* kind : {"verify", "finetune"}) {
    const double one = seconds(1, kind);
    EXPECT_GT(one, 0) << kind;
    EXPECT_DOUBLE_EQ(seconds(3, kind), 3 * one) << kind << ": each episode may come to its last turn";
  }
  EXPECT_DOUBLE_EQ(seconds(3, "sample"), 5 * seconds(1, "sample"))
      << "both cells share their first answers, and their verdicts differ";
}

TEST_F(TurnsTest, AnEpisodeEndsWithItsLastVerdict) {
  auto& study = finished();
  for (const auto& row : study.plan.rows) {
    const auto& trace = row.traces[0];
    std::map<std::pair<std::size_t, int>, std::pair<bool, int>> ended;  // right, in turn
    std::vector<std::string> verify = {trace.exam_verify};
    for (const auto& turn : trace.exam_later) verify.push_back(turn.verify);
    for (std::size_t turn = 0; turn < verify.size(); ++turn)
      for (const auto& line : study.store.result(verify[turn]).rows("verdicts.jsonl")) {
        const std::pair<std::size_t, int> episode(line.at("task"), line.at("sample"));
        EXPECT_TRUE(turn == 0 || !ended.at(episode).first) << "a right answer ends the episode";
        ended[episode] = {line.at("correct"), static_cast<int>(turn) + 1};
      }
    const auto& exam = study.evidence.exam(trace);
    ASSERT_EQ(exam.size(), ended.size());
    double last = 0;
    for (int turn = 1; turn <= 3; ++turn) {
      const auto column = parse_column({{"call", "correct_after"}, {"args", {turn}}});
      double sum = 0, weight = 0;
      for (const auto& part : parts_of(column, row, study.evidence)) {
        sum += part.sum, weight += part.weight;
        const auto& verdict = study.evidence.verdicts(part.stage).at(*part.verdict);
        EXPECT_EQ(part.task, verdict.task);
      }
      const auto right = std::count_if(ended.begin(), ended.end(), [&](const auto& one) {
        return one.second.first && one.second.second <= turn;
      });
      EXPECT_EQ(sum, double(right));
      EXPECT_EQ(weight, double(ended.size()));
      EXPECT_GE(sum, last);
      last = sum;
    }
    double correct = 0;
    for (const auto& part : parts_of(parse_column("correct"), row, study.evidence)) correct += part.sum;
    EXPECT_EQ(correct, last);
  }
}

TEST_F(TurnsTest, PurityIsOfTheKeptAnswersOfAllTurns) {
  auto& study = finished();
  std::set<std::string> sampled;
  for (const auto& row : study.plan.rows)
    for (const auto& round : row.traces[0].rounds) {
      const auto places = study.evidence.candidates(round.purity);
      const auto kept = study.store.result(round.select).rows("candidates.jsonl");
      ASSERT_EQ(places.size(), kept.size());
      for (std::size_t i = 0; i < kept.size(); ++i) {
        sampled.insert(places[i].stage);
        EXPECT_EQ(study.store.result(places[i].stage).rows("candidates.jsonl").at(places[i].row), kept[i]);
      }
    }
  EXPECT_GT(sampled.size(), study.plan.rows[0].traces[0].rounds.size()) << "some of a later turn";
}

TEST_F(TurnsTest, ACandidateKnowsItsEpisode) {
  auto& study = finished();
  const auto& round = study.plan.rows[0].traces[0].rounds[0];
  const auto mended = find_candidate(study.store, study.scratch.path, candidate_id(round.later[0].sample, 0));
  EXPECT_EQ(mended.turn, 2);
  ASSERT_FALSE(mended.rewards.empty());
  EXPECT_TRUE(mended.rewards[0].returned);
  EXPECT_EQ(mended.judgements.front().stage, round.later[0].verify);
  const auto first = find_candidate(study.store, study.scratch.path, mended.last);
  EXPECT_EQ(first.turn, 1);
  // Rows with other feedback go on from the same answer; which of them is named doesn't matter.
  EXPECT_EQ(find_candidate(study.store, study.scratch.path, first.next).last, mended.last);
  EXPECT_EQ(first.sample, mended.sample);
  EXPECT_EQ(mended.prompt, first.prompt + " after " + first.answer);
  EXPECT_FALSE(first.judgements.front().verdict.correct);
}

TEST_F(TurnsTest, MeasuresOfTurnsAreExported) {
  auto& study = finished();
  std::map<std::string, double> exam;
  std::set<std::string> training, stages;
  for (const auto& one : measured(study.plan, study.store)) {
    if (one.row != study.plan.rows[0].label) continue;
    if (one.stage == "exam") exam[one.measure] = one.value;
    if (one.stage.ends_with("/select")) training.insert(one.measure);
    stages.insert(one.stage);
  }
  for (int turn = 1; turn <= 3; ++turn) {
    const auto name = "correct_after_" + std::to_string(turn);
    EXPECT_TRUE(exam.contains(name));
    EXPECT_TRUE(training.contains(name));
  }
  EXPECT_LE(exam["correct_after_1"], exam["correct_after_3"]);
  EXPECT_TRUE(stages.contains("reinforce/round 1/turn 3/verify"));
}

// Interrupted after each number of stages in turn and gone on with, every result is that of a run in one
// piece.
TEST_F(TurnsTest, AnInterruptedEpisodeGoesOnWithItsNextTurn) {
  auto& whole = finished();
  const auto store_folder = write_secret(home_.path / "store");
  StoreWriter store(store_folder);
  const auto made = make_plan(turned(3, 3), "study", options(home_.path));
  const auto clock = [time = 0.0]() mutable { return time += 1; };
  int pieces = 0;
  for (bool done = false; !done; ++pieces) {
    FakeClient worker(store.secret());
    std::ostringstream out;
    Progress progress(out, {}, clock);
    const auto begun = std::count_if(made.stages.begin(), made.stages.end(),
                                     [&](const Stage& stage) { return store.has(stage.key); });
    const auto enough = [&] {
      return std::count_if(made.stages.begin(), made.stages.end(),
                           [&](const Stage& stage) { return store.has(stage.key); }) > begun + 4;
    };
    try {
      OneSeat seat(worker);
      carry_out(made, store, seat, progress, enough, clock);
      done = true;
    } catch (const Interrupted&) {
    }
    ASSERT_LT(pieces, 100);
  }
  EXPECT_GT(pieces, 5);
  for (const auto& stage : made.stages)
    for (const char* file : {"candidates.jsonl", "verdicts.jsonl", "rewards.jsonl", "samples.jsonl"})
      if (std::filesystem::exists(whole.store.result(stage.key).folder() / file)) {
        EXPECT_EQ(store.result(stage.key).digest(file), whole.store.result(stage.key).digest(file))
            << stage.slot << ", " << file;
      }
}

TEST_F(TurnsTest, TheReportSaysHowManyTurnsAnExamHasAndWhatTheyAreTold) {
  auto& study = finished();
  const auto text = study.report().files.at("main.md");
  EXPECT_NE(text.find("up to 3 turns"), std::string::npos) << text;
}
