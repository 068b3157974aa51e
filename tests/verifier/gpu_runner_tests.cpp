// The verifier's side of the runner: answers, deadlines, and runners that end. Tests of the runner itself
// need a GPU (tests/verifier/runner_gpu_tests.cpp).
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>

#include "base/stage/cancelled.hpp"
#include "base/stage/stage.hpp"
#include "base/support/error.hpp"
#include "tests/verifier/on_gpu.hpp"
#include "verifier/services/gpu_runner.hpp"

namespace trl::runtime {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Plan copy_plan(const std::string& label) {
  return parse_plan(
      {{"label", label},
       {"buffers",
        {{{"bytes", 12}, {"role", "input"}, {"input", 0}}, {{"bytes", 12}, {"role", "temporary"}}}},
       {"steps", nlohmann::json::array()},
       {"output", {{"buffer", 1}, {"offset", 0}, {"dtype", "f32"}, {"shape", {3}}, {"strides", {1}}}}},
      {12}, 0);
}

std::vector<InputData> inputs() {
  InputData x{"x", std::vector<std::byte>(12)};
  const float values[] = {1, -2, 0.5};
  std::memcpy(x.bytes.data(), values, sizeof values);
  return {x};
}

const std::vector<double> values = {1, -2, 0.5};

class GpuRunnerTest : public testing::Test {
 protected:
  GpuReplay replay(const std::string& label, std::optional<TimingProtocol> timing = std::nullopt,
                   milliseconds time = seconds(20)) {
    return ask(label, timing, time, {});
  }
  GpuReplay ask(const std::string& label, std::optional<TimingProtocol> timing, milliseconds time,
                const std::function<bool()>& cancelled) {
    const Plan plan = copy_plan(label);
    const std::vector<InputData> data = inputs();
    return runner_.ask(GpuRequest(plan, {}, data, timing), time, cancelled).read(plan);
  }
  GpuRunner runner_{TRL_FAKE_GPU "/runner.py"};
};

TEST_F(GpuRunnerTest, GivesOutputsAndTimes) {
  const GpuReplay plain = replay("copy");
  EXPECT_FALSE(plain.finding);
  EXPECT_EQ(plain.outputs, (std::vector<std::vector<double>>{values, values}));
  EXPECT_EQ(plain.without_kernels, std::vector<double>(3));
  EXPECT_TRUE(plain.graph_us.empty());
  const GpuReplay timed = replay("copy", TimingProtocol{});
  EXPECT_EQ(timed.outputs.size(), 3u);
  EXPECT_EQ(timed.graph_us.size(), 4u);
}

TEST_F(GpuRunnerTest, SaysWhichGpuAndDriverItHas) {
  EXPECT_EQ(runner_.gpu().name, "");
  runner_.ready();
  EXPECT_EQ(runner_.gpu().name, "no GPU");
  EXPECT_EQ(runner_.gpu().driver, "570.86.15");
  EXPECT_EQ(runner_.gpu().cuda, "12.8");
}

TEST_F(GpuRunnerTest, AStickyErrorCostsOneCandidate) {
  for (int turn = 0; turn < 3; ++turn) {
    const GpuReplay failed = replay("sticky");
    ASSERT_TRUE(failed.finding);
    EXPECT_EQ(failed.finding->kind, "illegal_access");
    EXPECT_EQ(failed.finding->line, 4);
    EXPECT_EQ(replay("copy").outputs.size(), 2u);
  }
}

TEST_F(GpuRunnerTest, ARunnerThatEndsCostsOneCandidate) {
  EXPECT_EQ(replay("die").finding->kind, "gpu_error");
  EXPECT_EQ(replay("die").finding->kind, "gpu_error");
  EXPECT_EQ(replay("cut").finding->kind, "gpu_error");
  EXPECT_EQ(replay("copy").outputs.size(), 2u);
}

TEST_F(GpuRunnerTest, ARunnerThatSomethingElseEndsCostsNone) {
  const std::string file = testing::TempDir() + "/ended" + std::to_string(::getpid());
  const GpuReplay replayed = replay("once " + file);
  EXPECT_FALSE(replayed.finding);
  EXPECT_EQ(replayed.outputs.size(), 2u);
  std::filesystem::remove(file);
}

// The processes of the stand-in that are children of this process; with `dead`, those that have ended and
// weren't reaped.
std::vector<int> runners(bool dead) {
  std::vector<int> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream stat(entry.path() / "stat"), command(entry.path() / "cmdline");
    std::string text, words;
    if (!std::getline(stat, text)) continue;
    std::getline(command, words);
    const auto end = text.rfind(')');
    if (end == std::string::npos || std::stoi(text.substr(end + 4)) != ::getpid()) continue;
    if (dead ? text[end + 2] == 'Z' : words.find("runner.py") != std::string::npos)
      found.push_back(std::stoi(text));
  }
  return found;
}

