// `trl paper` by the real binary: a draft before the run, the paper after it, and columns with titles of the
// author's.
#include <gtest/gtest.h>

#include "base/support/files.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/trl_process.hpp"

namespace trl::interpreter {
namespace {

namespace fs = std::filesystem;

class PaperCommandTest : public ::testing::Test {
 protected:
  std::string paper(const char* ending = "md") const {
    return read_text(folder_.path() / "runs/study/paper" / (std::string("paper.") + ending));
  }
  testing::TrlFolder folder_{TRL, FAKE_WORKER, fs::path(SOURCE) / "small.trl"};
};

TEST_F(PaperCommandTest, WritesADraftFirstAndThenThePaper) {
  const auto draft = folder_.trl("paper study.trl");
  EXPECT_EQ(draft.status, 1) << draft.err;
  EXPECT_TRUE(has(testing::unwrapped(draft.err), "this is a draft") &&
              has(testing::unwrapped(draft.err), "trl run study.trl"))
      << draft.err;
  EXPECT_TRUE(has(paper(), "Rounds of sampling, verifying, selecting the best")) << "the schema's words";
  EXPECT_TRUE(has(testing::unwrapped(paper()), "`correct`: the values are right in every variation"))
      << paper();
  ASSERT_EQ(folder_.trl("run study.trl").status, 0);
  const auto written = folder_.trl("paper study.trl");
  ASSERT_EQ(written.status, 0) << written.err;
  for (const char* ending : {"tex", "md", "html"})
    EXPECT_TRUE(has(written.out, std::string("runs/study/paper/paper.") + ending)) << written.out;
  EXPECT_FALSE(has(paper(), "draft"));
  EXPECT_TRUE(has(paper(), "inputs_help")) << paper();
  const auto first = paper() + paper("tex") + paper("html");
  ASSERT_EQ(folder_.trl("paper study.trl").status, 0);
  EXPECT_EQ(paper() + paper("tex") + paper("html"), first);
  // What markdown shows lies beside it.
  for (std::size_t at = 0; (at = paper().find("](", at)) != std::string::npos; ++at) {
    const auto name = paper().substr(at + 2, paper().find(')', at) - at - 2);
    EXPECT_TRUE(fs::exists(folder_.path() / "runs/study/paper" / name)) << name;
  }
}

TEST_F(PaperCommandTest, SaysWhatIsWrongOnTheCommandLine) {
  EXPECT_EQ(folder_.trl("paper").status, 2);
  EXPECT_EQ(folder_.trl("paper nowhere.trl").status, 1);
  EXPECT_EQ(folder_.trl("paper study.trl --format word").status, 2);
  EXPECT_TRUE(has(testing::unwrapped(folder_.trl("paper study.trl --store nowhere").err),
                  "there is no store nowhere, and "));
  EXPECT_TRUE(has(testing::unwrapped(folder_.trl("paper study.trl --store 'no where'").err),
                  "trl run study.trl --store 'no where'"))
      << "a command that can be copied";
  const auto unknown = folder_.trl("paper study.trl stdy");
  EXPECT_NE(unknown.status, 0);
  EXPECT_TRUE(has(unknown.err, "study")) << unknown.err;
}

TEST_F(PaperCommandTest, SaysNothingOfTheMachinesFolders) {
  EXPECT_EQ(folder_.trl("paper " + (folder_.path() / "study.trl").string()).status, 1);
  EXPECT_TRUE(has(paper(), "`trl run study.trl`")) << paper();
  for (const char* ending : {"md", "tex", "html"})
    EXPECT_FALSE(has(paper(ending), folder_.path().string())) << ending;
}

TEST_F(PaperCommandTest, AFormatAloneWritesThatAlone) {
  EXPECT_EQ(folder_.trl("paper study.trl --format markdown --out elsewhere").status, 1);
  EXPECT_TRUE(fs::exists(folder_.path() / "elsewhere/study/paper/paper.md"));
  EXPECT_FALSE(fs::exists(folder_.path() / "elsewhere/study/paper/paper.tex"));
}

TEST_F(PaperCommandTest, ColumnsHaveTitlesOfTheAuthors) {
  auto text = read_text(folder_.path() / "study.trl");
  const auto at = text.find("fast(1.0), speedup, purity");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 26, "titled(fast(1.0), \"faster than PyTorch\"), speedup, titled(purity, \"pure\")");
  write_text(folder_.path() / "study.trl", text);
  const auto run = folder_.trl("run study.trl");
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(has(run.out, "faster than PyTorch %") && has(run.out, "pure %")) << run.out;
  const auto tables = read_text(folder_.path() / "runs/study/main.csv");
  EXPECT_TRUE(has(tables, ",fast(1),") && has(tables, ",purity,")) << tables;
  EXPECT_FALSE(has(tables, "faster")) << "files for programs keep the column's name";
  EXPECT_EQ(folder_.trl("trace study.trl 'main[inputs, fast(1.0)]'").status, 0);
  EXPECT_EQ(folder_.trl("show study.trl main").status, 0);
  EXPECT_TRUE(has(testing::unwrapped(folder_.trl("show study.trl main").out),
                  "titled(fast(1.0), \"faster than PyTorch\")"));
  text.replace(text.find("\"pure\""), 6, "\"faster than PyTorch\"");
  write_text(folder_.path() / "study.trl", text);
  const auto refused = folder_.trl("check study.trl");
  EXPECT_EQ(refused.status, 1);
  EXPECT_TRUE(has(refused.err + refused.out, "column_title")) << refused.err << refused.out;
}

}  // namespace
}  // namespace trl::interpreter
