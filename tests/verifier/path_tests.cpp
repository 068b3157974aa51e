// Kernels that are right for drawn values and wrong for others are found; honest branches are not accused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/verifier/candidates.hpp"

namespace trl::runtime {
namespace {

using namespace candidates;

/// A relu that applies `body` to x.
std::string relu_with(const std::string& body, const std::string& other = "") {
  return R"(@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)" +
         other + ")\n    y = tl.maximum(x, 0.0)\n" + body + R"(    tl.store(y_ptr + i, y, mask=m)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
)";
}

void expect_directed(const Verdict& verdict, int line = 0) {
  EXPECT_FALSE(verdict.correct);
  EXPECT_EQ(verdict.failed, "full");
  EXPECT_EQ(verdict.reason, "wrong_values") << verdict.message;
  EXPECT_EQ(verdict.variation, "directed");
  EXPECT_NE(verdict.message.find("drawn inputs always take the same way"), std::string::npos)
      << verdict.message;
  if (line > 0) {
    EXPECT_EQ(verdict.line, line) << verdict.message;
  }
}

TEST(Directed, ABranchForValuesThatAreNeverDrawn) {
  const std::string answer = relu_with("    y = tl.where(x < -30.0, 1.0, y)\n");
  expect_directed(judge(relu(), answer), 7);
  expect_directed(judge(relu(), answer, training()), 7);
}

TEST(Directed, AMagicValue) {
  expect_directed(judge(relu(), relu_with("    y = tl.where(x == 1234.5, 0.0, y)\n"), training()));
}

TEST(Directed, AWindow) {
  expect_directed(
      judge(relu(), relu_with("    y = tl.where((x > 50.0) & (x < 50.001), 0.0, y)\n"), training()));
}

TEST(Directed, AMaximumInPlaceOfAComparison) {
  expect_directed(judge(relu(), relu_with("    y = tl.minimum(y, 40.0)\n"), training()));
}

TEST(Directed, ARemainder) {
  expect_directed(
      judge(relu(), relu_with("    y = tl.where((x * 3.0) % 77.0 == 33.0, 0.0, y)\n"), training()));
}

TEST(Directed, MagicBits) {
  expect_directed(judge(relu(),
                        relu_with("    b = x.to(tl.int32, bitcast=True)\n"
                                  "    y = tl.where((b & 0xFFFFF) == 0x12345, 7.0, y)\n"),
                        training()));
}

TEST(Directed, AStepWithoutAComparison) {
  expect_directed(judge(relu(), relu_with("    y = y + tl.abs(x * 0.01).to(tl.int32) * 5.0\n"), training()));
}

TEST(Directed, WhatAMaskedLoadGivesCoversNothing) {
  expect_directed(judge(relu(), relu_with("    y = tl.where(x < -50.0, 1.0, y)\n", ", other=-100.0")));
}

TEST(Directed, ASumOfARow) {
  const std::string answer = R"(@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    s = tl.sum(x, axis=0)
    if s > 900.0:
        s = 0.0
    tl.store(y_ptr + row, s)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty((x.shape[0],), device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
)";
  // 100 elements in a block of 128. Several draws are tried, because a threshold that only some draws miss
  // would pass with some of them.
  for (int i = 0; i < 8; ++i) {
    SCOPED_TRACE(i);
    expect_directed(verifier().verify(row_sum(), answer, training(), fmt::format("secret {}", i)));
  }
}

// What a table holds decides, at a place that a loaded value leads to.
TEST(Directed, ABranchByWhatATableHolds) {
  const std::string answer = R"(@triton.jit
def kernel(x_ptr, t_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    y = tl.maximum(x, 0.0)
    t = tl.load(t_ptr + ((x * 4000.0 + 32768.0).to(tl.int32) & 65535))
    y = tl.where(t > 0.0, 3.0, y)
    tl.store(y_ptr + i, y, mask=m)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        t = torch.zeros(65536, device=x.device)
        t[60000:60001] = 1.0
        kernel[(triton.cdiv(x.numel(), 256),)](x, t, y, x.numel(), BLOCK=256)
        return y
)";
  expect_directed(judge(relu(), answer), 8);
  expect_directed(judge(relu(), answer, training()), 8);
}

// The second kernel reads what the first one wrote: no values can be solved for, but the exam's search finds
// some.
TEST(Directed, ABranchBehindATemporary) {
  const std::string answer = R"(@triton.jit
def double(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=m) * 2.0, mask=m)

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    y = tl.where(x > 60.0, 3.0, tl.maximum(x, 0.0) * 0.5)
    tl.store(y_ptr + i, y, mask=m)

class ModelNew(nn.Module):
    def forward(self, x):
        t = torch.empty_like(x)
        y = torch.empty_like(x)
        n = x.numel()
        double[(triton.cdiv(n, 256),)](x, t, n, BLOCK=256)
        kernel[(triton.cdiv(n, 256),)](t, y, n, BLOCK=256)
        return y
)";
  expect_directed(judge(relu(), answer), 12);
}

