// The runner on a real GPU: honest candidates are timed, and the GPU alone finds each thing that a kernel may
// not do. Without a GPU everything here is skipped; packaging/scripts/gpu runs it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "tests/verifier/on_gpu.hpp"
#include "tests/verifier/task_of.hpp"

namespace trl::runtime {
namespace {

using candidates::honest_relu;

class RunnerOnGpu : public OnGpu {
 protected:
  /// The protocol of a training round with memory checks, in which the GPU alone judges.
  static Protocol alone() {
    Protocol protocol = candidates::training();
    protocol.timing = TimingProtocol{};
    protocol.executor = false;
    protocol.memory_checks = true;
    return protocol;
  }

  static Verdict judge(const std::string& answer, const Task& task = candidates::relu()) {
    return candidates::judge(task, answer, alone());
  }

  static std::string answer(const std::string& body,
                            const std::string& forward = R"(        y = torch.empty_like(x)
        n = x.numel()
        kernel[(triton.cdiv(n, 256),)](x, y, n, BLOCK=256)
        return y
)") {
    return "@triton.jit\ndef kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):\n"
           "    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n    m = i < n\n" +
           body + "\nclass ModelNew(nn.Module):\n    def forward(self, x):\n" + forward;
  }

  /// Expects that the candidate fails for one of these reasons, and that the honest one after it is right.
  static void expect_refused(const std::string& source, const std::set<std::string>& reasons) {
    const Verdict verdict = judge(source);
    EXPECT_FALSE(verdict.correct) << source;
    EXPECT_TRUE(reasons.contains(verdict.reason)) << verdict.reason << ": " << verdict.message;
    const Verdict honest = judge(honest_relu);
    EXPECT_TRUE(honest.correct) << honest.reason << ": " << honest.message;
  }
};

TEST_F(RunnerOnGpu, TimesWhatIsRight) {
  const Verdict verdict = judge(honest_relu);
  ASSERT_TRUE(verdict.correct) << verdict.reason << ": " << verdict.message;
  EXPECT_FALSE(verdict.modelled);
  EXPECT_GT(*verdict.time_us, 0);
  EXPECT_GT(*verdict.reference_us, 0);
  EXPECT_GT(*verdict.launched_us, 0);
  EXPECT_NEAR(verdict.speedup, *verdict.reference_us / *verdict.time_us, 1e-9);
}

/// Tensors of 268 MB, which stay on the GPU.
class OwnSizesOnGpu : public RunnerOnGpu {
 protected:
  static Verdict judge(const std::string& body, std::optional<std::string> forward = std::nullopt) {
    Protocol protocol = alone();
    protocol.executor = true;
    const Task task = task_of("[M = 8192, N = 8192](x: f32[M, N]) = relu(x) + x / 2");
    return candidates::judge(task, forward ? answer(body, *forward) : answer(body), protocol);
  }
  static std::string stores(const std::string& value, const std::string& mask = "m") {
    return "    x = tl.load(x_ptr + i, mask=m)\n    tl.store(y_ptr + i, " + value + ", mask=" + mask + ")\n";
  }
  static constexpr const char* right = "tl.maximum(x, 0.0) + x * 0.5";
};

TEST_F(OwnSizesOnGpu, TimesWhatIsRight) {
  const Verdict verdict = judge(stores(right));
  ASSERT_TRUE(verdict.correct) << verdict.reason << ": " << verdict.message;
  EXPECT_FALSE(verdict.modelled);
  EXPECT_GT(*verdict.time_us, 0);
  EXPECT_GT(*verdict.reference_us, 0);
}

TEST_F(OwnSizesOnGpu, RefuseWhatIsWrongThereAlone) {
  const auto refused = [](const std::string& body, const std::string& reason) {
    const Verdict verdict = judge(body);
    EXPECT_FALSE(verdict.correct) << body;
    EXPECT_EQ(verdict.reason, reason) << body << verdict.message;
  };
  // The last block, an element in the middle, half precision, a constant.
  refused(stores(right, "m & (i < 67108800)"), "wrong_values");
  refused(stores("tl.where(i == 40000000, 1.0, tl.maximum(x, 0.0) + x * 0.5)"), "wrong_values");
  refused(stores("tl.where(i > 10000000, (tl.maximum(x, 0.0) + x * 0.5).to(tl.float16).to(tl.float32), "
                 "tl.maximum(x, 0.0) + x * 0.5)"),
          "wrong_values");
  refused(stores(right) + "    tl.store(x_ptr + i, x + 1.0, mask=i == 50000000)\n", "mutated_input");
  refused(stores(right) + "    tl.store(y_ptr + i + 67108864, x, mask=i == 5)\n", "out_of_bounds_store");
}

TEST_F(RunnerOnGpu, AgreesWithTheExecutorInAnExam) {
  Protocol protocol = candidates::exam();
  protocol.timing = TimingProtocol{};
  const Verdict verdict = candidates::judge(candidates::relu(), honest_relu, protocol);
  EXPECT_TRUE(verdict.correct) << verdict.failed << " " << verdict.variation << ": " << verdict.message;
}

TEST_F(RunnerOnGpu, CarriesOutWhatTheFrameworkDoesBetweenLaunches) {
  // Strided views, casts, fills and copies within one buffer.
  const Verdict verdict =
      judge(answer("    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=m), 0.0), mask=m)\n",
                   R"(        a = x.t().contiguous()
        b = torch.full((x.shape[1], x.shape[0]), 3.0, device=x.device, dtype=x.dtype)
        n = x.numel()
        kernel[(triton.cdiv(n, 256),)](a, b, n, BLOCK=256)
        c = torch.zeros((2, x.shape[0], x.shape[1]), device=x.device, dtype=torch.float64)
        c[1].copy_(b.t())
        c[0].copy_(c[1])
        return c[0].to(torch.float32)
)"));
  EXPECT_TRUE(verdict.correct) << verdict.failed << " " << verdict.reason << ": " << verdict.message;
}

TEST_F(RunnerOnGpu, PutsAddressesOfItsBuffersIntoTables) {
  const std::string kernel = R"(@triton.jit
def kernel(table, y_address, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x_ptr = tl.load(table + tl.program_id(0) % 2).to(tl.pointer_type(tl.float32))
    y_ptr = y_address.to(tl.pointer_type(tl.float32))
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        other = x.clone()
        table = torch.tensor([x.data_ptr(), other.data_ptr()OFFSET], dtype=torch.int64, device=x.device)
        kernel[(triton.cdiv(x.numel(), 256),)](table, y.data_ptr(), x.numel(), BLOCK=256)
        return y
)";
  const auto with = [&](const std::string& offset) {
    std::string text = kernel;
    return text.replace(text.find("OFFSET"), 6, offset);
  };
  const Verdict verdict = judge(with(""));
  EXPECT_TRUE(verdict.correct) << verdict.failed << " " << verdict.reason << ": " << verdict.message;
  expect_refused(with(" + 4"), {"wrong_values"});
}

// Results of two dtypes, the first of an odd number of bytes.
TEST_F(RunnerOnGpu, PacksSeveralResults) {
  const Task task = task_of("[M = 33, N = 47](x: f32[M, N]) = [x > 0, exp(x), to(sum(x, axis = 1), f16)]");
  const std::string kernel = R"(@triton.jit
def kernel(x_ptr, c_ptr, y_ptr, s_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    tl.store(c_ptr + row * N + c, x > 0, mask=c < N)
    tl.store(y_ptr + row * N + c, tl.exp(x), mask=c < N)
    tl.store(s_ptr + row, tl.sum(x)PLUS)

class ModelNew(nn.Module):
    def forward(self, x):
        c = torch.empty_like(x, dtype=torch.bool)
        y = torch.empty_like(x)
        s = torch.empty(x.shape[0], device=x.device, dtype=torch.float16)
        kernel[(x.shape[0],)](x, c, y, s, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return c, y, s
)";
  const auto with = [&](const std::string& plus) {
    std::string text = kernel;
    return text.replace(text.find("PLUS"), 4, plus);
  };
  const Verdict right = judge(with(""), task);
  EXPECT_TRUE(right.correct) << right.failed << " " << right.reason << ": " << right.message;
  const Verdict wrong = judge(with(" + (row == 32)"), task);
  EXPECT_EQ(wrong.reason, "wrong_values");
  EXPECT_NE(wrong.message.find("[32] of result 3"), std::string::npos) << wrong.message;
}

TEST_F(RunnerOnGpu, RunsWhatPyTorchFinishes) {
  const Task task = task_of("[M = 64, N = 4000](x: f32[M, N]) = sqrt(sum(x * x, axis = 1))");
  const std::string text = R"(@triton.jit
def kernel(x_ptr, part_ptr, N, PARTS: tl.constexpr, BLOCK: tl.constexpr):
    row, part = tl.program_id(0), tl.program_id(1)
    c = part * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    tl.store(part_ptr + row * PARTS + part, tl.sum(x * x))

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        parts = triton.cdiv(N, 1024)
        part = torch.empty((M, parts), device=x.device)
        kernel[(M, parts)](x, part, N, PARTS=parts, BLOCK=1024)
        return FINISH
)";
  const auto judged = [&](const std::string& finish, bool epilogue) {
    std::string whole = text;
    Protocol protocol = alone();
    protocol.epilogue = epilogue;
    return candidates::judge(task, whole.replace(whole.find("FINISH"), 6, finish), protocol);
  };
  for (const char* finish :
       {"part.sum(1).sqrt()", "part.t().sum(0).sqrt_()", "1 / torch.rsqrt(part.mean(1) * parts)",
        "torch.sqrt(part.view(8, 8, parts).sum(-1).view(-1) + 0)"}) {
    const Verdict right = judged(finish, true);
    EXPECT_TRUE(right.correct) << finish << " " << right.failed << " " << right.reason << ": "
                               << right.message;
    EXPECT_FALSE(right.modelled);
    EXPECT_LT(right.kernel_share.value_or(1), 1);
    EXPECT_EQ(judged(finish, false).reason, "framework_compute");
  }
  EXPECT_EQ(judged("part.amax(1).sqrt()", true).reason, "wrong_values");
}

TEST_F(RunnerOnGpu, FindsStoresBesideABuffer) {
  expect_refused(answer("    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=m), 0.0), mask=m)\n"
                        "    tl.store(y_ptr + n + i, 1.0, mask=i < 8)\n"),
                 {"out_of_bounds_store"});
  expect_refused(answer("    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=m), 0.0), mask=m)\n"
                        "    tl.store(y_ptr - 64 + i, 1.0, mask=i < 8)\n"),
                 {"out_of_bounds_store"});
}

TEST_F(RunnerOnGpu, FindsAChangedInput) {
  expect_refused(
      answer("    x = tl.load(x_ptr + i, mask=m)\n    tl.store(y_ptr + i, tl.maximum(x, 0.0), mask=m)\n"
             "    tl.store(x_ptr + i, x + 1, mask=m)\n"),
      {"mutated_input", "wrong_values"});
}

TEST_F(RunnerOnGpu, FindsWhatIsNeverWritten) {
  expect_refused(
      answer("    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=m), 0.0), mask=i < n - 1)\n"),
      {"wrong_values"});
  // maximum(NaN, 0) swallows the poison that is NaN; the second poison is a number.
  expect_refused(answer("    tl.store(y_ptr + i, tl.maximum(tl.load(y_ptr + i, mask=m), 0.0), mask=m)\n"),
                 {"wrong_values"});
}

TEST_F(RunnerOnGpu, SurvivesAnIllegalAddress) {
  expect_refused(answer("    far = i.to(tl.int64) + (1 << 44)\n"
                        "    tl.store(y_ptr + i, tl.load(x_ptr + far), mask=m)\n"),
                 {"illegal_access"});
}

TEST_F(RunnerOnGpu, EndsAnEndlessKernel) {
  expect_refused(answer("    k = 0\n    while k >= 0:\n        k = (k + 1) % 7\n"
                        "    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=m) + k, mask=m)\n"),
                 {"timeout"});
}

TEST_F(RunnerOnGpu, LeavesNothingFromOneRunToTheNext) {
  // The kernel works only if a temporary says that it hasn't yet. Since the temporary is poisoned before each
  // run, it always works, and its time includes the work.
  const std::string lazy = R"(@triton.jit
def kernel(x_ptr, y_ptr, flag_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    done = tl.load(flag_ptr + tl.program_id(0))
    if done != 77:
        tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=m), 0.0), mask=m)
        tl.store(flag_ptr + tl.program_id(0), 77)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        flag = torch.empty(triton.cdiv(n, 256), dtype=torch.int32, device=x.device)
        kernel[(triton.cdiv(n, 256),)](x, y, flag, n, BLOCK=256)
        return y
)";
  const Verdict verdict = judge(lazy);
  EXPECT_TRUE(verdict.correct) << verdict.reason << ": " << verdict.message;
  // The same, but its flag is in memory beside the buffer.
  expect_refused(R"(@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    done = tl.load(y_ptr + n + 1024 + tl.program_id(0))
    if done != 77.0:
        tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=m), 0.0), mask=m)
        tl.store(y_ptr + n + 1024 + tl.program_id(0), 77.0)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        kernel[(triton.cdiv(n, 256),)](x, y, n, BLOCK=256)
        return y
)",
                 {"out_of_bounds_store"});
}

