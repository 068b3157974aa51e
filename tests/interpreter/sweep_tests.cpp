// Sweeps over settings, by the real trl: what is chosen on dev, and what choosing among fewer would have
// given.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "base/support/files.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/finished_study.hpp"
#include "tests/interpreter/trl_process.hpp"

namespace trl::interpreter {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class SweepTest : public ::testing::Test {
 protected:
  /// Runs small.trl with three settings in the place of its extensions; returns what trl printed.
  std::string run(const std::string& dev) const {
    auto text = read_text(folder_.path() / "study.trl");
    const auto replace = [&](const std::string& before, const std::string& after) {
      const auto at = text.find(before);
      ASSERT_NE(at, std::string::npos) << before;
      text.replace(at, before.size(), after);
    };
    replace("vary     = subsets(inputs, clock)", "vary     = grid(reinforce.keep = [1, 2, 3])" + dev);
    replace("hypothesis inputs_help { of = study, contrast = inputs,", "# {");
    replace("exclude = held_out", "exclude = held_out + windtunnel.level2[50..53]");
    replace("evaluation exam",
            "evaluation tuning { split = windtunnel.level2[50..53], samples = 2, max_tokens = 64 }\n"
            "evaluation exam");
    text = text.substr(0, text.find("experiment longer"));
    write_text(folder_.path() / "study.trl", text);
    // With this secret no two rows are alike on dev, of which each would be chosen as often.
    testing::write_secret(folder_.path() / "runs/.store");
    const auto ended = folder_.trl("run study.trl study");
    EXPECT_EQ(ended.status, 0) << ended.err;
    said_ = ended.err;
    // Sentences are broken into lines.
    auto out = ended.out;
    std::replace(out.begin(), out.end(), '\n', ' ');
    return out;
  }
  std::vector<std::vector<std::string>> csv(const std::string& name) const {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(read_text(folder_.path() / "runs/study" / name));
    for (std::string line; std::getline(lines, line);) {
      auto& row = rows.emplace_back();
      std::istringstream fields(line);
      for (std::string field; std::getline(fields, field, ',');) row.push_back(field);
    }
    return rows;
  }
  testing::TrlFolder folder_{TRL, FAKE_WORKER, fs::path(SOURCE) / "small.trl"};
  mutable std::string said_;
};

TEST_F(SweepTest, IsChosenOnDevAndJudgedByTheExam) {
  const auto out = run(", dev = tuning");
  EXPECT_TRUE(has(out, "Of 3 rows, dev chooses `keep = ")) << out;
  EXPECT_FALSE(has(said_, "tuned_on_exam")) << said_;
  const auto best = csv("main.best.csv");
  ASSERT_EQ(best.size(), 4u) << "a header, and one, two or three rows tried";
  EXPECT_EQ(best[0], (std::vector<std::string>{"rows", "seconds", "expected"}));
  // Of all three the one that dev chooses, and of one the mean of all.
  const auto at = out.find("dev chooses `") + 13;
  const auto chosen = out.substr(at, out.find('`', at) - at);
  const auto table = json::parse(read_text(folder_.path() / "runs/study/main.json"));
  double sum = 0;
  for (const auto& row : table["rows"]) {
    if (row["kind"] != "cell") continue;
    const double correct = row["figures"]["correct"]["value"];
    sum += correct;
    if (row["row"] == chosen) {
      EXPECT_NEAR(std::stod(best[3][2]), correct, 1e-9) << chosen;
    }
  }
  EXPECT_NEAR(std::stod(best[1][2]), sum / 3, 1e-9);
  EXPECT_NEAR(std::stod(best[3][1]), 3 * std::stod(best[1][1]), 1e-6);
}

TEST_F(SweepTest, SaysWhereTheExamItselfChose) {
  const auto out = run("");
  EXPECT_TRUE(has(said_, "tuned_on_exam") && has(said_, "see `trl check ")) << said_;
  EXPECT_TRUE(has(out, "The exam chose it")) << out;
}

}  // namespace
}  // namespace trl::interpreter
