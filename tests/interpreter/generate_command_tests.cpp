// `trl generate`, by the real binary with a fake worker; a conversation on a terminal of its own.
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/has.hpp"
#include "tests/interpreter/trl_process.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
namespace fs = std::filesystem;

namespace {

class GenerateCommandTest : public ::testing::Test {
 protected:
  GenerateCommandTest() : folder_(TRL, FAKE_WORKER, fs::path(SOURCE) / "small.trl") {}
  TrlFolder folder_;
};

/// `trl generate` on a terminal.
class Terminal {
 public:
  explicit Terminal(const fs::path& folder) {
    child_ = ::forkpty(&terminal_, nullptr, nullptr, nullptr);
    if (child_ != 0) return;
    for (const auto& [name, value] :
         {std::pair{"TRL_HOME", folder.c_str()}, {"TRL_WORKER", FAKE_WORKER}, {"NO_COLOR", "1"}})
      ::setenv(name, value, 1);
    ::execl(TRL, "trl", "generate", "windtunnel.base", static_cast<char*>(nullptr));
    ::_exit(99);
  }
  ~Terminal() {
    if (child_ > 0) ::kill(child_, SIGKILL);
    ::close(terminal_);
  }

  void type(const std::string& text) {
    ASSERT_EQ(::write(terminal_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  /// Reads until what was written after the last call has a text; fails where that doesn't come in a minute.
  void expect(const std::string& text) {
    for (;;) {
      if (const auto at = seen_.find(text, from_); at != std::string::npos) {
        from_ = at + text.size();
        return;
      }
      pollfd readable{terminal_, POLLIN, 0};
      char block[1024];
      const auto count = ::poll(&readable, 1, 60'000) > 0 ? ::read(terminal_, block, sizeof block) : -1;
      if (count <= 0) break;
      seen_.append(block, static_cast<std::size_t>(count));
    }
    FAIL() << "there is no `" << text << "` after byte " << from_ << " of\n" << seen_;
  }
  int status() {
    int status = 0;
    ::waitpid(std::exchange(child_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  int terminal_ = -1;
  pid_t child_ = -1;
  std::string seen_;
  std::size_t from_ = 0;
};

TEST_F(GenerateCommandTest, AnswersAreShownInOrderWhateverOrderTheyComeIn) {
  const auto ended = folder_.trl("generate windtunnel.base abc xy --samples 2");
  EXPECT_EQ(ended.status, 0) << ended.err;
  // The escape sequence of the answer doesn't reach the terminal.
  EXPECT_EQ(ended.out,
            "[prompt 1, sample 1]\ncba\\x1b[31m0\n[prompt 1, sample 2]\ncba\\x1b[31m1\n"
            "[prompt 2, sample 1]\nyx\\x1b[31m0\n[prompt 2, sample 2]\nyx\\x1b[31m1\n");
  EXPECT_TRUE(has(ended.err, "cut off after 256 tokens")) << ended.err;
}

TEST_F(GenerateCommandTest, StandardInputIsOnePrompt) {
  EXPECT_EQ(folder_.shell("printf 'a\\nb\\n' | $trl generate windtunnel.base").out, "b\na\\x1b[31m0\n");
  EXPECT_EQ(folder_.shell("printf 'ab' | $trl generate windtunnel.base - --json").out,
            R"({"finish":"stop","prompt":"ab","sample":0,"text":"ba\u001b[31m0"})"
            "\n");
}

TEST_F(GenerateCommandTest, WhatIsWrongIsSaid) {
  const auto missing = folder_.trl("generate nowhere x");
  EXPECT_EQ(missing.status, 1);
  EXPECT_TRUE(has(missing.err, "there is no folder nowhere")) << missing.err;
  EXPECT_EQ(folder_.trl("generate windtunnel.base x --temperature warm").status, 2);
  for (const char* wrong : {"--top-p 0", "--top-p 1.5", "--top-k -1", "--stop ''", "--quantize int4"})
    EXPECT_EQ(folder_.shell("$trl generate windtunnel.base x " + std::string(wrong)).status, 2) << wrong;
  const auto refused = folder_.trl("generate windtunnel.base x", {{"FAKE_ERROR", "generate"}});
  EXPECT_EQ(refused.status, 1);
  EXPECT_TRUE(has(refused.err, "no GPU here\n  help: buy one")) << refused.err;
  const auto crashed = folder_.trl("generate windtunnel.base x", {{"FAKE_CRASH", "generate"}});
  EXPECT_EQ(crashed.status, 1);
  EXPECT_TRUE(has(crashed.err, "out of luck")) << crashed.err;
}

TEST_F(GenerateCommandTest, CtrlCStopsTheAnswerAndNotTheConversation) {
  Terminal terminal(folder_.path());
  terminal.expect("> ");
  terminal.type("slow\n");
  terminal.expect("begun");
  terminal.type("\x03");
  terminal.expect("(stopped)");
  terminal.expect("> ");
  terminal.type("abc\n");
  terminal.expect("cba");
  terminal.expect("> ");
  terminal.type("\x04");
  EXPECT_EQ(terminal.status(), 0);
}

TEST_F(GenerateCommandTest, CtrlCAtThePromptEnds) {
  Terminal terminal(folder_.path());
  terminal.expect("> ");
  terminal.type("\x03");
  EXPECT_EQ(terminal.status(), 130);
}

}  // namespace
