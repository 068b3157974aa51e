// Measures trl-kernel-check's server mode: milliseconds from a request to its answer.
//   kernel_check_benchmark [ROUNDS]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "tests/kernel_check/checker.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using trl::test::Checker;
using trl::test::File;

double milliseconds(Clock::duration time) { return std::chrono::duration<double, std::milli>(time).count(); }

/// Sends requests one after another, or with a pause before each, as from a caller that does something else
/// in between.
void run(const char* name, const std::vector<File>& files, int rounds, std::chrono::milliseconds pause) {
  Checker checker;
  checker.check(files.front().text);
  std::vector<double> times;
  const auto begin = Clock::now();
  for (int round = 0; round < rounds; ++round)
    for (const File& file : files) {
      if (pause.count()) std::this_thread::sleep_for(pause);
      const auto asked = Clock::now();
      checker.check(file.text);
      times.push_back(milliseconds(Clock::now() - asked));
    }
  const double all = milliseconds(Clock::now() - begin);
  std::sort(times.begin(), times.end());
  const auto at = [&](double share) { return times[static_cast<std::size_t>(share * (times.size() - 1))]; };
  fmt::print("{:28} {:5} candidates: p10 {:.2f}, p50 {:.2f}, p90 {:.2f}, most {:.2f} ms; {:.0f} a second\n",
             name, times.size(), at(0.1), at(0.5), at(0.9), times.back(), 1000 * times.size() / all);
}

}  // namespace

int main(int count, char** words) {
  const int rounds = count > 1 ? std::max(1, std::atoi(words[1])) : 20;
  const auto begin = Clock::now();
  {
    Checker checker;
    checker.check("");
  }
  fmt::print("start to the first answer: {:.0f} ms\n", milliseconds(Clock::now() - begin));
  run("honest, one after another", trl::test::files("good"), rounds, std::chrono::milliseconds(0));
  run("wrong, one after another", trl::test::files("bad"), rounds, std::chrono::milliseconds(0));
  run("honest, 20 ms apart", trl::test::files("good"), std::max(1, rounds / 4),
      std::chrono::milliseconds(20));
}
