// show, docs and explain by the real binary: exit statuses, messages, the width of lines.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "base/support/files.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/trl_process.hpp"

namespace trl::interpreter {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

void expect_narrow(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto characters =
        std::count_if(line.begin(), line.end(), [](unsigned char c) { return (c & 0xC0) != 0x80; });
    EXPECT_LE(characters, 80) << line;
  }
}

class FileCommand : public ::testing::Test {
 protected:
  testing::TrlFolder folder_{TRL, FAKE_WORKER, fs::path(SOURCE) / "small.trl"};
};

TEST_F(FileCommand, ShowOfAFieldNamesItsDeclaration) {
  const auto shown = folder_.trl("show study.trl longer.seeds");
  EXPECT_EQ(shown.status, 1);
  EXPECT_TRUE(has(shown.err, "`trl show study.trl longer` shows its fields")) << shown.err;
}

TEST_F(FileCommand, ShowPrintsAFileThatPlansToTheSameStages) {
  const auto shown = folder_.trl("show study.trl longer");
  ASSERT_EQ(shown.status, 0) << shown.err;
  EXPECT_TRUE(has(shown.out, "# override of longer, study.trl:43")) << shown.out;
  expect_narrow(shown.out);
  write_text(folder_.path() / "shown.trl", shown.out);
  const auto keys = [&](const std::string& file) {
    std::set<std::string> keys;
    const auto planned = folder_.trl("plan " + file + " longer --json");
    for (const json& stage : json::parse(planned.out).at(0).at("stages")) keys.insert(stage.at("key"));
    return keys;
  };
  EXPECT_EQ(keys("shown.trl"), keys("study.trl"));
}

TEST_F(FileCommand, ShowPrintsJsonAndSaysWhatIsNotThere) {
  const auto list = json::parse(folder_.trl("show study.trl writer --json --set writer.alpha=8").out);
  ASSERT_EQ(list.size(), 8u);
  EXPECT_EQ(list[0]["path"], "writer.rank");
  EXPECT_EQ(list[0]["origin"]["where"], "study.trl:6:15");
  EXPECT_EQ(list[1]["origin"]["kind"], "set");
  const auto typo = folder_.trl("show study.trl writr");
  EXPECT_EQ(typo.status, 1);
  EXPECT_TRUE(has(typo.err, "did you mean `writer`?")) << typo.err;
  EXPECT_EQ(folder_.trl("show study.trl --yaml").status, 2);
  EXPECT_EQ(folder_.trl("show nowhere.trl").status, 1);
}

TEST_F(FileCommand, DocsWritesThePage) {
  EXPECT_EQ(folder_.trl("docs --out page.md").status, 0);
  EXPECT_EQ(read_text(folder_.path() / "page.md"), folder_.trl("docs --format markdown").out);
  EXPECT_EQ(folder_.trl("docs --format html").status, 2);
}

TEST_F(FileCommand, ExplainKnowsWhatTheReferenceKnows) {
  for (const auto& [name, part] : {std::pair("lora", "rank: count in 1..1024 = 16"),
                                   {"lora.rank", "Rank of the update"},
                                   {"best_of_n.reward", "The reward of a verdict."},
                                   {"subsets", "Every subset of the extensions"},
                                   {"gelu", "in tasks"},
                                   {"KiB", "1024 bytes"},
                                   {"corpus", "windtunnel.chains"},
                                   {"train", "clip_ratio: fraction above 0, up to 1 = 20%"},
                                   {"cells", "a value of table.rows"},
                                   {"suites", "also each on the exam's tasks of each suite"},
                                   {"cosine", "How the learning rate falls"},
                                   {"purity", "purity, a column of tables"},
                                   {"pass@1", "pass_at(1), a column of tables"},
                                   {"columns", "geometric mean over the correct samples"},
                                   {"race", "threads of one, touch a byte"},
                                   {"framework_compute", "The wrapper lets PyTorch compute"},
                                   {"reasons", "out_of_bounds_store"}}) {
    const auto explained = folder_.trl(std::string("explain ") + name);
    EXPECT_EQ(explained.status, 0) << name;
    EXPECT_TRUE(has(explained.out, part)) << explained.out;
    expect_narrow(explained.out);
  }
  EXPECT_TRUE(has(folder_.trl("explain lora.rnk").err, "did you mean lora.rank?"));
  EXPECT_TRUE(has(folder_.trl("explain corpus.level1").out, "Answers to tasks of level 1"));
  const auto nonsense = folder_.trl("explain zzzzzzzz");
  EXPECT_EQ(nonsense.status, 1);
  for (const char* what : {"rules", "kinds", "`lora.rank`", "`trl explain columns`", "`trl explain reasons`"})
    EXPECT_TRUE(has(nonsense.err, what)) << nonsense.err;
}

/// The words in quotes between two texts of a source file.
std::vector<std::string> quoted(const std::string& file, const std::string& begin, const std::string& end) {
  const std::string text = read_text(fs::path(SOURCE) / "../.." / file);
  const std::size_t from = text.find(begin), to = text.find(end, from);
  std::vector<std::string> out;
  if (from == text.npos || to == text.npos) return out;
  for (std::size_t at = text.find('"', from); at < to;) {
    const std::size_t close = text.find('"', at + 1);
    out.push_back(text.substr(at + 1, close - at - 1));
    at = text.find('"', close + 1);
  }
  return out;
}

TEST_F(FileCommand, ExplainKnowsEveryReasonOfAVerdict) {
  auto reasons = quoted("verifier/plan/plan.cpp", "string_view reasons[]", "};");
  EXPECT_GE(reasons.size(), 19u);
  const auto kinds = quoted("verifier/executor/launch/report.cpp", "switch (kind)", "\"unknown\"");
  EXPECT_GE(kinds.size(), 12u);
  reasons.insert(reasons.end(), kinds.begin(), kinds.end());
  for (const char* judged :
       {"wrong_values", "wrong_shape", "wrong_dtype", "unwritten_output", "low_precision", "overflow",
        "decoy_kernel", "degenerate_task", "needs_gpu", "kept_output", "order_dependent", "undefined_result",
        "gpu_error", "illegal_access", "device_assert", "bad_plan", "not_judged", "own_size_only"})
    reasons.emplace_back(judged);
  const std::string all = folder_.trl("explain reasons").out;
  for (const std::string& reason : reasons) EXPECT_TRUE(has(all, "\n  " + reason + " ")) << reason;
}

}  // namespace
}  // namespace trl::interpreter
