// docs/seams.md, 4: trl-kernel-check.
#include <gtest/gtest.h>

#include <sys/wait.h>

#include <cstdlib>

#include "tests/kernel_check/checker.hpp"

namespace trl::test {
namespace {

const std::string kernel = R"(__global__ void twice(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}
)";

TEST(Protocol, AnswersCarryTheirRequestsId) {
  Checker checker;
  for (const nlohmann::json& id : {nlohmann::json(7), nlohmann::json("a"), nlohmann::json()})
    EXPECT_EQ(checker.check(kernel, {{"id", id}}).at("id"), id);
}

TEST(Protocol, FactsNameKernelsLaunchesAndWrappers) {
  Checker checker;
  const auto facts = checker
                         .check(kernel + R"(
at::Tensor forward(at::Tensor x, double unused) {
  auto y = at::empty_like(x);
  twice<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
})")
                         .at("facts");
  EXPECT_EQ(facts.at("kernels").at(0).at("name"), "twice");
  EXPECT_EQ(facts.at("kernels").at(0).at("line"), 1);
  EXPECT_EQ(facts.at("kernels").at(0).at("parameters").at(0),
            (nlohmann::json{{"name", "x"}, {"type", "const float *"}}));
  EXPECT_EQ(facts.at("launches"), (nlohmann::json{{{"kernel", "twice"}, {"line", 8}}}));
  EXPECT_EQ(facts.at("functions").at(0).at("name"), "forward");
  EXPECT_EQ(facts.at("functions").at(0).at("parameters").size(), 2u);
}

TEST(Protocol, LimitsAreTheRequests) {
  Checker checker;
  const std::string source = kernel + R"(
void forward(at::Tensor x, at::Tensor y) {
  twice<<<(x.numel() + 511) / 512, 512>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
})";
  EXPECT_EQ(shown(checker.check(source)), "");
  const auto answer = checker.check(source, {{"limits", {{"threads_per_block", 256}}}});
  EXPECT_FALSE(answer.at("ok"));
  EXPECT_EQ(answer.at("findings").at(0).at("check"), "block_size");
}

TEST(Protocol, WhatIsNoRequestIsAnsweredAndTheNextOneIsToo) {
  Checker checker;
  EXPECT_TRUE(checker.ask("{").contains("error"));
  EXPECT_TRUE(checker.ask("[1, 2]").contains("error"));
  EXPECT_TRUE(checker.ask(R"({"id": 1})").contains("error"));
  EXPECT_TRUE(checker.ask(R"({"id": 1, "source": "", "language": "fortran"})").contains("error"));
  EXPECT_TRUE(checker.ask(R"({"id": 1, "source": 5, "limits": 3})").contains("error"));
  EXPECT_EQ(checker.check(kernel).at("findings").at(0).at("check"), "no_launch");
}

TEST(Protocol, OneCandidateLeavesNothingForTheNext) {
  Checker checker;
  checker.check("#define forward broken(\n" + kernel + "int twice_again;\n");
  EXPECT_EQ(shown(checker.check(kernel + R"(
double twice_again;
void forward(at::Tensor x) { twice<<<1, 32>>>(x.data_ptr<float>(), x.data_ptr<float>(), 32); }
)")),
            "");
}

TEST(Protocol, LinesAreThoseOfTheTextWhateverItSays) {
  Checker checker;
  const auto answer = checker.check("#line 900 \"other.cu\"\n" + kernel + "void f() { twice(0, 0, 0); }\n");
  EXPECT_EQ(answer.at("findings").at(0).at("line"), 6) << shown(answer);
}

int status(const std::string& arguments) {
  const int status =
      std::system((std::string(TRL_KERNEL_CHECK) + " " + arguments + " >/dev/null 2>&1").c_str());
  return WEXITSTATUS(status);
}

TEST(Protocol, ExitStatusSaysWhatWasFound) {
  const std::string folder = TRL_KERNEL_CHECK_TESTS;
  EXPECT_EQ(status(folder + "/good/relu_elementwise.cu"), 0);
  EXPECT_EQ(status(folder + "/bad/calls_matmul.cu"), 1);
  EXPECT_EQ(status(folder + "/bad/wide_too_late.cu"), 0);
  EXPECT_EQ(status("--strict " + folder + "/bad/wide_too_late.cu"), 1);
  EXPECT_EQ(status(folder + "/no_such_file.cu"), 2);
  EXPECT_EQ(status("--no-such-option"), 2);
  EXPECT_EQ(status(""), 2);
  EXPECT_EQ(status("--help"), 0);
}

}  // namespace
}  // namespace trl::test