TEST_F(GpuRunnerTest, RunnersThatEndWhileTheyWaitCostNothingAndLeaveNothing) {
  const auto among = [](const std::vector<int>& all, int one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  };
  const std::vector<int> others = runners(false);  // those of other tests
  runner_.ready();
  std::vector<int> both;
  while (both.size() < 2) {  // the second one has just been forked and hasn't executed the stand-in yet
    both = runners(false);
    std::erase_if(both, [&](int one) { return among(others, one); });
  }
  for (const int one : both) ::kill(one, SIGKILL);
  EXPECT_EQ(replay("copy").outputs.size(), 2u);
  // One of them may still have been ending.
  const auto left = [&] {
    const std::vector<int> dead = runners(true);
    return std::any_of(both.begin(), both.end(), [&](int one) { return among(dead, one); });
  };
  while (left()) runner_.ready();
}

TEST_F(GpuRunnerTest, AnEndlessKernelEndsAtTheDeadline) {
  EXPECT_EQ(replay("hang", std::nullopt, milliseconds(300)).finding->kind, "timeout");
  EXPECT_EQ(replay("copy").outputs.size(), 2u);
}

TEST_F(GpuRunnerTest, BlamesNoPlanForAGpuThatOthersFill) {
  try {
    replay("crowded");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("3 MiB of its 8192 MiB are left"), std::string::npos)
        << error.what();
  }
  EXPECT_FALSE(replay("copy").finding);
}

TEST_F(GpuRunnerTest, IsCancelled) {
  EXPECT_THROW(ask("hang", std::nullopt, seconds(20), [] { return true; }), Cancelled);
}

TEST(GpuRunner, SaysWhyItCannotStart) {
  GpuRunner absent("/nowhere/trl-runner");
  EXPECT_THROW(absent.ready(), UserError);
  GpuRunner silent("/bin/false");
  try {
    silent.ready();
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("exit status 1"), std::string::npos) << error.what();
  }
}

/// A right relu whose kernel has this name, by which the stand-ins know what to do with it.
std::string relu_by(const std::string& name, const std::string& decorator = "") {
  const std::string grid = decorator.empty() ? "[(triton.cdiv(n, 256),)](x, y, n, BLOCK=256)"
                                             : "[lambda meta: (triton.cdiv(n, meta['BLOCK']),)](x, y, n)";
  return decorator + "@triton.jit\ndef " + name + R"((x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        )" +
         name + grid + "\n        return y\n";
}

/// The verifier's use of a GPU, where both the runner and the baseline are stand-ins.
class GpuVerdicts : public testing::Test {
 protected:
  static Verdict judge(const std::string& name, bool executor = true, const std::string& decorator = "") {
    Protocol protocol = with_stand_in();
    protocol.executor = executor;
    return candidates::judge(candidates::relu(), relu_by(name, decorator), protocol);
  }
};

TEST_F(GpuVerdicts, HaveMeasuredTimes) {
  const Verdict verdict = judge("kernel");
  ASSERT_TRUE(verdict.correct) << verdict.reason << ": " << verdict.message;
  EXPECT_FALSE(verdict.modelled);
  EXPECT_EQ(verdict.time_us, 64);  // 64 · 256 values in programs of 256
  EXPECT_EQ(verdict.launched_us, 65);
  EXPECT_EQ(verdict.reference_us, 20);
  EXPECT_EQ(verdict.speedup, 20.0 / 64);
  EXPECT_FALSE(verdict.to_json()["modelled"].get<bool>());
}

TEST_F(GpuVerdicts, AreTheGpusWhereItGivesOtherValues) {
  for (const char* name : {"liar", "flaky"}) {
    const Verdict verdict = judge(name);
    EXPECT_FALSE(verdict.correct) << name;
    EXPECT_FALSE(verdict.values) << name;
    EXPECT_EQ(verdict.failed, "timed") << name;
    EXPECT_EQ(verdict.reason, "wrong_values") << name;
    EXPECT_NE(verdict.message.find("on the GPU"), std::string::npos) << verdict.message;
  }
  EXPECT_EQ(judge("illegal").reason, "illegal_access");
}

