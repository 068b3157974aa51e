// How long the verifier waits for processes: by what they compute and how long they sleep.
#include "verifier/services/patience.hpp"

#include <gtest/gtest.h>

#include "base/support/child_process.hpp"

namespace trl::runtime {
namespace {

/// Whether a wait for a shell's line ends early, within some seconds of wall time.
bool ends(const std::string& script, const PatienceLimits& limits, std::chrono::milliseconds most) {
  ChildProcess child({"/bin/sh", "-c", script});
  Patience patience(child.pid(), limits);
  const WaitLimit::Clock::time_point until = WaitLimit::Clock::now() + most;
  child.read_line(patience.wait_limit([&] { return WaitLimit::Clock::now() > until; }));
  return patience.over();
}

constexpr std::chrono::milliseconds soon{120'000}, some{2'500};

TEST(Patience, EndsWithWhatSleeps) {
  EXPECT_TRUE(ends("sleep 60", {0.8}, soon));
  EXPECT_TRUE(ends("kill -STOP $$", {0.8}, soon)) << "it was stopped";
}

TEST(Patience, LastsWhileSomethingComputes) {
  EXPECT_FALSE(ends("while :; do :; done", {0.8}, some));
  EXPECT_FALSE(ends("sh -c 'while :; do :; done' & wait", {0.8}, some)) << "what it started computes";
}

TEST(Patience, EndsWithWhatComputesTooLong) {
  EXPECT_TRUE(ends("while :; do :; done", {60, 0.7}, soon));
  EXPECT_TRUE(ends("sh -c 'while :; do :; done' & wait", {60, 0.7}, soon));
}

TEST(Patience, CountsSleepBetweenWork) {
  EXPECT_TRUE(ends("while :; do sleep 0.2; done", {1.5}, soon)) << "it works a little again and again";
}

}  // namespace
}  // namespace trl::runtime
