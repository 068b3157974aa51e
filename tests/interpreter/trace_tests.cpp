// From a number in a table to its candidates and back, with the real binary and the fake worker.
#include <gtest/gtest.h>

#include <algorithm>

#include <cmath>
#include <sstream>

#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "interpreter/plan/exam.hpp"
#include "interpreter/report/candidate.hpp"
#include "interpreter/report/trace.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/finished_study.hpp"
#include "tests/interpreter/trl_process.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using nlohmann::json;
using trl::has;
namespace fs = std::filesystem;

namespace {

/// small.trl, run once.
class TraceTest : public ::testing::Test {
 protected:
  static const TrlFolder& folder() {
    static const TrlFolder folder(TRL, FAKE_WORKER, fs::path(SOURCE) / "small.trl");
    static const bool prepared = (write_secret(folder.path() / "runs/.store"), true);
    EXPECT_TRUE(prepared);
    static const auto run = folder.trl("run study.trl");
    EXPECT_EQ(run.status, 0) << run.err;
    return folder;
  }
  static json traced(const std::string& figure, const std::string& more = "") {
    const auto ended = folder().trl("trace study.trl " + figure + " --json " + more);
    EXPECT_EQ(ended.status, 0) << ended.err;
    return json::parse(ended.out);
  }
  static void expect_narrow(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const auto columns = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
      EXPECT_LE(columns, 80) << line;
    }
  }
};

}  // namespace

TEST(Trace, SaysWhatItsStagesWereMadeOn) {
  const TrlFolder folder(TRL, FAKE_WORKER, fs::path(SOURCE) / "small.trl");
  const auto run =
      folder.trl("run study.trl",
                 {{"FAKE_MADE_ON",
                   R"({"device": "NVIDIA H200", "cpu": "Some CPU", "threads": 16, "driver": "570.86.15"})"}});
  ASSERT_EQ(run.status, 0) << run.err;
  const auto shown = folder.trl("trace study.trl 'main[none, correct]'");
  EXPECT_TRUE(has(shown.out, "made on: NVIDIA H200, driver 570.86.15, Some CPU, 16 threads: 1 sample, 1"))
      << shown.out << shown.err;
  const auto traced = json::parse(folder.trl("trace study.trl 'main[none, correct]' --json").out);
  ASSERT_EQ(traced.at("stages").size(), 2u);
  for (const auto& stage : traced["stages"]) EXPECT_EQ(stage.at("made_on").at("device"), "NVIDIA H200");
}

TEST_F(TraceTest, EveryFigureOfTheTableIsTheSumOfWhatItLists) {
  const auto table = json::parse(read_text((folder(), folder().path() / "runs/study/main.json")));
  int checked = 0;
  for (const auto& row : {table["rows"].at(1), table["rows"].back()})
    for (const auto& column : table["columns"]) {
      const auto& figure = row["figures"][column["id"].get<std::string>()];
      const auto trace =
          traced("'main[" + row["row"].get<std::string>() + ", " + column["id"].get<std::string>() + "]'");
      EXPECT_EQ(trace["value"], figure["value"]);
      EXPECT_EQ(trace["n"], figure["n"]);
      double sum = 0;
      for (const char* parts : {"candidates", "stages"})
        for (const auto& part : trace[parts]) sum += part["adds"].get<double>();
      EXPECT_NEAR(sum, trace["numerator"].get<double>(), 1e-9);
      if (!figure["value"].is_number()) continue;
      const double mean = sum / trace["denominator"].get<double>();
      EXPECT_NEAR(trace["geometric"] ? std::exp(mean) : mean, figure["value"].get<double>(), 1e-9);
      ++checked;
    }
  EXPECT_GE(checked, 16);
}

TEST_F(TraceTest, RowsAndColumnsAreFoundByEveryNameThatTheyHave) {
  const auto plain = traced("'main[inputs, pass_at(2)]'");
  for (const char* figure :
       {"'main[\"inputs\", pass@2]'", "\"main['inputs', 'pass_at']\"", "'main[ inputs ,pass_at(2.0) ]'",
        "'main[inputs + clock, pass_at(2)]'", "'main[clock+inputs, pass_at(2)]'"})
    EXPECT_EQ(traced(figure), plain) << figure;
  EXPECT_EQ(plain["same_as"], json::array({"inputs + clock"}));
  EXPECT_EQ(traced("'main[base (baseline), correct]'")["row"], "base");
}

TEST_F(TraceTest, ListsAPageAndSaysHowToGetTheRest) {
  const auto page = folder().trl("trace study.trl 'main[none, purity]'");
  const auto kept = traced("'main[none, correct]'")["candidates"].size();
  EXPECT_EQ(kept, 10u);
  EXPECT_EQ(page.status, 0) << page.err;
  EXPECT_TRUE(has(page.out, "kept samples")) << page.out;
  expect_narrow(page.out);
  const auto shown = folder().trl("trace study.trl 'main[none, correct]'");
  EXPECT_TRUE(has(shown.out, " of 10 exam samples")) << shown.out;
  EXPECT_FALSE(has(shown.out, "\x1b")) << "not a terminal";
  EXPECT_TRUE(has(shown.out, "trl candidate ")) << shown.out;
}

