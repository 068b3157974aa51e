// CUDA kernels in a plan are read as hostile data and compiled by NVRTC; only a GPU runs them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "base/support/error.hpp"
#include "tests/verifier/by_hand.hpp"
#include "tests/verifier/candidates.hpp"
#include "tests/verifier/cuda_candidates.hpp"
#include "tests/verifier/on_gpu.hpp"
#include "verifier/runner/cubin.hpp"

namespace trl::runtime {
namespace {

using candidates::recorded_cuda;
using candidates::relu_source;
using nlohmann::json;

Recording read(const json& answer) { return parse_recording(answer, {{4 * 64 * 256}}); }

Examined examine(const json& answer) {
  return candidates::examine_recorded(candidates::relu(), answer, candidates::training(),
                                      candidates::secret());
}

Compiled compile(const std::string& source, const std::string& expression,
                 std::vector<std::string> expressions = {}) {
  static KernelCompiler compiler(find_installation(), !candidates::unconfined(),
                                 std::make_shared<CompiledKernels>());
  PlanKernel kernel;
  kernel.language = PlanKernel::Language::cuda;
  kernel.text = source, kernel.expression = expression;
  if (expressions.empty()) expressions = {expression};
  kernel.expressions = std::move(expressions);
  kernel.options = json::object();
  return compiler.compile(kernel);
}

std::string refused(const Compiled& compiled) {
  EXPECT_TRUE(compiled.ok) << compiled.message;
  return runner::refusal(std::as_bytes(std::span(compiled.cubin)), true).value_or("");
}

TEST(CudaPlan, IsRefusedWhereTritonIsAskedFor) {
  Protocol protocol = candidates::training();
  const auto examine = [&] {
    return candidates::examine_recorded(candidates::relu(), recorded_cuda(), protocol, candidates::secret())
        .verdict;
  };
  protocol.language = KernelLanguage::cuda;
  EXPECT_EQ(examine().reason, "needs_gpu");
  protocol.language = KernelLanguage::triton;
  const Verdict verdict = examine();
  EXPECT_FALSE(verdict.valid);
  EXPECT_EQ(verdict.failed, "syntax");
  EXPECT_EQ(verdict.reason, "other_language");
  EXPECT_EQ(verdict.message, "`relu<float>` is written in CUDA, and kernels in Triton are asked for");
  EXPECT_EQ(verdict.line, 9);
}

TEST(CudaPlan, IsWhatACandidateInTritonLacks) {
  Protocol protocol = candidates::training();
  EXPECT_TRUE(candidates::judge(candidates::relu(), candidates::honest_relu, protocol).correct);
  protocol.language = KernelLanguage::cuda;
  const Verdict verdict = candidates::judge(candidates::relu(), candidates::honest_relu, protocol);
  EXPECT_EQ(verdict.reason, "other_language");
  EXPECT_GT(verdict.line, 0);
}

TEST(CudaPlan, HasItsLanguageFromTheSpec) {
  EXPECT_FALSE(Protocol::parse(json::object()).language);
  EXPECT_EQ(Protocol::parse({{"language", "cuda"}}).language, KernelLanguage::cuda);
  EXPECT_EQ(Protocol::parse({{"language", "triton"}}).language, KernelLanguage::triton);
  EXPECT_THROW(Protocol::parse({{"language", "hip"}}), UserError);
  EXPECT_THROW(Protocol::parse({{"language", 3}}), UserError);
}

TEST(CudaPlan, IsReadWithItsBlocks) {
  const Recording recording = read(recorded_cuda());
  EXPECT_EQ(recording.kernels[0].language, PlanKernel::Language::cuda);
  EXPECT_EQ(recording.kernels[0].expressions, std::vector<std::string>{"relu<float>"});
  EXPECT_TRUE(recording.needs_gpu(recording.plans[0]));
  const auto& launch = std::get<LaunchStep>(recording.plans[0].steps[0]);
  EXPECT_EQ(launch.block, (std::array<std::uint32_t, 3>{256, 1, 1}));
  EXPECT_EQ(to_json(recording.plans[0])["steps"][0]["launch"]["block"], json({256, 1, 1}));
}

TEST(CudaPlan, IsRefusedWhereABlockCannotBe) {
  for (const json& block : {json{1024, 2, 1}, json{0, 1, 1}, json{1, 1, 65}, json{256, 1}, json{-1, 1, 1},
                            json{"256", 1, 1}, json{2048, 1, 1}}) {
    json answer = recorded_cuda();
    answer["plans"][0]["steps"][0]["launch"]["block"] = block;
    EXPECT_THROW(read(answer), BadPlan) << block;
  }
  json shared = recorded_cuda(), without = recorded_cuda(), triton = recorded_cuda(),
       option = recorded_cuda();
  shared["plans"][0]["steps"][0]["launch"]["shared"] = 300000;
  EXPECT_THROW(read(shared), BadPlan);
  without["plans"][0]["steps"][0]["launch"].erase("block");
  EXPECT_THROW(read(without), BadPlan);
  triton["kernels"][0] = {{"name", "k"}, {"ttir", "module {}"}, {"options", json::object()}};
  EXPECT_THROW(read(triton), BadPlan) << "Triton's threads are its compiler's";
  option["kernels"][0]["options"]["num_warps"] = 4;
  EXPECT_THROW(read(option), BadPlan);
}

TEST(Nvrtc, CompilesEachInstantiationOfAText) {
  const std::vector<std::string> all = {"relu<float>", "relu<__half>"};
  const std::string source = std::string("#include <cuda_fp16.h>\n") + relu_source;
  const Compiled one = compile(source, all[0], all), other = compile(source, all[1], all);
  ASSERT_TRUE(one.ok) << one.message;
  ASSERT_TRUE(other.ok) << other.message;
  EXPECT_NE(one.name, other.name);
  EXPECT_EQ(one.cubin, other.cubin) << "one compilation is for both";
  EXPECT_EQ(one.threads, 0u) << "a launch says how many";
  EXPECT_EQ(refused(one), "");
}

TEST(Nvrtc, KnowsWhatKernelsInclude) {
  EXPECT_EQ(refused(compile(R"(#include <torch/extension.h>
#include <ATen/cuda/CUDAContext.h>
#include <cuda_bf16.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
namespace cg = cooperative_groups;
__constant__ float weights[4] = {1, 2, 3, 4};
template <typename T>
__device__ __forceinline__ T largest() {
  return std::is_same<T, float>::value ? std::numeric_limits<T>::max() : T(FLT_MAX);
}
extern "C" __global__ void row(const __nv_bfloat16* x, float* y, int64_t n) {
  extern __shared__ float part[];
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  float best = -INFINITY;
  for (int64_t i = threadIdx.x; i < n; i += blockDim.x) best = std::max(best, __bfloat162float(x[i]) * weights[i % 4]);
  part[threadIdx.x] = cg::reduce(warp, best, cg::greater<float>());
  block.sync();
  if (threadIdx.x == 0) y[blockIdx.x] = fminf(part[0], largest<float>()) + sinf(part[1]) * float(M_PI);
}
)",
                            "row")),
            "");
}

TEST(Nvrtc, HasTheCollectivesOfCubWithinABlock) {
  EXPECT_EQ(refused(compile(R"(#include <cub/cub.cuh>
struct Pair { double sum; int count; };
struct Join { __device__ Pair operator()(Pair a, Pair b) const { return {a.sum + b.sum, a.count + b.count}; } };
extern "C" __global__ void row(const float* x, float* y, int n) {
  using Reduce = cub::BlockReduce<Pair, 64, cub::BLOCK_REDUCE_RAKING, 2>;
  using Scan = cub::BlockScan<int, 64, cub::BLOCK_SCAN_WARP_SCANS, 2>;
  __shared__ union { Reduce::TempStorage reduce; Scan::TempStorage scan; } room;
  __shared__ cub::WarpReduce<float, 16>::TempStorage warps[8];
  Pair mine{x[threadIdx.x], 1}, all = Reduce(room.reduce).Reduce(mine, Join(), n);
  __syncthreads();
  int place, total;
  Scan(room.scan).ExclusiveSum(x[threadIdx.x] > 0, place, total);
  float of_sixteen = cub::WarpReduce<float, 16>(warps[threadIdx.x / 16]).Sum(x[threadIdx.x], 9);
  y[place] = all.sum + total + of_sixteen;
}
)",
                            "row")),
            "");
  const Compiled other =
      compile("#include <cub/device/device_reduce.cuh>\n__global__ void f(float* x) {}", "f");
  EXPECT_FALSE(other.ok);
  EXPECT_EQ(other.line, 1);
  EXPECT_NE(other.message.find("<cub/device/device_reduce.cuh> is not among the headers"), std::string::npos)
      << other.message;
}

