// What PyTorch calls the operators of the table (base/operators): trl-kernel-check knows each name, and
// refuses those that compute.
#include <gtest/gtest.h>

#include <map>
#include <regex>

#include "base/operators/operator.hpp"
#include "tests/kernel_check/checker.hpp"

namespace trl::test {
namespace {

// Those that compute nothing, with arguments that they take.
const std::map<std::string, std::string> moving = {
    {"cat", "{x, x}"},        {"flatten", "x"},      {"narrow", "x, 0, 0, 1"}, {"permute", "x, {0}"},
    {"reshape", "x, {-1}"},   {"select", "x, 0, 0"}, {"squeeze", "x"},         {"stack", "{x, x}"},
    {"transpose", "x, 0, 0"}, {"unsqueeze", "x, 0"}, {"zeros", "{1}"}};

/// "torch::nn::functional::relu6" for "F.relu6"; empty for what isn't called by a name of PyTorch's.
std::string in_cpp(const operators::Python& python) {
  using Style = operators::Python::Style;
  if (python.style != Style::call && python.style != Style::own) return "";
  if (!python.callee.starts_with("torch.") && !python.callee.starts_with("F.")) return "";
  const std::string name = std::regex_replace(python.callee, std::regex("^F\\."), "torch.nn.functional.");
  return std::regex_replace(name, std::regex("\\."), "::");
}

TEST(OperatorNames, AreRefusedWhereTheyCompute) {
  const std::string begin = R"(#include <torch/extension.h>
__global__ void scale(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  scale<<<(y.numel() + 255) / 256, 256>>>(y.data_ptr<float>(), y.numel());
  x = )";
  Checker checker;
  int computing = 0;
  for (const operators::Row& row : operators::table()) {
    const std::string name = in_cpp(row.python);
    if (name.empty()) continue;
    const auto at = moving.find(row.name);
    const bool moves = at != moving.end();
    const auto answer =
        checker.check(begin + name + "(" + (moves ? at->second : "x") + ");\n  return y;\n}\n");
    EXPECT_EQ(answer.at("findings").size(), moves ? 0u : 1u) << name << "\n" << shown(answer);
    for (const auto& found : answer.at("findings"))
      EXPECT_EQ(found.at("check"), "framework_compute") << found;
    computing += !moves;
  }
  EXPECT_GT(computing, 130);
}

}  // namespace
}  // namespace trl::test