TEST(Trace, SharesOfKernelsAreThoseOfTrainingSamples) {
  std::string text = read_text(fs::path(SOURCE) / "small.trl");
  const std::string last = "batch = 4, max_tokens = 64";
  ASSERT_NE(text.find(last), std::string::npos);
  text.replace(text.find(last), last.size(), last + ", framework = epilogue");
  const TrlFolder folder(TRL, FAKE_WORKER, fs::path(SOURCE) / "small.trl");
  write_text(folder.path() / "study.trl", text);
  const auto run = folder.trl("run study.trl");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(has(run.err, "framework_refused")) << run.err;
  const auto share = json::parse(folder.trl("trace study.trl 'main[none, kernel_share]' --json").out);
  const auto right = json::parse(folder.trl("trace study.trl 'main[none, correct]' --json").out);
  double sum = 0;
  ASSERT_FALSE(share["candidates"].empty());
  for (const auto& candidate : share["candidates"]) {
    const double adds = candidate["adds"];
    EXPECT_GE(adds, 0.75);
    EXPECT_LT(adds, 1) << "every sample of training that has a plan has a share";
    EXPECT_NE(candidate["reason"], "not_python") << "without a plan there is none";
    sum += adds;
  }
  EXPECT_NEAR(share["value"].get<double>(), sum / static_cast<double>(share["candidates"].size()), 1e-9);
  for (const auto& candidate : right["candidates"]) EXPECT_NE(candidate["id"], share["candidates"][0]["id"]);
}

TEST_F(TraceTest, FailedShowsOneReasonAlone) {
  const auto all = traced("'main[none, correct]'");
  std::string reason;
  std::size_t count = 0;
  for (const auto& candidate : all["candidates"])
    if (candidate["reason"].is_string() && (reason.empty() || candidate["reason"] == reason)) {
      reason = candidate["reason"];
      ++count;
    }
  ASSERT_FALSE(reason.empty());
  const auto some = traced("'main[none, correct]'", "--failed " + reason);
  EXPECT_EQ(some["candidates"].size(), count);
  EXPECT_EQ(some["value"], all["value"]) << "the figure still counts all candidates";
  const auto typo = folder().trl("trace study.trl 'main[none, correct]' --failed " + reason + "x");
  EXPECT_EQ(typo.status, 1);
  EXPECT_TRUE(has(typo.err, "did you mean " + reason + "?")) << typo.err;
}

TEST_F(TraceTest, EveryCandidateListedIsFoundAgainWithItsVerdict) {
  for (const char* figure : {"'main[inputs, correct]'", "'main[inputs, purity]'"})
    for (const auto trace = traced(figure); const auto& listed : trace["candidates"]) {
      if (listed["sample"] != 0) continue;
      const auto ended = folder().trl("candidate " + listed["id"].get<std::string>() + " --json");
      ASSERT_EQ(ended.status, 0) << ended.err;
      const auto candidate = json::parse(ended.out);
      EXPECT_EQ(candidate["task"], listed["task"]);
      EXPECT_EQ(candidate["sample"], listed["sample"]);
      bool found = false;
      for (const auto& verdict : candidate["verdicts"])
        found = found || (verdict["strict"] == true && verdict["correct"] == listed["correct"] &&
                          verdict["reason"] == listed["reason"]);
      EXPECT_TRUE(found) << ended.out;
    }
}

TEST_F(TraceTest, ATrainingCandidateHasItsRewardAndItsRows) {
  const auto listed = traced("'main[inputs, purity]'")["candidates"].at(0);
  const auto id = listed["id"].get<std::string>();
  const auto candidate = json::parse(folder().trl("candidate " + id + " --json").out);
  EXPECT_EQ(candidate["purpose"], "train");
  bool kept = false;
  for (const auto& reward : candidate["rewards"]) kept = kept || reward["kept"].get<bool>();
  EXPECT_TRUE(kept) << "purity counts what was kept";
  EXPECT_FALSE(candidate["trained_on_in"].empty());
  bool by_inputs = false;
  for (const auto& use : candidate["used_by"]) by_inputs = by_inputs || use["row"] == "inputs";
  EXPECT_TRUE(by_inputs);
}

TEST_F(TraceTest, TheLineToBlameIsMarkedAndNothingReachesTheTerminal) {
  const auto trace = traced("'main[none, correct]'");
  for (const auto& listed : trace["candidates"]) {
    if (listed["correct"] == true) continue;
    const auto shown = folder().trl("candidate " + listed["id"].get<std::string>());
    ASSERT_EQ(shown.status, 0) << shown.err;
    EXPECT_TRUE(has(shown.out, "    2 | <script>alert('&')</script> \\x1b[31mred\\x1b[0m\n      | ^^^^"))
        << shown.out;
    EXPECT_TRUE(has(shown.out, listed["reason"].get<std::string>() + ": <img src=x>")) << shown.out;
    EXPECT_TRUE(has(shown.out, "study: none (seed 1, exam/sample)")) << shown.out;
    EXPECT_FALSE(has(shown.out, "\x1b"));
    expect_narrow(shown.out);
    return;
  }
  FAIL() << "the fake worker refused nothing";
}