TEST(Nvrtc, SaysWhereAnErrorIs) {
  const Compiled compiled =
      compile("__global__ void f(float* x) {\n  x[0] = 1;\n  x[1] = unknown;\n}\n", "f");
  EXPECT_FALSE(compiled.ok);
  EXPECT_EQ(compiled.line, 3);
  EXPECT_NE(compiled.message.find("\"unknown\" is undefined"), std::string::npos) << compiled.message;
  EXPECT_FALSE(compile("__global__ void f(float* x) {}", "g").ok);
  EXPECT_TRUE(compile("__global__ void f(float* x) {}", "f").ok) << "the compiler lives on";
}

TEST(Nvrtc, EndsWhatIsEndless) {
  // The memory limit is reached long before this is compiled.
  const Compiled compiled = compile(
      "template <int n> struct Many { static constexpr long value = Many<n * 2>::value + Many<n * 2 + "
      "1>::value; };\n"
      "extern \"C\" __global__ void f(long* x) { x[0] = Many<1>::value; }",
      "f");
  EXPECT_FALSE(compiled.ok);
  EXPECT_TRUE(compile("__global__ void f(float* x) {}", "f").ok) << "the compiler lives on";
}

TEST(Nvrtc, ReadsNothingThatIsNotItsOwn) {
  const Compiled compiled = compile("#include \"/etc/passwd\"\n__global__ void f(float* x) {}", "f");
  EXPECT_FALSE(compiled.ok);
  EXPECT_EQ(compiled.message.find("root"), std::string::npos) << compiled.message;
}

