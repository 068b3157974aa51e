// The recorder and trl-kernel-check as the verifier uses them: the recorder asks a question, and gets its
// answer.
#include <gtest/gtest.h>

#include <fstream>

#include "verifier/services/recorder.hpp"

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

json record(const Source& source) {
  const bool sandbox = std::getenv("TRL_NO_SANDBOX") == nullptr;
  static Recorder recorder(find_installation(), sandbox);
  return recorder.record(
      source, {{{"label", "original"}, {"inputs", {{{"name", "x"}, {"dtype", "f32"}, {"shape", {7, 30}}}}}}},
      {});
}

json record_python(const std::string& source) { return record(Source{source}); }

json record_cuda(const std::string& source) { return record({source, Source::Language::cuda}); }

TEST(CudaRecorder, HasSourcesCompiledWhileItRecords) {
  for (int turn = 0; turn < 2; ++turn) {
    const json answer = record_python(candidate(relu));
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
  const json answer = record_python(candidate(wrong));
  EXPECT_FALSE(answer["ok"]);
  EXPECT_EQ(answer["line"], 10) << answer.dump(1);
}

std::string with(std::string text, const std::string& what, const std::string& instead) {
  text.replace(text.find(what), what.size(), instead);
  return text;
}

TEST(CudaFile, ComputesTheTaskByItsOnlyFunctionThatGivesATensor) {
  const json answer = record_cuda(relu);
  ASSERT_TRUE(answer["ok"]) << answer.dump(1);
  const json& launch = answer["plans"][0]["steps"][0]["launch"];
  EXPECT_EQ(launch["grid"], json({4, 1, 1}));
  EXPECT_EQ(launch["line"], 9) << "as in the file";
  const std::string helped = "torch::Tensor made(torch::Tensor x);\n" +
                             with(relu, "Tensor f(", "Tensor forward(") +
                             "torch::Tensor made(torch::Tensor x) { return torch::empty_like(x); }\n";
  EXPECT_TRUE(record_cuda(helped)["ok"]) << "`forward`, where there are several";
}

TEST(CudaFile, ComputesTheTaskByWhatPybindNames) {
  const std::string defines = "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"forward\", &f); }\n";
  EXPECT_TRUE(record_cuda(relu + defines)["ok"]);
  EXPECT_TRUE(record_cuda(relu + with(defines, "forward", "relu"))["ok"]) << "the only one";
  const json answer =
      record_cuda(relu + with(defines, "m.def(\"forward\", &f);", "m.def(\"a\", &f); m.def(\"b\", &f);"));
  EXPECT_EQ(answer["reason"], "missing_model") << answer.dump(1);
}

TEST(CudaFile, IsRefusedAtItsOwnLine) {
  const json wrong = record_cuda(with(relu, "int n = x.numel();", "int n = x.sum()  ;"));
  EXPECT_EQ(wrong["line"], 8) << wrong.dump(1);
  EXPECT_EQ(record_cuda(with(relu, "torch::Tensor f(", "void f("))["reason"], "missing_model");
  const json two = record_cuda(with(relu, "f(torch::Tensor x)", "f(torch::Tensor x, torch::Tensor z)"));
  EXPECT_EQ(two["reason"], "wrong_arguments") << two.dump(1);
  // Clang's code generator would crash at the launch of such a kernel.
  const json misspelt = record_cuda(with(relu, "const float* x", "const floatt* x"));
  EXPECT_EQ(misspelt["reason"], "syntax_error") << misspelt.dump(1);
  EXPECT_EQ(misspelt["line"], 2);
  EXPECT_EQ(record_cuda("import torch\nclass ModelNew: pass\n")["reason"], "missing_model");
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
