// Verdicts on values that depend on what a compiler chooses, or on undefined results.
#include <gtest/gtest.h>

#include "tests/verifier/candidates.hpp"

namespace trl::runtime {
namespace {

using namespace candidates;

/// Sums rows by `body`, whose first line is line 15.
std::string sum_of_rows(const std::string& function, const std::string& body) {
  return R"(@triton.jit
def join(a, b):
    return )" +
         function + R"(

@triton.jit
def compose(a1, b1, a2, b2):
    return a1 * a2, a2 * b1 + b2

@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    s = tl.sum(x, 0)
)" + body +
         R"(    tl.store(y_ptr + row, s)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
)";
}

// The state of y = y / 2 + x 2^(N - 1 - i), which is the sum if the order is kept.
const std::string recurrence =
    "    _, s = tl.reduce((tl.where(c < N, 0.5, 1.0), x * tl.exp2((N - 1 - c).to(tl.float32))), 0, "
    "compose)\n";

TEST(OrderDependent, ARecurrenceIsFoundAtItsLine) {
  for (const Protocol& protocol : {exam(), training()}) {
    const Verdict verdict = judge(row_sum(), sum_of_rows("a + b", recurrence), protocol);
    EXPECT_FALSE(verdict.correct);
    EXPECT_EQ(verdict.reason, "order_dependent") << verdict.message;
    EXPECT_EQ(verdict.line, 15) << verdict.message;
  }
}

TEST(OrderDependent, WhatIsWrongInAnyOrderHasWrongValues) {
  const Verdict verdict = judge(row_sum(), sum_of_rows("0.25 * a + b", "    s = tl.reduce(x, 0, join)\n"));
  EXPECT_EQ(verdict.reason, "wrong_values") << verdict.message;
  EXPECT_TRUE(judge(row_sum(), sum_of_rows("a + b * 1.0", "    s = tl.reduce(x, 0, join)\n")).correct);
}

TEST(OrderDependent, AProductsOwnRoundingIsFoundAtItsLine) {
  const std::string body = "    p = s * s\n    s = tl.where(p - s * s == 0.0, s, s + 1.0)\n";
  const Verdict verdict = judge(row_sum(), sum_of_rows("a + b", body));
  EXPECT_EQ(verdict.reason, "order_dependent") << verdict.message;
  EXPECT_EQ(verdict.line, 16) << verdict.message;
  EXPECT_NE(verdict.message.find("fused multiply-add"), std::string::npos) << verdict.message;
}

TEST(UndefinedResult, IsNamedWithItsLineWhereTheOutputDependsOnIt) {
  const auto shifted = [](const std::string& test) {
    return judge(row_sum(),
                 sum_of_rows("a + b", "    one = c * 0 + 1\n    k = one << (one + 31)\n    k = " + test +
                                          "\n    s = s + tl.max(k, 0).to(tl.float32)\n"),
                 training());
  };
  EXPECT_TRUE(shifted("tl.where(one == 2, k, 0)").correct);
  const Verdict verdict = shifted("tl.where(k == 0, 0, 1)");
  EXPECT_EQ(verdict.reason, "undefined_result") << verdict.message;
  EXPECT_EQ(verdict.line, 16) << verdict.message;
  EXPECT_NE(verdict.message.find("a shift by 32 bits or more"), std::string::npos) << verdict.message;
}

TEST(UntrueHint, IsFoundAtItsLine) {
  const Verdict verdict = judge(
      row_sum(), sum_of_rows("a + b", "    s = s + 0.0 * tl.multiple_of(row * 2 + 1, 2)\n"), training());
  EXPECT_EQ(verdict.reason, "untrue_hint") << verdict.message;
  EXPECT_EQ(verdict.line, 15) << verdict.message;
}

}  // namespace
}  // namespace trl::runtime
