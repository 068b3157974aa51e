#include "base/contract/sampling.hpp"
#include "interpreter/report/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "interpreter/report/contents.hpp"
#include "interpreter/report/hypothesis.hpp"
#include "interpreter/report/trace.hpp"
#include "interpreter/wrap.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/finished_study.hpp"
#include "tests/interpreter/fixture.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using nlohmann::json;

namespace {

/// One study, run once for all tests.
class ReportTest : public ::testing::Test {
 protected:
  struct Finished {
    json& document;
    StoreWriter& store;
    Plan& plan;
    Inference& inference;
    std::map<std::string, std::string> files;
  };
  static Finished& study_run() {
    auto& study = finished_study();
    static Finished finished{study.document, study.store, study.plan, study.inference, study.report().files};
    return finished;
  }
  static std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }
};

}  // namespace

TEST_F(ReportTest, CsvHasOneLineARow) {
  const auto csv = lines(study_run().files.at("main.csv"));
  ASSERT_EQ(csv.size(), 1u + 8 + 2 + 1);
  EXPECT_TRUE(
      csv[0].starts_with("row,kind,extensions,same_as,valid,valid n,valid low,valid high,valid about,"));
  EXPECT_TRUE(csv[1].starts_with("none,cell,,clock,"));
  EXPECT_TRUE(csv.back().starts_with("base,base,"));
}

TEST_F(ReportTest, ValuesLeaveOutMeasuredSeconds) {
  EXPECT_NE(study_run().files.at("main.csv").find("cost"), std::string::npos);
  EXPECT_EQ(study_run().files.at("main.values.csv").find("cost"), std::string::npos);
}

TEST_F(ReportTest, FiguresAreWhatTheVerdictsSay) {
  auto& run = study_run();
  const auto& row = run.plan.rows.front();
  const Evidence evidence(run.plan, run.store);
  const auto verdicts = evidence.verdicts(row.traces[0].exam_verify);
  ASSERT_EQ(verdicts.size(), 10u);  // 5 tasks × 2 samples
  const double correct =
      std::count_if(verdicts.begin(), verdicts.end(), [](auto& v) { return v.correct; }) / 10.0;
  const auto table = make_table(request_for(run.document, "study").tables[0], run.inference);
  EXPECT_DOUBLE_EQ(*table.rows[0].figures[2].value, correct);
  EXPECT_EQ(table.rows[0].figures[2].n, 10);
  EXPECT_DOUBLE_EQ(*table.rows[0].figures[3].value, correct);  // pass@1
  EXPECT_EQ(table.rows[0].figures[3].n, 5);
}

TEST_F(ReportTest, PurityIsOverWhatWasKept) {
  auto& run = study_run();
  const auto table = make_table(request_for(run.document, "study").tables[0], run.inference);
  int kept = 0;
  for (const auto& round : run.plan.rows[0].traces[0].rounds)
    kept += run.store.stage(round.select)["summary"]["kept"].get<int>();
  EXPECT_EQ(table.rows[0].figures[6].n, kept);
  EXPECT_FALSE(table.rows[8].figures[6].value) << "SFT alone keeps nothing";
  EXPECT_FALSE(table.rows.back().figures[7].value) << "the baseline needed no training";
}

