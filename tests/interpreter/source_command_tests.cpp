// The commands that write the user's own files (fmt, check --fix, new), and completions, by the real binary.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/support/files.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/trl_process.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
namespace fs = std::filesystem;

using trl::has;

namespace {

class SourceCommands : public ::testing::Test {
 protected:
  SourceCommands() : folder_(TRL, FAKE_WORKER, fs::path(SOURCE) / "small.trl") {}
  fs::path write(const std::string& name, const std::string& text) const {
    write_text(folder_.path() / name, text);
    return folder_.path() / name;
  }
  std::string read(const std::string& name) const { return read_text(folder_.path() / name); }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }
  /// What bash completes for a command line, whose last word is incomplete.
  std::string completed(const std::string& words, int last) const {
    const auto result =
        folder_.shell("exec bash -c 'source <($trl completions bash); COMP_WORDS=(" + words +
                      "); COMP_CWORD=" + std::to_string(last) + "; _trl; echo \"${COMPREPLY[*]}\"'");
    EXPECT_EQ(result.err, "");
    return result.out;
  }

  TrlFolder folder_;
};

TEST_F(SourceCommands, FmtWritesWhatDiffersAndKeepsTheMode) {
  const auto file = write("a.trl", "lora a{rank=1}\n");
  write("b.trl", "lora b { rank = 1 }\n");
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  fs::create_symlink("a.trl", folder_.path() / "link.trl");
  const auto result = folder_.trl("fmt link.trl b.trl");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, "link.trl\n");
  EXPECT_EQ(read("a.trl"), "lora a { rank = 1 }\n");
  EXPECT_TRUE(fs::is_symlink(folder_.path() / "link.trl"));
  EXPECT_EQ(fs::status(file).permissions(),
            fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  const auto before = files();
  EXPECT_EQ(folder_.trl("fmt a.trl b.trl").out, "");
  EXPECT_EQ(files(), before) << "no temporary file is left";
}

TEST_F(SourceCommands, FmtCheckShowsTheFirstDifferenceOfEachFile) {
  write("a.trl", "# one\n# two\n# three\n# four\nlora a{rank=1}\nlora b { rank = 1 }\n");
  write("b.trl", "lora b { rank = 1 }\n");
  const auto result = folder_.trl("fmt --check a.trl b.trl");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out,
            "--- a.trl\n+++ a.trl\n@@ -2,5 +2,5 @@\n # two\n # three\n # four\n-lora a{rank=1}\n"
            "+lora a { rank = 1 }\n lora b { rank = 1 }\n");
  EXPECT_EQ(read("a.trl").substr(0, 5), "# one");
  EXPECT_EQ(folder_.trl("fmt --check b.trl").status, 0);
}

TEST_F(SourceCommands, FmtReadsStandardInput) {
  const auto result = folder_.shell("printf 'lora a{rank=1}' | $trl fmt -");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, "lora a { rank = 1 }\n");
}

TEST_F(SourceCommands, FmtSaysWhatItLeavesAndWhatIsMissing) {
  write("a.trl", "lora a{rank=1}\nlora ? {\n");
  const auto result = folder_.trl("fmt a.trl");
  EXPECT_EQ(result.status, 0);
  EXPECT_TRUE(has(result.err, "a.trl: parts of it are left unchanged")) << result.err;
  EXPECT_EQ(read("a.trl"), "lora a { rank = 1 }\nlora ? {\n");
  EXPECT_EQ(folder_.trl("fmt nowhere.trl").status, 1);
  EXPECT_EQ(folder_.trl("fmt").status, 2);
}

TEST_F(SourceCommands, FixesAreWrittenAndSaid) {
  write("a.trl", "import example\nlora a { rnak 16 }\n");
  const auto result = folder_.trl("check --fix a.trl");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, "a.trl is fine\n");
  EXPECT_EQ(result.err,
            "a.trl:2:10: fixed[unknown_field]: write `rank`\n"
            "a.trl:2:14: fixed[syntax]: insert `=`\n");
  EXPECT_EQ(read("a.trl"), "import example\nlora a { rank = 16 }\n");
  write("b.trl", "lora a { rank = 5000, rnak = 1 }\n");
  const auto other = folder_.trl("check --fix b.trl --json");
  EXPECT_EQ(other.status, 1) << "an error without a fix remains";
  EXPECT_FALSE(nlohmann::json::parse(other.out).empty());
}

TEST_F(SourceCommands, SuggestionsAreShownAndNeverWritten) {
  const std::string text = "import example\nlora a { dropout = 5 }\nmachine m { memory = 80 GB }\n";
  write("a.trl", text);
  const auto result = folder_.trl("check --fix a.trl");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(read("a.trl"), text);
  EXPECT_TRUE(has(result.err, "  = perhaps: lora a { dropout = 5% }\n")) << result.err;
}

