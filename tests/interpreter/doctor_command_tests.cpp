// `trl doctor`, by the real binary on whatever machine the tests run on.
#include <gtest/gtest.h>

#include <sstream>

#include "interpreter/wrap.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/trl_process.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
namespace fs = std::filesystem;

namespace {

class DoctorCommandTest : public ::testing::Test {
 protected:
  DoctorCommandTest() : folder_(TRL, FAKE_WORKER, fs::path(SOURCE) / "small.trl") {}

  // A Python without torch, on every machine.
  const TrlFolder::Environment environment_{{"TRL_PYTHON", "/nowhere/python"}, {"LC_ALL", "C.UTF-8"}};
  TrlFolder folder_;
};

TEST_F(DoctorCommandTest, TheStatusSaysWhetherSomethingIsLacking) {
  const auto ended = folder_.trl("doctor --json", environment_);
  const auto findings = nlohmann::json::parse(ended.out);
  std::set<std::string> lacking;
  for (const auto& finding : findings) {
    if (finding.at("outcome") != "lacking") continue;
    lacking.insert(finding.at("what"));
    EXPECT_NE(finding.at("remedy"), "");
  }
  EXPECT_TRUE(lacking.contains("Python")) << ended.out;
  EXPECT_EQ(ended.status, 1);
}

TEST_F(DoctorCommandTest, LinesFitATerminalAndAreWithoutColourWhereNoneIsWanted) {
  const auto ended = folder_.trl("doctor study.trl --kernel-times measured", environment_);
  EXPECT_TRUE(has(ended.out, "what study needs here\n")) << ended.out << ended.err;
  EXPECT_TRUE(has(ended.out, "there is no /nowhere/python")) << ended.out;
  EXPECT_FALSE(has(ended.out, "\x1b"));
  std::istringstream lines(ended.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 80u) << line;
}

TEST_F(DoctorCommandTest, AFileWithAnErrorIsNotExamined) {
  const auto ended = folder_.trl("doctor study.trl --set writer.rank=no", environment_);
  EXPECT_EQ(ended.status, 1);
  EXPECT_EQ(ended.out, "");
}

TEST_F(DoctorCommandTest, NothingIsNeededOfTheMachineOnceAllIsStored) {
  ASSERT_EQ(folder_.trl("run study.trl -q").status, 0);
  const auto ended = folder_.trl("doctor study.trl --json", environment_);
  EXPECT_EQ(ended.status, 0) << ended.out;
  for (const auto& finding : nlohmann::json::parse(ended.out)) EXPECT_EQ(finding.at("experiment"), "study");
}

}  // namespace