TEST(Cubin, NamesItsGlobalVariables) {
  const auto globals = [](const std::string& variable) {
    const Compiled compiled = compile(
        variable + "\nextern \"C\" __global__ void f(float* x) { x[0] = kept[0]; kept[1] = x[1]; }", "f");
    EXPECT_EQ(refused(compiled), "");
    return runner::global_sections(std::as_bytes(std::span(compiled.cubin)));
  };
  for (const char* variable : {"__device__ float kept[64];", "__device__ float kept[64] = {1, 2, 3};",
                               "static __device__ float kept[64];"}) {
    const auto found = globals(variable);
    ASSERT_EQ(found.size(), 1u) << variable;
    EXPECT_GE(found[0].bytes, 256u) << variable;
    ASSERT_EQ(found[0].variables.size(), 1u) << variable;
    EXPECT_NE(found[0].variables[0].name.find("kept"), std::string::npos);
  }
  EXPECT_NE(
      refused(compile(
          "__device__ float kept[5 << 20];\nextern \"C\" __global__ void f(float* x) { kept[1] = x[1]; }",
          "f")),
      "");
  const Compiled shared = compile(
      "extern \"C\" __global__ void f(float* x) { __shared__ float own[8]; own[threadIdx.x] = x[0]; "
      "__syncthreads(); x[1] = own[0]; }",
      "f");
  EXPECT_TRUE(runner::global_sections(std::as_bytes(std::span(shared.cubin))).empty());
}

TEST(Cubin, UsesNoHeap) {
  const auto kernel = [](const std::string& body) {
    return refused(compile("extern \"C\" __global__ void f(float* x) { " + body + " }", "f"));
  };
  EXPECT_NE(kernel("float* p = (float*)malloc(64); p[threadIdx.x] = x[0]; x[1] = p[0];").find("malloc"),
            std::string::npos);
  EXPECT_NE(kernel("float* p = new float[4]; p[threadIdx.x] = x[0]; x[1] = p[0];"), "");
  EXPECT_EQ(kernel("printf(\"%f\", x[0]);"), "") << "nobody reads what it prints";
}

TEST(Cubin, IsReadAsHostileData) {
  const Compiled compiled = compile(
      "__device__ float kept[64];\nextern \"C\" __global__ void f(float* x) { kept[1] = x[1]; }", "f");
  ASSERT_TRUE(compiled.ok);
  std::mt19937 random(7);
  for (int turn = 0; turn < 2000; ++turn) {
    std::string damaged = compiled.cubin;
    for (int i = 0; i < 8; ++i) damaged[random() % damaged.size()] = static_cast<char>(random());
    if (turn % 3 == 0) damaged.resize(random() % damaged.size());
    const auto bytes = std::as_bytes(std::span(damaged));
    if (!runner::refusal(bytes, true)) runner::global_sections(bytes);
    runner::refusal(bytes, false);
  }
}

