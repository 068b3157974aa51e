#include "base/support/child_process.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include "base/support/files.hpp"
#include "tests/support/scratch.hpp"

namespace trl {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Clock = std::chrono::steady_clock;

constexpr seconds most_time{60};  // that a busy machine may take

std::vector<std::string> shell(const std::string& text) { return {"/bin/sh", "-c", text}; }

bool gone_in_time(pid_t process) {
  for (const auto begun = Clock::now(); Clock::now() - begun < most_time;) {
    std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
    std::string number, name, state;
    if (!(stat >> number >> name >> state) || state == "Z") return true;
    std::this_thread::sleep_for(milliseconds(5));
  }
  return false;
}

TEST(ChildProcess, AnswersLinesWithLinesAndBytes) {
  ChildProcess child({"cat"});
  EXPECT_TRUE(child.running());
  EXPECT_TRUE(child.write_line("one"));
  EXPECT_EQ(child.read_line(most_time), "one");
  const std::string rest = std::string(200'000, 'x') + "\nlast";
  std::thread writer([&] {
    child.write_bytes(std::as_bytes(std::span(rest)));
    child.end_input();
  });
  const auto bytes = child.read_bytes(150'000, most_time);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->size(), 150'000u);
  EXPECT_EQ(child.read_line(most_time), std::string(50'000, 'x'));
  EXPECT_EQ(child.read_to_end(), "last");
  writer.join();
  EXPECT_EQ(child.wait(most_time), 0);
  EXPECT_FALSE(child.running());
  EXPECT_EQ(child.stop(), -1) << "nothing is left to stop";
}

TEST(ChildProcess, AProgramThatIsNotThereIsAnErrorWithItsName) {
  try {
    ChildProcess child({"/nowhere/program"});
    FAIL() << "no error";
  } catch (const StartError& error) {
    EXPECT_STREQ(error.what(), "cannot start /nowhere/program: No such file or directory");
    EXPECT_EQ(error.code, ENOENT);
    EXPECT_FALSE(error.help.empty());
  }
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "it leaves no child";
}

TEST(ChildProcess, AReadEndsWithTheLineLimitTheDeadlineTheChildAndByRequest) {
  ChildProcess child(shell("echo short; printf '%01000d' 0; exec sleep 1000"));
  EXPECT_EQ(child.read_line(most_time), "short");
  EXPECT_FALSE(child.read_line(most_time, 100)) << "the line is longer";
  EXPECT_FALSE(child.read_line(milliseconds(20))) << "it never ends";
  const auto begun = Clock::now();
  EXPECT_FALSE(
      child.read_bytes(5000, {seconds(1000), [&] { return Clock::now() - begun > milliseconds(50); }}));
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_EQ(::write(ends[1], "!", 1), 1);
  EXPECT_FALSE(child.read_line(WaitLimit::until_readable(ends[0])));
  for (const int end : ends) ::close(end);
  child.stop();

  ChildProcess brief(shell("printf unfinished"));
  EXPECT_FALSE(brief.read_line({})) << "its end is the end, without a newline";
}

TEST(ChildProcess, ADeadlineHoldsForAChildThatWritesWithoutEnd) {
  ChildProcess child({"cat", "/dev/zero"});
  const auto begun = Clock::now();
  EXPECT_FALSE(child.read_line(milliseconds(100), std::size_t{1} << 40));
  EXPECT_LT(Clock::now() - begun, most_time);
}

// Who sees that the deadline hasn't passed takes it that the child has ended.
TEST(ChildProcess, AWaitForAChildThatLivesIsNeverOverBeforeItsDeadline) {
  ChildProcess child({"cat"});
  for (int i = 0; i < 40; ++i) {
    const auto deadline = Clock::now() + std::chrono::microseconds(1500 + 137 * i);
    EXPECT_FALSE(child.read_line(WaitLimit(deadline)));
    EXPECT_GE(Clock::now(), deadline) << i;
  }
}

TEST(ChildProcess, ACountOfBytesThatNeverComeTakesNoMemory) {
  ChildProcess child(shell("head -c 3000000 /dev/zero"));
  EXPECT_FALSE(child.read_bytes(std::size_t{1} << 60, most_time));
}

TEST(ChildProcess, AWriteToAChildThatIsGoneFails) {
  ChildProcess child({"true"});
  while (child.alive()) std::this_thread::sleep_for(milliseconds(1));
  EXPECT_FALSE(child.running());
  EXPECT_FALSE(child.write_line("x"));
}

TEST(ChildProcess, SaysHowItEnded) {
  EXPECT_EQ(ChildProcess(shell("exit 3")).wait(), 3);
  EXPECT_EQ(ChildProcess(shell("kill -SEGV $$")).wait(most_time), 128 + SIGSEGV);
  EXPECT_EQ(ChildProcess(shell("exec sleep 1000")).wait(milliseconds(10)), 128 + SIGKILL);
  EXPECT_EQ(how_it_ended(3), "ended with exit status 3");
  EXPECT_EQ(how_it_ended(128 + SIGSEGV), "was killed by signal 11 (Segmentation fault)");
}

TEST(ChildProcess, ItsErrorsAreKept) {
  ChildProcess child(shell("printf 'first\\nsecond\\n\\n' >&2; echo"));
  EXPECT_EQ(child.read_line(most_time), "");
  EXPECT_EQ(child.errors(), "first\nsecond");
  EXPECT_EQ(child.errors(3), "fir");
}

TEST(ChildProcess, ReadsATextAsItsInput) {
  const std::string text(300'000, 'y');
  ChildProcess child({"cat"}, {.input = text});
  EXPECT_TRUE(child.read_to_end() == text);
  EXPECT_EQ(child.wait(), 0);
}

TEST(ChildProcess, TheEnvironmentIsChanged) {
  ::setenv("GROUND_KEPT", "kept", 1);
  ::setenv("GROUND_GONE", "there", 1);
  ChildProcess child(shell("echo $GROUND_KEPT ${GROUND_GONE-gone} $GROUND_NEW"),
                     {.environment = {"GROUND_GONE", "GROUND_NEW=new"}});
  EXPECT_EQ(child.read_line(most_time), "kept gone new");
}

TEST(ChildProcess, WithALogIsSpokenToOverDescriptorThree) {
  const test::Scratch scratch;
  write_text(scratch.path / "log", "before\n");
  ChildProcess child(shell("echo out; echo err >&2; wc -c; read line <&3; echo \"$line!\" >&3; exit 4"),
                     {.log = scratch.path / "log"});
  EXPECT_TRUE(child.write_line("hello"));
  EXPECT_EQ(child.read_line(most_time), "hello!");
  EXPECT_EQ(child.wait(most_time), 4);
  EXPECT_EQ(read_text(scratch.path / "log"), "before\nout\nerr\n0\n");
  EXPECT_THROW(ChildProcess({"true"}, {.log = scratch.path / "no" / "log"}), DiskError);
}

TEST(ChildProcess, WhatItStartedEndsWithIt) {
  ChildProcess child(shell("sleep 1000 & echo $!; wait"));
  const pid_t grandchild = std::stoi(child.read_line(most_time).value());
  child.stop();
  EXPECT_TRUE(gone_in_time(grandchild));

  ChildProcess leaving(shell("sleep 1000 > /dev/null & echo $!"));
  const pid_t left = std::stoi(leaving.read_line(most_time).value());
  EXPECT_EQ(leaving.wait(), 0);
  EXPECT_TRUE(gone_in_time(left)) << "of a child that ended by itself, too";
}

TEST(ChildProcess, InheritsNoDescriptorOfAnother) {
  const std::string count = "ls /proc/self/fd | wc -l";
  const auto alone = ChildProcess(shell(count)).read_line(most_time);
  ASSERT_TRUE(alone);
  ChildProcess first({"cat"});
  EXPECT_EQ(ChildProcess(shell(count)).read_line(most_time), alone) << "of another child's";
}

TEST(ChildProcess, OfAGroupOfItsOwnIgnoresAndBlocksNoSignal) {
  std::signal(SIGUSR1, SIG_IGN);
  sigset_t usr2;
  ::sigemptyset(&usr2);
  ::sigaddset(&usr2, SIGUSR2);
  ::pthread_sigmask(SIG_BLOCK, &usr2, nullptr);
  const std::string signals =
      "grep -E 'Sig(Ign|Blk)' /proc/self/status | cut -c9-; cut -d' ' -f5 /proc/self/stat";
  const auto mask = [](ChildProcess& child) {
    return std::stoull(child.read_line(most_time).value(), nullptr, 16);
  };
  ChildProcess own(shell(signals));
  EXPECT_EQ(mask(own), 0u) << "blocked";
  EXPECT_EQ(mask(own), 0u) << "ignored";
  EXPECT_NE(own.read_line(most_time), std::to_string(::getpgrp()));
  ChildProcess shared(shell(signals), {.own_group = false});
  EXPECT_TRUE(mask(shared) & 1u << (SIGUSR2 - 1)) << "blocked";
  EXPECT_TRUE(mask(shared) & 1u << (SIGUSR1 - 1)) << "ignored";
  EXPECT_EQ(shared.read_line(most_time), std::to_string(::getpgrp()));
  std::signal(SIGUSR1, SIG_DFL);
  ::pthread_sigmask(SIG_UNBLOCK, &usr2, nullptr);
  sigset_t blocked;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  EXPECT_EQ(::sigismember(&blocked, SIGINT), 0) << "starting one leaves this thread's signals as they were";
}

TEST(ChildProcess, DiesWithWhoStartedItWhereAsked) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const pid_t parent = ::fork();
  if (parent == 0) {
    ChildProcess child(shell("echo $$; exec sleep 1000"), {.dies_with_us = true});
    const std::string line = child.read_line(most_time).value_or("") + "\n";
    [[maybe_unused]] const auto written = ::write(ends[1], line.data(), line.size());
    ::kill(::getpid(), SIGKILL);
  }
  ::close(ends[1]);
  std::string said(32, '\0');
  const auto count = ::read(ends[0], said.data(), said.size());
  ::close(ends[0]);
  ::waitpid(parent, nullptr, 0);
  ASSERT_GT(count, 1);
  EXPECT_TRUE(gone_in_time(std::stoi(said)));
}

TEST(ChildProcess, TakesAMove) {
  ChildProcess child({"cat"});
  ChildProcess other(std::move(child));
  EXPECT_FALSE(child.running());
  EXPECT_TRUE(other.write_line("x"));
  EXPECT_EQ(other.read_line(most_time), "x");
  other = ChildProcess({"cat"});
  EXPECT_TRUE(other.write_line("y"));
  EXPECT_EQ(other.read_line(most_time), "y");
}

}  // namespace
}  // namespace trl