/// Verdicts on tensors of 268 MB, which never leave the GPU.
class GpuVerdictsAtOwnSizes : public testing::Test {
 protected:
  static Verdict judge(const std::string& name, bool memory_checks = true) {
    Protocol protocol = with_stand_in();
    protocol.memory_checks = memory_checks;
    Task task = candidates::relu();
    for (auto& [dim, size] : task.dims) size = 8192;
    return candidates::judge(task, relu_by(name), protocol);
  }
};

TEST_F(GpuVerdictsAtOwnSizes, HaveMeasuredTimes) {
  const Verdict verdict = judge("kernel");
  ASSERT_TRUE(verdict.correct) << verdict.reason << ": " << verdict.message;
  EXPECT_FALSE(verdict.modelled);
  EXPECT_EQ(verdict.time_us, 64);
  EXPECT_EQ(verdict.launched_us, 65);
  EXPECT_EQ(verdict.reference_us, 20);
}

TEST_F(GpuVerdictsAtOwnSizes, SayWhatIsWrong) {
  for (const auto& [name, reason] : std::map<std::string, std::string>{{"liar", "wrong_values"},
                                                                       {"flaky", "wrong_values"},
                                                                       {"mutator", "mutated_input"},
                                                                       {"decoy", "decoy_kernel"},
                                                                       {"illegal", "illegal_access"},
                                                                       {"stray", "out_of_bounds_store"}}) {
    const Verdict verdict = judge(name);
    EXPECT_FALSE(verdict.correct) << name;
    EXPECT_EQ(verdict.failed, "full") << name;
    EXPECT_EQ(verdict.reason, reason) << name << ": " << verdict.message;
    if (name == "illegal") {
      EXPECT_TRUE(judge("kernel").correct) << "another runner takes over";
    }
  }
  EXPECT_NE(
      judge("liar").message.find("at [1, 3] is 0.5; PyTorch in f64 has 0.25, which may differ by 1e-06"),
      std::string::npos);
  EXPECT_TRUE(judge("stray", false).correct);
}

TEST_F(GpuVerdictsAtOwnSizes, BlameNoAnswerForTheSizeOfItsTask) {
  const Verdict verdict = judge("too_large");
  EXPECT_FALSE(verdict.correct);
  EXPECT_EQ(verdict.reason, "not_judged") << verdict.message;
}