TEST(CudaVerdict, WithoutAGpuIsNeverPassed) {
  const Examined examined = examine(recorded_cuda());
  const Verdict& verdict = examined.verdict;
  EXPECT_TRUE(verdict.valid);
  EXPECT_EQ(verdict.compiled, true) << verdict.message;
  EXPECT_FALSE(verdict.correct);
  EXPECT_FALSE(verdict.values);
  EXPECT_EQ(verdict.failed, "full");
  EXPECT_EQ(verdict.reason, "needs_gpu");
  EXPECT_EQ(examined.steps[1].stage, "compile") << "before anything is said about its values";
  EXPECT_EQ(examined.steps[1].outcome, ExaminedStep::Outcome::passed);
}

TEST(CudaVerdict, ThatDoesNotCompileHasTheLine) {
  std::string source = relu_source;
  source.replace(source.find("x[i] : T(0)"), 4, "zero");
  const Verdict verdict = examine(recorded_cuda(source)).verdict;
  EXPECT_EQ(verdict.failed, "compile");
  EXPECT_EQ(verdict.reason, "compile_error");
  EXPECT_EQ(verdict.line, 7);
}

TEST(CheckedCuda, HasWhatWasMadeAndNothingElse) {
  CheckedCuda checked;
  EXPECT_FALSE(checked.has("", ""));
  checked.note({{"refused", {{"reason", "forbidden"}}}});
  checked.note({{"device_source", "a"}, {"kernels", {{{"expression", "f"}}, {{"expression", "g<1>"}}}}});
  checked.note({{"device_source", "b"}, {"kernels", {{{"expression", "h"}}}}});
  checked.note({{"device_source", "a"}, {"kernels", {{{"expression", "g<2>"}}}}});
  EXPECT_TRUE(checked.has("a", "f") && checked.has("a", "g<1>") && checked.has("a", "g<2>"));
  EXPECT_TRUE(checked.has("b", "h"));
  EXPECT_FALSE(checked.has("a", "h")) << "a kernel of another text";
  EXPECT_FALSE(checked.has("a ", "f"));
}

// A candidate that writes its plan itself, with a kernel that trl-kernel-check never saw.
TEST(CudaVerdict, OfATextThatNobodyReadIsNoPlan) {
  std::string hexadecimal;
  for (const char c : recorded_cuda().dump())
    hexadecimal += fmt::format("{:02x}", static_cast<unsigned char>(c));
  const std::string answer = "import os\nos.write(3, bytes.fromhex('" + hexadecimal + "'))\nos._exit(0)\n";
  const Verdict verdict = candidates::judge(candidates::relu(), answer, candidates::training());
  EXPECT_FALSE(verdict.valid);
  EXPECT_EQ(verdict.failed, "syntax");
  EXPECT_EQ(verdict.reason, "bad_plan") << verdict.message;
}

// A candidate whose sources were checked, but that puts another text into the plan.
TEST(CudaVerdict, OfATextThatWasChangedBehindTheCheckIsNoPlan) {
  const std::string answer = R"(import sys
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

__global__ void relu(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] > 0 ? x[i] : 0;
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  relu<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}
"""
module = load_inline("relu", cpp_sources="torch::Tensor forward(torch::Tensor x);", cuda_sources=source,
                     functions=["forward"])
CHANGE

class ModelNew(nn.Module):
    def forward(self, x):
        return module.forward(x)
)";
  const auto judged = [&](const std::string& change) {
    std::string changed = answer;
    changed.replace(changed.find("CHANGE"), 6, change);
    return candidates::judge(candidates::relu(), changed, candidates::training());
  };
  EXPECT_EQ(judged("").reason, "needs_gpu");
  const std::string find =
      "extension = next(one for name, one in sys.modules.items() if name.endswith('cuda_extension'))\n";
  const Verdict text = judged(find + R"(kept = extension.Extension.entry
def entry(self, kernel):
    self.source = self.source.replace("x[i] > 0", "asm_free() > 0")
    return kept(self, kernel)
extension.Extension.entry = entry)");
  EXPECT_EQ(text.reason, "bad_plan") << text.message;
  const Verdict expression = judged(find + R"(kept = extension.Extension.entry
extension.Extension.entry = lambda self, kernel: kept(self, dict(kernel, expression="relu + 0")))");
  EXPECT_EQ(expression.reason, "bad_plan") << expression.message;
}

// From a model's answer to its verdict: Python with load_inline is recorded, checked by Clang and compiled by
// NVRTC.
TEST(CudaVerdict, OfAnAnswerWithLoadInline) {
  const auto answer = [](const std::string& body) {
    return R"(from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>

template <typename T>
__global__ void relu(const T* __restrict__ x, T* __restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] > T(0) ? x[i] : T(0);
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
)" + body + R"(
  return y;
}
"""
module = load_inline("relu", cpp_sources="torch::Tensor forward(torch::Tensor x);", cuda_sources=source,
                     functions=["forward"])