/// A kernel that gives zeros wherever it finds the value `finds`, `behind` elements after the output's end.
std::string spy(const std::string& behind, const std::string& finds, const std::string& leaves) {
  return R"(@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    right = tl.maximum(tl.load(x_ptr + i, mask=m), 0.0)
    found = tl.load(y_ptr + )" +
         behind + " + i, mask=m)\n    tl.store(y_ptr + i, tl.where(" + finds + ", 0.0, right), mask=m)\n" +
         leaves + R"(
class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        kernel[(triton.cdiv(n, 256),)](x, y, n, BLOCK=256)
        return y
)";
}

TEST_F(RunnerOnGpu, NoRunFindsWhatAnotherLeft) {
  // Without memory checks, out-of-bounds accesses don't fail a candidate, so they must not help it.
  Protocol tolerant = alone();
  tolerant.memory_checks = false;
  const std::string guard =
      spy("n + 64", "found == right + 1", "    tl.store(y_ptr + n + 64 + i, right + 1, mask=m)\n");
  // The address where device_plan.cpp packs the output: behind the guard and the guards' results.
  const std::string packed =
      spy("(n * 4 + 255) // 256 * 64 + (64 << 10) // 4 + 64", "(found == right) & (right > 0)", "");
  for (const std::string& source : {guard, packed}) {
    const Verdict verdict = candidates::judge(candidates::relu(), source, tolerant);
    EXPECT_TRUE(verdict.correct) << verdict.reason << ": " << verdict.message << "\n" << source;
  }
}

