// The recorder and trl-kernel-check as the verifier drives them: a question on the way, an answer that goes
// back.
#include <gtest/gtest.h>

#include <fstream>

#include "runtime/verify/recorder.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

std::string candidate(const std::string& cuda) {
  return "import torch\nfrom torch.utils.cpp_extension import load_inline\nsource = '''" + cuda +
         "'''\next = load_inline(name='ext', cpp_sources='', cuda_sources=source, functions=['f'])\n"
         "class ModelNew(nn.Module):\n    def forward(self, x):\n        return ext.f(x)\n";
}

constexpr const char* relu = R"(
__global__ void relu(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = fmaxf(x[i], 0.f);
}
torch::Tensor f(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  relu<<<(n + 63) / 64, 64>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}
)";

json record(const std::string& source) {
  const bool sandbox = std::getenv("TRL_NO_SANDBOX") == nullptr;
  static Recorder recorder(find_installation(), sandbox);
  return recorder.record(
      source, {{{"label", "original"}, {"inputs", {{{"name", "x"}, {"dtype", "f32"}, {"shape", {7, 30}}}}}}},
      {});
}

TEST(CudaRecorder, HasSourcesCompiledWhileItRecords) {
  for (int turn = 0; turn < 2; ++turn) {
    const json answer = record(candidate(relu));
    ASSERT_TRUE(answer["ok"]) << answer.dump(1);
    const json& launch = answer["plans"][0]["steps"][0]["launch"];
    EXPECT_EQ(launch["grid"], json({4, 1, 1}));
    EXPECT_EQ(launch["block"], json({64, 1, 1}));
    EXPECT_EQ(launch["args"],
              json({{{"buffer", 0}, {"offset", 0}}, {{"buffer", 1}, {"offset", 0}}, {{"i32", 210}}}));
    EXPECT_EQ(launch["line"], 11);
    EXPECT_EQ(answer["kernels"][0]["expression"], "relu");
  }
}

TEST(CudaRecorder, RefusesAtTheLineOfTheCandidate) {
  std::string wrong = relu;
  wrong.replace(wrong.find("int n = x.numel();"), 18, "int n = x.sum()  ;");
  const json answer = record(candidate(wrong));
  EXPECT_FALSE(answer["ok"]);
  EXPECT_EQ(answer["line"], 10) << answer.dump(1);
  EXPECT_EQ(answer["stage"], "syntax");
}

TEST(CudaRecorder, GoesOnWhereNobodyCanCompile) {
  Installation without = find_installation();
  without.kernel_check = "/nowhere/trl-kernel-check";
  KernelCheck check(without, false);
  const json answer = check.compile({{"source", relu}, {"functions", {"f"}}});
  EXPECT_EQ(answer["refused"]["reason"], "unsupported");
}

TEST(CudaRecorder, StartsAnewAfterAnEnd) {
  KernelCheck check(find_installation(), false);
  for (const std::string& source : {std::string("int f( {"), std::string(relu), std::string(400000, ' ')}) {
    const json answer = check.compile({{"source", source}, {"functions", {"f"}}});
    EXPECT_EQ(answer.contains("object"), source == relu) << answer.dump(1).substr(0, 500);
  }
  EXPECT_TRUE(check.compile({{"source", relu}, {"functions", {"f"}}}).contains("object"));
  EXPECT_TRUE(check.compile({{"source", 3}}).contains("refused"));
  EXPECT_TRUE(check.compile({{"source", relu}, {"functions", {"f; }"}}}).contains("refused"));
}

}  // namespace
}  // namespace trl::runtime
