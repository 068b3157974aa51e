// A verdict on NaN or infinity names the operation and the line where it arose.
#include <gtest/gtest.h>

#include "tests/verifier/candidates.hpp"

namespace trl::runtime {
namespace {

using namespace candidates;

std::string rows(const std::string& body, const std::string& load = "mask=c < N, other=0.0") {
  return R"(@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    c = tl.arange(0, BLOCK)
    at = tl.program_id(0) * N + c
    x = tl.load(x_ptr + at, )" +
         load + ")\n" + body + R"(    tl.store(y_ptr + at, x, mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.empty_like(x)
        kernel[(M,)](x, y, N, BLOCK=triton.next_power_of_2(N))
        return y
)";
}

TEST(Nonfinite, AnOverflowBehindADivision) {
  const Verdict verdict =
      judge(softmax(), rows("    e = tl.exp(x * 1000.0)\n    x = e / tl.sum(e, axis=0)\n"), training());
  EXPECT_EQ(verdict.reason, "wrong_values");
  EXPECT_NE(verdict.message.find("comes from line 7: inf / inf is nan, this from line 6: exp("),
            std::string::npos)
      << verdict.message;
  EXPECT_EQ(verdict.line, 7);
}

TEST(Nonfinite, TheLogarithmOfANegativeNumber) {
  const Verdict verdict = judge(softmax(), rows("    x = tl.log(x)\n"), training());
  EXPECT_NE(verdict.message.find("the nan at ["), std::string::npos) << verdict.message;
  EXPECT_NE(verdict.message.find("comes from line 6: log(-"), std::string::npos) << verdict.message;
}

// A lane that a mask disables is zero, as in the compiled kernel: the result is a wrong number, not NaN.
TEST(Nonfinite, WhatAMaskLeftOutIsZero) {
  const Verdict verdict = judge(
      softmax(), rows("    e = tl.exp(x - tl.max(x, axis=0))\n    x = e / tl.sum(e, axis=0)\n", "mask=c < N"),
      training());
  EXPECT_EQ(verdict.reason, "wrong_values");
  EXPECT_EQ(verdict.message.find("nan"), std::string::npos) << verdict.message;
}

TEST(Nonfinite, FiniteMistakesSayNothingOfThem) {
  const Verdict verdict = judge(softmax(), rows("    x = x * 2.0\n"), training());
  EXPECT_EQ(verdict.reason, "wrong_values");
  EXPECT_EQ(verdict.message.find("comes from"), std::string::npos) << verdict.message;
}

}  // namespace
}  // namespace trl::runtime