TEST_F(RunnerOnGpu, KeepsNothingInTheL2Cache) {
  // Lines that are loaded or stored with `evict_last` survive writes to other memory, which saved 8 to 10 %
  // of the time. A 4 MiB input fits into the cache.
  const auto source = [&](const std::string& policy) {
    return answer("    x = tl.load(x_ptr + i, mask=m" + policy +
                  ")\n    tl.store(y_ptr + i, tl.maximum(x, 0.0), mask=m" + policy + ")\n");
  };
  Task large = candidates::relu();
  for (auto& [name, size] : large.dims) size = 1024;
  std::vector<double> ratios;
  for (int i = 0; i < 9; ++i) {
    const Verdict ordinary = judge(source(""), large);
    const Verdict last = judge(source(", eviction_policy=\"evict_last\""), large);
    ASSERT_TRUE(ordinary.correct && last.correct) << ordinary.message << last.message;
    ratios.push_back(*last.time_us / *ordinary.time_us);
  }
  std::nth_element(ratios.begin(), ratios.begin() + 4, ratios.end());
  EXPECT_GT(ratios[4], 0.985);
  std::printf("evict_last / ordinary: %.3f in the median of 9\n", ratios[4]);
}

TEST_F(RunnerOnGpu, TheFrameworkAloneMustNotGiveTheAnswer) {
  // A kernel whose work isn't used, for a task whose answer the framework can copy.
  const std::string decoy = R"(@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(1,)](x, y, 256, BLOCK=256)
        return x.t().contiguous()
)";
  const Task transpose = Task::parse(nlohmann::json::parse(R"json({
    "suite": "test", "id": 1, "name": "transpose", "doc": "", "dims": [["M", 64], ["N", 256]],
    "inputs": [{"name": "x", "dtype": "f32", "shape": ["M", "N"]}],
    "value": {"op": "transpose", "args": [{"input": "x"}]},
    "output": {"dtype": "f32", "shape": ["N", "M"]}, "key": "transpose(x0:f32[d0,d1])"})json"));
  const Verdict verdict = judge(decoy, transpose);
  EXPECT_FALSE(verdict.correct);
  EXPECT_EQ(verdict.reason, "decoy_kernel") << verdict.message;
}

}  // namespace
}  // namespace trl::runtime