class ModelNew(nn.Module):
    def forward(self, x):
        return module.forward(x)
)";
  };
  const Protocol protocol = candidates::training();
  const auto judge = [&](const std::string& body) {
    return candidates::judge(candidates::relu(), answer(body), protocol);
  };
  const std::string launch =
      "  relu<float><<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);";
  const Verdict honest = judge(launch);
  EXPECT_TRUE(honest.valid) << honest.message;
  EXPECT_EQ(honest.compiled, true) << honest.message;
  EXPECT_EQ(honest.reason, "needs_gpu");
  EXPECT_EQ(honest.launches, 1);
  EXPECT_EQ(judge(launch + "\n  y = at::relu(x);").reason, "framework_compute");
  EXPECT_EQ(
      judge("  system(\"true\");\n  relu<float><<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);")
          .failed,
      "syntax");
  EXPECT_EQ(judge("").failed, "syntax") << "no kernel is launched";
  EXPECT_EQ(judge("  relu<float><<<1, 4096>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);").failed,
            "syntax");
}

TEST(CudaVerdict, OfASourceThatIsPutTogetherHasTheLine) {
  const std::string answer = R"(from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
__global__ void relu(const float* x, float* y, int n) {
  int i = blockIdx.x * THREADS + threadIdx.x;
  if (i < n) y[i] = no_such_function(x[i]);
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  relu<<<(x.numel() + THREADS - 1) / THREADS, THREADS>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}
""".replace("THREADS", "256")
module = load_inline("relu", cpp_sources="torch::Tensor forward(torch::Tensor x);", cuda_sources=source,
                     functions=["forward"])

class ModelNew(nn.Module):
    def forward(self, x):
        return module.forward(x)
)";
  const Verdict verdict = candidates::judge(candidates::relu(), answer, candidates::training());
  EXPECT_EQ(verdict.failed, "compile");
  EXPECT_EQ(verdict.line, 7) << verdict.message;
  std::string nowhere = answer;
  nowhere.replace(nowhere.find("no_such"), 7, "NAME");
  nowhere.replace(nowhere.find("\"256\")"), 6, "\"256\").replace(\"NAME\", \"no_such\")");
  EXPECT_EQ(candidates::judge(candidates::relu(), nowhere, candidates::training()).line, 0)
      << "a line that the candidate hasn't as it is";
}

/// The verdict with the stand-in for the runner.
Verdict timed(const json& recorded) {
  const Protocol protocol = with_stand_in();
  return candidates::examine_recorded(candidates::relu(), recorded, protocol, candidates::secret()).verdict;
}

TEST(CudaVerdict, IsTheGpus) {
  const Verdict right = timed(recorded_cuda());
  EXPECT_TRUE(right.correct) << right.reason << ": " << right.message;
  EXPECT_FALSE(right.modelled);
  EXPECT_EQ(right.time_us, 64) << "as many microseconds as blocks, says the stand-in";
}

TEST(CudaVerdict, IsWrongWhereATimedRunGivesTheOutputOfOthers) {
  const Verdict kept = timed(recorded_cuda(
      "extern \"C\" __global__ void keeper(const float* x, float* y, int n) { y[0] = x[0]; }\n", "keeper"));
  EXPECT_FALSE(kept.correct);
  EXPECT_EQ(kept.reason, "kept_output") << kept.message;
}

}  // namespace
}  // namespace trl::runtime