TEST_F(SourceCommands, SeveralFilesAreCheckedInOneStart) {
  write("good.trl", "import example\nlora a { rank = 16 }\n");
  write("bad.trl", "lora a { rank = 5000 }\n");
  write("warned.trl", "import example\nexperiment e : example.study { seeds = 3 }\n");
  const auto all = folder_.trl("check good.trl bad.trl warned.trl");
  EXPECT_EQ(all.status, 1);
  EXPECT_EQ(all.out, "good.trl is fine\n");
  EXPECT_TRUE(has(all.err, "bad.trl:1:17: error[out_of_range]")) << all.err;
  EXPECT_TRUE(has(all.err, "warned.trl:2:40: warning[lone_seed]")) << all.err;
  EXPECT_TRUE(all.err.ends_with("3 files: 1 fine, 1 error, 1 warning\n")) << all.err;
  EXPECT_EQ(folder_.trl("check good.trl warned.trl").status, 0);
  EXPECT_EQ(folder_.trl("check --strict good.trl warned.trl").status, 1);
  EXPECT_EQ(folder_.trl("check good.trl nowhere.trl").status, 1);
  const auto found = nlohmann::json::parse(folder_.trl("check bad.trl warned.trl --json").out);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0]["file"], "bad.trl");
  EXPECT_EQ(found[1]["file"], "warned.trl");
  EXPECT_EQ(folder_.trl("check").status, 2);
}

TEST_F(SourceCommands, AStarterChecksPlansAndIsFormatted) {
  const auto result = folder_.trl("new mine");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, "mine.trl\n");
  const auto checked = folder_.trl("check --strict mine.trl");
  EXPECT_EQ(checked.status, 0) << checked.err;
  EXPECT_EQ(folder_.trl("fmt --check mine.trl").status, 0);
  EXPECT_TRUE(has(folder_.trl("plan mine.trl").out, "mine: 2 cells"));
  const std::string text = read("mine.trl");
  const auto again = folder_.trl("new mine");
  EXPECT_EQ(again.status, 1);
  EXPECT_TRUE(has(again.err, "mine.trl already exists")) << again.err;
  EXPECT_EQ(read("mine.trl"), text);
  EXPECT_EQ(folder_.trl("new 1st").status, 1);
  EXPECT_FALSE(fs::exists(folder_.path() / "1st.trl"));
}

TEST_F(SourceCommands, BashCompletesCommandsOptionsValuesAndFiles) {
  if (std::system("command -v bash >/dev/null") != 0) GTEST_SKIP() << "no bash on this machine";
  EXPECT_EQ(completed("trl che", 1), "check\n");
  EXPECT_EQ(completed("trl fmt --c", 2), "--check\n");
  EXPECT_EQ(completed("trl docs --format j", 3), "json\n");
  EXPECT_EQ(completed("trl check stu", 2), "study.trl\n");
  EXPECT_EQ(completed("trl completions \"\"", 2), "bash zsh fish\n");
  write("kernel.py", "");
  EXPECT_EQ(completed("trl verify ker", 2), "kernel.py\n");
  EXPECT_EQ(completed("trl verify --tol", 2), "--tolerant\n");
}

TEST_F(SourceCommands, EveryShellKnowsEveryCommandAndOption) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string script = folder_.trl(std::string("completions ") + shell).out;
    for (const char* part : {"check", "fmt", "completions", "strict", "store", "declarations stages"})
      EXPECT_TRUE(has(script, part)) << shell << " " << part;
  }
  EXPECT_EQ(folder_.trl("completions tcsh").status, 2);
}

/// A message as the base protocol of language servers frames it.
std::string framed(nlohmann::json message) {
  message["jsonrpc"] = "2.0";
  const std::string body = message.dump();
  return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

TEST_F(SourceCommands, TheServerLeavesOutWhatIsCancelledBeforeItsTurn) {
  const nlohmann::json place = {{"textDocument", {{"uri", "file:///x.trl"}}},
                                {"position", {{"line", 0}, {"character", 0}}}};
  std::string messages;
  for (const nlohmann::json& message : std::vector<nlohmann::json>{
           {{"id", 1}, {"method", "initialize"}, {"params", {{"capabilities", nlohmann::json::object()}}}},
           {{"id", 2}, {"method", "textDocument/hover"}, {"params", place}},
           {{"id", "b"}, {"method", "textDocument/hover"}, {"params", place}},
           {{"method", "$/cancelRequest"}, {"params", {{"id", 2}}}},
           {{"method", "$/cancelRequest"}, {"params", {{"id", "b"}}}},
           {{"method", "$/cancelRequest"}, {"params", {{"id", 7}}}},
           {{"id", 3}, {"method", "shutdown"}},
           {{"method", "exit"}}})
    messages += framed(message);
  write("messages", messages);
  const auto ended = folder_.shell("exec $trl lsp <messages");
  EXPECT_EQ(ended.status, 0) << ended.err;
  for (const char* id : {"2", "\"b\""})
    EXPECT_TRUE(has(ended.out, R"({"error":{"code":-32800,"message":"the request was cancelled"},"id":)" +
                                   std::string(id) + ","))
        << ended.out;
  EXPECT_TRUE(has(ended.out, R"({"id":3,"jsonrpc":"2.0","result":null})")) << ended.out;
}

}  // namespace
