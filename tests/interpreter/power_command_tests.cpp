// trl power by the real binary: what it prints before and after a study has run, and what it refuses.
#include <gtest/gtest.h>

#include <sstream>

#include "base/statistics/pilot.hpp"
#include "base/support/files.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/finished_study.hpp"
#include "tests/interpreter/trl_process.hpp"

namespace trl::interpreter {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class PowerCommand : public ::testing::Test {
 protected:
  json comparison(const std::string& arguments) const {
    const auto shown = folder_.trl("power study.trl study --json " + arguments);
    EXPECT_EQ(shown.status, 0) << shown.err;
    const json parsed = json::parse(shown.out);
    for (const json& one : parsed.at(0).at("comparisons"))
      if (one.at("comparison") == "inputs") return one;
    ADD_FAILURE() << shown.out;
    return {};
  }
  testing::TrlFolder folder_{TRL, FAKE_WORKER, fs::path(SOURCE) / "small.trl"};
};

TEST_F(PowerCommand, PlansByThePilotWhereNothingHasRun) {
  const auto shown = folder_.trl("power study.trl study");
  ASSERT_EQ(shown.status, 0) << shown.err;
  EXPECT_TRUE(has(shown.out, "study: 5 tasks x 1 seed x 2 samples, correct")) << shown.out;
  EXPECT_TRUE(has(shown.out, "inputs_help")) << shown.out;
  // The source is broken into lines of a terminal.
  EXPECT_TRUE(has(shown.out, "pilot: " + std::string(statistics::pilot().source.substr(0, 20)))) << shown.out;
  std::istringstream lines(shown.out);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("|")) {
      EXPECT_LE(line.size(), 80u) << line;
    }
  }

  const json one = comparison("");
  EXPECT_EQ(one["variances_of"], "pilot");
  EXPECT_TRUE(one["measured_standard_error"].is_null());
  EXPECT_TRUE(one["finds"].is_null()) << "one seed, one interaction";
}

TEST_F(PowerCommand, FindsMoreWithMoreOfEverything) {
  const double few = comparison("--seeds 3")["finds"];
  EXPECT_LT(comparison("--seeds 6")["finds"], few);
  EXPECT_LT(comparison("--seeds 3 --samples 8")["finds"], few);
  EXPECT_LT(comparison("--seeds 3 --tasks 50")["finds"], few);
  EXPECT_GT(comparison("--seeds 3 --power 95")["finds"], few);
}

// What is said to be enough is enough, and with one seed or one sample less it would not be.
TEST_F(PowerCommand, SaysWhatWouldFindAnEffect) {
  const json one = comparison("--tasks 100 --effect 12");
  EXPECT_EQ(one["wanted"], 0.12);
  ASSERT_TRUE(one["would"].is_object()) << one;
  const int seeds = one["would"]["seeds"], samples = one["would"]["samples"];
  const auto finds = [&](int s, int k) {
    return comparison("--tasks 100 --seeds " + std::to_string(s) + " --samples " + std::to_string(k))
        .at("finds")
        .get<double>();
  };
  EXPECT_LE(finds(seeds, samples), 0.12);
  if (samples > 1) {
    EXPECT_GT(finds(seeds, samples - 1), 0.12);
  }
  EXPECT_TRUE(comparison("--effect 1")["would"].is_null()) << "five tasks never find one point";
}

TEST_F(PowerCommand, SaysWhichHypothesesItLeavesOut) {
  auto text = read_text(folder_.path() / "study.trl");
  write_text(folder_.path() / "study.trl",
             text + "hypothesis faster { of = study, contrast = inputs, metric = speedup }\n");
  const std::string shown = folder_.trl("power study.trl study").out;
  EXPECT_TRUE(has(shown, "faster is about speedup, of which no power is calculated")) << shown;
  EXPECT_TRUE(has(shown, "(`--effect` sets it)")) << shown;
}

TEST_F(PowerCommand, TakesTheVariancesOfRowsThatHaveRun) {
  auto text = read_text(folder_.path() / "study.trl");
  const std::string before = "  vary     = subsets(inputs, clock)\n";
  text.replace(text.find(before), before.size(), before + "  seeds = 1..2\n");
  write_text(folder_.path() / "study.trl", text);
  testing::write_secret(folder_.path() / "runs/.store");
  const auto ran = folder_.trl("run study.trl study");
  ASSERT_EQ(ran.status, 0) << ran.err;
  const json one = comparison("");
  EXPECT_EQ(one["variances_of"], "its rows");
  EXPECT_TRUE(one["measured_standard_error"].is_number()) << one;
}

TEST_F(PowerCommand, RefusesWhatCanNotBePlanned) {
  for (const char* arguments : {"--effect 0", "--effect 101", "--seeds 0", "--power 100", "--tasks 1"}) {
    const auto refused = folder_.trl(std::string("power study.trl ") + arguments);
    EXPECT_EQ(refused.status, 2) << arguments;
    EXPECT_TRUE(has(refused.err, "not in range")) << refused.err;
  }
  const auto typo = folder_.trl("power study.trl studdy");
  EXPECT_EQ(typo.status, 1);
  EXPECT_TRUE(has(typo.err, "studdy")) << typo.err;
}

}  // namespace
}  // namespace trl::interpreter