// Judges a relu that is too long for the executor because of work that changes nothing.
Verdict judge_long(const std::string& kernel, int turns, const std::string& stray = "") {
  Protocol protocol = with_stand_in();
  protocol.strict = true;
  return candidates::judge(candidates::relu(),
                           "@triton.jit\ndef " + kernel + R"((x_ptr, y_ptr, n, turns, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    s = 0
    for j in range(turns):
        s += j & 1
    v = tl.load(x_ptr + i, mask=i < n)
)" + stray + R"(
    tl.store(y_ptr + i, tl.maximum(v, 0.0) + tl.where(s < 0, 1.0, 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        )" + kernel + "[(triton.cdiv(n, 256),)](x, y, n, " +
                               std::to_string(turns) + ", BLOCK=256)\n        return y\n",
                           protocol);
}

TEST_F(GpuVerdicts, OfPlansTooLongForTheExecutorAreChallenged) {
  constexpr int too_long_together = 200'000;
  const Verdict honest = judge_long("kernel", too_long_together);
  EXPECT_TRUE(honest.correct) << honest.reason << ": " << honest.message;
  EXPECT_EQ(judge_long("keeper", too_long_together).reason, "kept_output");
}

TEST_F(GpuVerdicts, OfPlansTooLongForTheExecutorKnowSomeAccesses) {
  constexpr int too_long_together = 200'000, too_long_alone = 100'000'000;
  const Verdict stray = judge_long("kernel", too_long_together,
                                   "    v += tl.load(x_ptr + n + i, mask=tl.program_id(0) == 63) * 0");
  EXPECT_EQ(stray.failed, "full");
  EXPECT_EQ(stray.reason, "out_of_bounds_load") << stray.message;
  EXPECT_EQ(judge_long("kernel", too_long_alone).reason, "timeout");
}

// Judges an answer to a task that concatenates x with itself; the stand-in for the GPU runs its kernels.
Verdict judge_twice(const std::string& kernel, const std::string& forward) {
  const Task task = Task::parse({{"suite", "test"},
                                 {"id", 1},
                                 {"name", "twice"},
                                 {"doc", ""},
                                 {"dims", nlohmann::json::array({nlohmann::json::array({"N", 512})})},
                                 {"inputs", {{{"name", "x"}, {"dtype", "f32"}, {"shape", {"N"}}}}},
                                 {"value",
                                  {{"op", "cat"},
                                   {"args", {{{"input", "x"}}, {{"input", "x"}}}},
                                   {"attrs", {{"axis", 0}}},
                                   {"shape", {"2 * N"}}}},
                                 {"output", {{"dtype", "f32"}, {"shape", {"2 * N"}}}},
                                 {"key", "cat[axis=0](x0:f32[d0],x0)"}});
  Protocol protocol = with_stand_in();
  protocol.executor = false;
  return candidates::judge(task, "@triton.jit\ndef " + kernel + R"((x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i % n, mask=i < 2 * n), mask=i < 2 * n)

class ModelNew(nn.Module):
    def forward(self, x):
        n = x.numel()
)" + forward,
                           protocol);
}

TEST_F(GpuVerdicts, OfTheGpuAloneAskWhoGaveTheAnswer) {
  EXPECT_TRUE(judge("kernel", false).correct);
  const Verdict own = judge_twice("twice", R"(        y = torch.empty(2 * n, device=x.device)
        twice[(4,)](x, y, n, BLOCK=256)
        return y
)");
  EXPECT_TRUE(own.correct) << own.message;
  EXPECT_EQ(judge_twice("twice", R"(        y = torch.cat([x, x])
        twice[(4,)](y, y, 2 * n, BLOCK=256)
        return y
)")
                .reason,
            "decoy_kernel")
      << "what the framework joined, in place";
  EXPECT_EQ(judge_twice("joined", R"(        t = torch.cat([x, x])
        y = torch.empty_like(t)
        joined[(4,)](t, y, 2 * n, BLOCK=256)
        return y
)")
                .reason,
            "decoy_kernel")
      << "what the framework joined, handed on";
}

TEST_F(GpuVerdicts, AreOfTheFastestConfiguration) {
  const Verdict verdict = judge("kernel", true, R"(@triton.autotune(configs=[
    triton.Config({"BLOCK": 128}), triton.Config({"BLOCK": 1024}), triton.Config({"BLOCK": 512})], key=["n"])
)");
  ASSERT_TRUE(verdict.correct) << verdict.reason << ": " << verdict.message;
  EXPECT_EQ(verdict.time_us, 16);
}

TEST(TrimmedMean, CutsBothEnds) {
  EXPECT_FALSE(trimmed_mean({}, 0.1));
  EXPECT_EQ(trimmed_mean({5}, 0.4), 5);
  EXPECT_EQ(trimmed_mean({100, 1, 2, 3, -50}, 0.2), 2);
  EXPECT_EQ(trimmed_mean({1, 3}, 0.49), 2);
}

TEST(PlanJson, ComesBackAsItWas) {
  const nlohmann::json written = {
      {"label", "original"},
      {"buffers",
       {{{"bytes", 64}, {"role", "input"}, {"input", 0}}, {{"bytes", 128}, {"role", "temporary"}}}},
      {"steps",
       {{{"fill",
          {{"to", {{"buffer", 1}, {"offset", 0}, {"dtype", "f32"}, {"shape", {4, 4}}, {"strides", {4, 1}}}},
           {"value", "nan"},
           {"line", 3}}}},
        {{"copy",
          {{"to", {{"buffer", 1}, {"offset", 64}, {"dtype", "f16"}, {"shape", {16}}, {"strides", {1}}}},
           {"from", {{"buffer", 0}, {"offset", 0}, {"dtype", "f32"}, {"shape", {16}}, {"strides", {1}}}},
           {"line", 0}}}},
        {{"launch",
          {{"kernel", 0},
           {"grid", {2, 1, 1}},
           {"args",
            {{{"buffer", 0}, {"offset", 4}},
             {{"i32", -3}},
             {{"i64", 1LL << 40}},
             {{"f32", "-inf"}},
             {{"f64", 0.1}},
             {{"i1", true}}}},
           {"line", 9}}}}}},
      {"output", {{"buffer", 1}, {"offset", 0}, {"dtype", "f32"}, {"shape", {16}}, {"strides", {1}}}}};
  EXPECT_EQ(to_json(parse_plan(written, {64}, 1)), written);
}

}  // namespace
}  // namespace trl::runtime