/// y = x @ w of numbers from 0 to 1, K = 1,024.
Task product_of_ranges() {
  nlohmann::json task = matmul().to_json();
  for (auto& dim : task["dims"])
    if (dim[0] == "K") dim[1] = 1024;
  for (auto& input : task["inputs"]) input["values"] = {{"kind", "range"}, {"low", 0.0}, {"high", 1.0}};
  task["key"] = "matmul(x0:f32(range)[d0,d1],x1:f32(range)[d1,d2])";
  return Task::parse(task);
}

// A mean above 0.993 isn't drawn, nor reached by the first directed inputs.
TEST(Directed, DecisionsOfLargeTasksAreTurnedAtSmallSizes) {
  const auto answer = [](const char* bound) {
    return fmt::format(R"(@triton.jit
def product(x_ptr, w_ptr, t_ptr, M, K, N, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        x = tl.load(x_ptr + m[:, None] * K + k[None, :], mask=(m < M)[:, None] & (k < K)[None, :], other=0.0)
        w = tl.load(w_ptr + k[:, None] * N + n[None, :], mask=(k < K)[:, None] & (n < N)[None, :], other=0.0)
        acc = tl.dot(x, w, acc, input_precision="ieee")
    tl.store(t_ptr + m[:, None] * N + n[None, :], acc, mask=(m < M)[:, None] & (n < N)[None, :])

@triton.jit
def bounded(t_ptr, y_ptr, n, K, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    t = tl.load(t_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, tl.minimum(t, {} * K), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x, w):
        (M, K), N = x.shape, w.shape[1]
        t = torch.empty((M, N), device=x.device, dtype=x.dtype)
        y = torch.empty_like(t)
        product[(triton.cdiv(M, 64), triton.cdiv(N, 64))](x, w, t, M, K, N, BM=64, BN=64, BK=32)
        bounded[(triton.cdiv(M * N, 1024),)](t, y, M * N, K, BLOCK=1024)
        return y
)",
                       bound);
  };
  Protocol little = exam();
  little.directed_operations = 1;  // one replay, as of a task with large tensors
  const Verdict wrong = judge(product_of_ranges(), answer("0.993"), little);
  EXPECT_FALSE(wrong.correct);
  EXPECT_EQ(wrong.variation, "directed");
  EXPECT_NE(wrong.message.find("its tensors small"), std::string::npos) << wrong.message;
  const Verdict honest = judge(product_of_ranges(), answer("2.0"), little);
  EXPECT_TRUE(honest.correct) << honest.message;
}

TEST(Directed, HonestBranchesPass) {
  for (const std::string body : {"    y = tl.where(x > 20.0, x, y)\n", "    y = tl.minimum(y, 3.0e38)\n",
                                 "    y = tl.where(x < -30.0, 0.0, y)\n"}) {
    const Verdict verdict = judge(relu(), relu_with(body));
    EXPECT_TRUE(verdict.correct) << body << verdict.message;
  }
}

TEST(Directed, TheExamSaysWhatWasDecided) {
  const Verdict honest = judge(relu(), honest_relu);
  ASSERT_TRUE(honest.paths.has_value());
  EXPECT_EQ(
      *honest.paths,
      nlohmann::json({{"sites", 1}, {"both", 1}, {"directed", 0}, {"one_sided", nlohmann::json::array()}}));
  const Verdict guarded = judge(relu(), relu_with("    y = tl.where(x > 20.0, x, y)\n"));
  ASSERT_TRUE(guarded.paths.has_value());
  EXPECT_EQ(guarded.paths->at("sites"), 2);
  EXPECT_EQ(guarded.paths->at("both"), 2);
  EXPECT_EQ(guarded.paths->at("directed"), 1);
  EXPECT_FALSE(judge(relu(), honest_relu, training()).paths.has_value());
}

}  // namespace
}  // namespace trl::runtime
