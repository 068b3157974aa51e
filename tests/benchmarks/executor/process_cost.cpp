// Compares trl-executor with the library in this process, for one candidate: parsing, and replays of one
// plan.
//   executor_process_cost [ROUNDS]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "tests/executor/forged_texts.hpp"
#include "verifier/services/executor_process.hpp"

namespace {

using namespace trl;
using namespace trl::runtime;
using Clock = std::chrono::steady_clock;

double milliseconds(Clock::duration time) { return std::chrono::duration<double, std::milli>(time).count(); }

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Plan relu(int elements) {
  const auto pointer = [](int buffer) {
    return nlohmann::json{{"buffer", buffer}, {"offset", 0}, {"dtype", "f32"}};
  };
  nlohmann::json output = pointer(1);
  output["shape"] = {elements}, output["strides"] = {1};
  return parse_plan({{"label", "original"},
                     {"buffers",
                      {{{"bytes", 4 * elements}, {"role", "input"}, {"input", 0}},
                       {{"bytes", 4 * elements}, {"role", "temporary"}}}},
                     {"steps",
                      {{{"launch",
                         {{"kernel", 0},
                          {"grid", {elements / 256, 1, 1}},
                          {"args", {pointer(0), pointer(1), {{"i32", elements}}}},
                          {"num_warps", 4},
                          {"line", 1}}}}}},
                     {"output", output}},
                    {4 * elements}, 1);
}

}  // namespace

int main(int count, char** words) {
  const int rounds = count > 1 ? std::atoi(words[1]) : 100;
  Installation installation;
  const auto binaries = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  installation.sandbox = binaries / "trl-sandbox";
  installation.executor = binaries / "trl-executor";
  ChildProcess probe({installation.sandbox.string(), "--", "/bin/true"});
  const bool confined = probe.wait(std::chrono::seconds(20)) != 125;
  ExecutorProcess process(installation, confined);
  const auto start = Clock::now();
  process.ready();
  std::printf("start of the process: %.1f ms%s\n", milliseconds(Clock::now() - start),
              confined ? "" : " (without isolation)");
  const std::string text = trl::executor::test::honest_text();
  for (const int elements : {256, 16384, 262144, 1048576}) {
    const Plan plan = relu(elements);
    const std::vector<InputData> inputs{
        {"x", std::vector<std::byte>(static_cast<std::size_t>(4 * elements))}};
    std::vector<double> parse_here, parse_there, here, there;
    for (int round = 0; round < rounds; ++round) {
      auto begin = Clock::now();
      const auto parsed = trl::executor::parse(text);
      parse_here.push_back(milliseconds(Clock::now() - begin));
      begin = Clock::now();
      replay(plan, {std::get<trl::executor::Module>(parsed)}, {""}, inputs, {});
      here.push_back(milliseconds(Clock::now() - begin));
      begin = Clock::now();
      process.parse({text});
      parse_there.push_back(milliseconds(Clock::now() - begin));
      begin = Clock::now();
      process.replay(plan, inputs, {});
      there.push_back(milliseconds(Clock::now() - begin));
      process.end();
    }
    std::printf(
        "%8d elements: parse %.2f ms, with a child of its own %.2f ms; replay %.2f ms, there %.2f ms\n",
        elements, median(parse_here), median(parse_there), median(here), median(there));
  }
}