TEST_F(TraceTest, MistakesAreAnsweredWithWhatWasMeant) {
  const struct {
    const char *arguments, *said;
  } cases[] = {{"trace study.trl 'mian[none, correct]'", "did you mean main?"},
               {"trace study.trl 'main[input, correct]'", "did you mean inputs?"},
               {"trace study.trl 'main[other, correct]'", "Rows are: `none`, `inputs`"},
               {"trace study.trl 'main[none, corect]'", "did you mean correct?"},
               {"trace study.trl 'main[none]'", "has no row and column"},
               {"trace study.trl main", "'main[inputs + stages, correct]'"},
               {"trace study.trl 'main[none, correct]' --experiment longer", "are missing"},
               {"candidate nonsense", "isn't a candidate's ID"},
               {"candidate 0123456789.1", "no stage in "},
               {"trace study.trl 'main[none, correct]' --store nowhere", "are missing"}};
  for (const auto& [arguments, said] : cases) {
    const auto ended = folder().trl(arguments);
    EXPECT_EQ(ended.status, 1) << arguments;
    EXPECT_TRUE(has(ended.err, said)) << arguments << '\n' << ended.err;
  }
  const auto id = traced("'main[none, correct]'")["candidates"][0]["id"].get<std::string>();
  const auto stage = id.substr(0, id.find('.'));
  EXPECT_TRUE(has(folder().trl("candidate " + stage + ".999").err, "It has candidates 1 to 10."));
  auto typo = stage;
  typo[4] = typo[4] == '0' ? '1' : '0';
  EXPECT_TRUE(has(folder().trl("candidate " + typo + ".3").err, "did you mean " + stage + ".3?"));
}

TEST_F(TraceTest, BothCommandsHaveHelp) {
  for (const char* command : {"trace", "candidate"}) {
    const auto help = folder().trl(std::string(command) + " --help");
    EXPECT_EQ(help.status, 0);
    EXPECT_TRUE(has(help.out, "Examples:\n  trl " + std::string(command))) << help.out;
    expect_narrow(help.out);
  }
}

TEST_F(TraceTest, ARunEndsWithTableFindingsAndWhereTheRestIs) {
  const auto again = folder().trl("run study.trl");
  EXPECT_EQ(again.status, 0);
  for (const char* part :
       {"| row ", "inputs_help is ", "correct: ", "runs/study/main.md", "runs/study/report.html"})
    EXPECT_TRUE(has(again.out, part)) << part << '\n' << again.out;
  expect_narrow(again.out);
}

TEST_F(TraceTest, WithoutPythonATableIsMadeAndSaysWhatIsLeftOut) {
  const auto table = folder().trl("table study.trl --out other --pdf", {{"TRL_PYTHON", "/bin/false"}});
  EXPECT_EQ(table.status, 0) << table.err;
  EXPECT_TRUE(has(table.err, "warning: pictures as PDF are left out")) << table.err;
  expect_narrow(table.err);
  EXPECT_TRUE(fs::exists(folder().path() / "other/study/report.html"));
  EXPECT_TRUE(fs::exists(folder().path() / "other/study/learning.svg"));
  EXPECT_FALSE(fs::exists(folder().path() / "other/study/learning.pdf"));
}

TEST(FigureName, IsReadWithBlanksQuotesAndParentheses) {
  const auto name = parse_figure_name("  main [ \"a, b\" , fast(1.0) ] ");
  EXPECT_EQ(name.table, "main");
  EXPECT_EQ(name.row, "a, b");
  EXPECT_EQ(name.column, "fast(1.0)");
  for (const char* bad : {"", "main", "main[a]", "main[a, ]", "[a, b]", "main a, b]"})
    EXPECT_THROW(parse_figure_name(bad), UserError) << bad;
}

TEST(Trace, FindsARowByItsNameAsPagesSetIt) {
  std::vector<std::shared_ptr<const Row>> rows;
  for (const char* label : {"inputs", "imitate -> unfiltered"}) {
    Row row;
    row.label = label, row.kind = Row::Kind::control;
    rows.push_back(std::make_shared<const Row>(row));
  }
  EXPECT_EQ(&find_row("imitate → unfiltered", "main", rows), rows[1].get());
  EXPECT_EQ(&find_row("imitate -> unfiltered", "main", rows), rows[1].get());
}

TEST(CandidateId, IsTheStagesFirstDigitsAndTheLine) {
  EXPECT_EQ(candidate_id("3fa2c1d09e77aa", 16), "3fa2c1d09e.17");
  EXPECT_EQ(trl::contract::Variation::read({{"call", "resize"}, {"args", {1.5}}}).text(), "resize(150%)");
  EXPECT_EQ(trl::contract::Variation::read("original").text(), "original");
}