TEST_F(ReportTest, SaysHowAnswersAreDrawn) {
  contract::Sampling sampling;
  sampling.temperature = 0.7, sampling.max_tokens = 768;
  EXPECT_EQ(sampling_words(sampling), "temperature 0.7, at most 768 tokens");
  sampling.top_k = 50, sampling.top_p = 0.95, sampling.stop = {"\n```", "END"};
  EXPECT_EQ(sampling_words(sampling),
            R"(temperature 0.7, top_k 50, top_p 0.95, stop "\n```" or "END", at most 768 tokens)");
}

TEST_F(ReportTest, MarkdownFitsTheTerminal) {
  for (const auto& line : lines(study_run().files.at("main.md"))) EXPECT_LE(display_width(line), 80u) << line;
  const auto& text = study_run().files.at("main.md");
  for (const char* part : {"# study: main", "Which extension helps?", "seed: 1", "exam: 5 tasks x 2 samples",
                           "modelled for an H200", "16 cells, 8 of them distinct",
                           "allowed: keeps_incorrect, because \"studied\"", "The baseline (`base`)",
                           "also stands for the cell with `clock`", "inputs_help"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

TEST_F(ReportTest, EveryRowLeadsToItsCandidates) {
  auto& run = study_run();
  const auto provenance = json::parse(run.files.at("provenance.json"));
  EXPECT_EQ(provenance["rows"].size(), run.plan.rows.size());
  for (const auto& row : provenance["rows"])
    for (const auto& chain : row["chains"])
      for (const auto& [slot, key] : chain["stages"].items())
        EXPECT_TRUE(provenance["stages"].contains(key)) << slot;
  const auto table = json::parse(run.files.at("main.json"));
  for (const auto& row : table["rows"]) EXPECT_TRUE(run.store.has(row["exams"][0]["candidates"]));
}

TEST_F(ReportTest, LearningHasAPointForEachRound) {
  EXPECT_EQ(lines(study_run().files.at("learning.csv")).size(), 1u + 9 * 2);
}

TEST_F(ReportTest, ContrastsPairDistinctCellsOnce) {
  auto& plan = study_run().plan;
  EXPECT_EQ(compare_factor(plan, "inputs").pairs.size(), 4u);
  EXPECT_EQ(compare_factor(plan, "clock").pairs.size(), 0u);
  for (const auto& pair : compare_factor(plan, "stages").pairs) {
    auto more = plan.rows[pair.second].extensions;
    more.push_back("stages");
    std::sort(more.begin(), more.end());
    auto has = plan.rows[pair.first].extensions;
    std::sort(has.begin(), has.end());
    EXPECT_EQ(has, more);
  }
}

HypothesisResult tested(const std::string& contrast) {
  const auto& run = finished_study();
  return test_hypotheses({{"h", {{"contrast", contrast}, {"metric", "correct"}, {"expect", "greater"}}}},
                         run.inference, run.document.at("experiments").at("study"))
      .front();
}

TEST_F(ReportTest, AnInertExtensionHasNoVerdict) {
  EXPECT_EQ(tested("clock").verdict(), "inert");
  EXPECT_THROW(tested("nothing"), UserError);
}

TEST_F(ReportTest, HypothesisIsTheDifferenceOfTheRows) {
  auto& run = study_run();
  const auto result = tested("inputs");
  const auto column = parse_column("correct");
  double expected = 0;
  for (const auto& pair : compare_factor(run.plan, "inputs").pairs)
    expected += *run.inference.figure(column, run.plan.rows[pair.first]).value -
                *run.inference.figure(column, run.plan.rows[pair.second]).value;
  EXPECT_NEAR(result.difference->value, expected / 4, 1e-12);
  EXPECT_EQ(result.comparison.pairs.size(), 4u);
}

TEST(Request, AnUnknownColumnIsSaidBeforeAnythingRuns) {
  auto document = study();
  document["tables"]["main"]["columns"].push_back("beauty");
  EXPECT_THROW(request_for(document, "study"), UserError);
  document = study();
  document["plots"]["learning"]["x"] = "step";
  EXPECT_THROW(request_for(document, "study"), UserError);
}

TEST(Request, TheDefaultIsWhatTablesPlotsAndHypothesesName) {
  auto document = study();
  document["experiments"]["study_full"] = document["experiments"]["study"];
  EXPECT_EQ(named_experiments(document), std::vector<std::string>{"study"});
  document["tables"]["other"] = {{"of", "study_full"}, {"rows", "cells"}, {"columns", {"valid"}}};
  EXPECT_EQ(named_experiments(document), (std::vector<std::string>{"study", "study_full"}));
}

TEST(Request, AnExperimentWithoutTablesTakesTheFiles) {
  auto document = study();
  document["experiments"]["study_full"] = document["experiments"]["study"];
  const auto request = request_for(document, "study_full");
  ASSERT_EQ(request.tables.size(), 1u);
  EXPECT_EQ(request.tables[0].columns.size(), 8u);
  EXPECT_TRUE(request.hypotheses.empty());
}

TEST_F(ReportTest, AVariationThatATrivialAnswerPassesIsNamedOnceATask) {
  auto& run = study_run();
  std::set<std::string> tasks;
  const Evidence evidence(run.plan, run.store);
  std::string first;
  for (const auto& verdict : evidence.verdicts(run.plan.rows.front().traces[0].exam_verify)) {
    tasks.insert(verdict.group + "/" + verdict.name);
    if (verdict.task_number == 0) {
      first = verdict.group + "/" + verdict.name;
      EXPECT_EQ(verdict.no_evidence, std::vector<std::string>{"resize(150%)"});
    } else {
      EXPECT_TRUE(verdict.no_evidence.empty());
    }
  }
  EXPECT_EQ(evidence_sentence(evidence), "1 of " + std::to_string(tasks.size()) +
                                             " exam tasks has a variation that a trivial answer passes, "
                                             "which is no evidence (resize(150%) for " +
                                             first + ")");
}

// The answers to one task become such that weren't judged, in a copy of the store.
TEST_F(ReportTest, AnswersThatWereNotJudgedCountInNoColumnAndAreSaid) {
  auto& run = study_run();
  const Scratch scratch;
  const auto copy = scratch.path / "store";
  std::filesystem::copy(run.store.root(), copy, std::filesystem::copy_options::recursive);
  const auto& row = run.plan.rows.front();
  const auto& key = row.traces[0].exam_verify;
  const auto folder = run.store.folder(key).lexically_relative(run.store.root());
  std::string text;
  for (auto verdict : run.store.result(key).rows("verdicts.jsonl")) {
    if (verdict.at("task") == 0)
      verdict["correct"] = verdict["valid"] = false, verdict["reason"] = "not_judged",
      verdict["message"] = "no GPU has the memory", verdict["claimed"] = false;
    text += verdict.dump() + "\n";
  }
  write_text(copy / folder / "verdicts.jsonl", text);
  describe_result(copy / folder, run.store.stage(key));

  const Store store(copy);
  const Evidence before(run.plan, run.store), evidence(run.plan, store);
  EXPECT_EQ(unjudged_sentence(before), "");
  const auto sentence = unjudged_sentence(evidence);
  EXPECT_TRUE(has(sentence, "exam answers were not judged, and no column counts them")) << sentence;
  EXPECT_TRUE(has(sentence, "no GPU has the memory")) << sentence;
  const auto correct = parse_column("correct");
  const auto all = Inference(before).figure(correct, row), judged = Inference(evidence).figure(correct, row);
  EXPECT_EQ(judged.n, all.n * 4 / 5) << "one of five tasks is left out";
  EXPECT_TRUE(judged.value);
  for (const auto& verdict : evidence.exam(row.traces[0]))
    if (verdict.task_number == 0) {
      EXPECT_FALSE(verdict.judged);
      EXPECT_EQ(verdict_text(verdict), "not judged");
    }
}
