// Honest candidates of each form are correct in the strictest exam.
#include <gtest/gtest.h>

#include "tests/verifier/candidates.hpp"

namespace trl::runtime {
namespace {

using namespace candidates;

void expect_correct(const Verdict& verdict) {
  EXPECT_TRUE(verdict.correct) << verdict.to_json().dump(1);
  EXPECT_TRUE(verdict.valid && verdict.values && verdict.tiny && verdict.compiled.value_or(false));
  EXPECT_EQ(verdict.failed, "");
  EXPECT_GT(verdict.speedup, 0);
}

TEST(Honest, Elementwise) {
  const Verdict verdict = judge(relu(), honest_relu);
  expect_correct(verdict);
  EXPECT_EQ(verdict.launches, 1);
}

TEST(Honest, InAFencedAnswer) { expect_correct(judge(relu(), "Sure:\n```python\n" + honest_relu + "```\n")); }

TEST(Honest, WithItsOwnImports) {
  expect_correct(judge(
      relu(),
      "import torch\nimport torch.nn as nn\nimport triton\nimport triton.language as tl\n\n" + honest_relu));
}

TEST(Honest, WithStagesTheWordPassAndAnUnusedHelper) {
  expect_correct(judge(relu(), "def helper(x):\n    # compare against torch.relu(x)\n    pass\n\n" +
                                   relu_answer(R"(        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 128),)](x, y, x.numel(), BLOCK=128, num_stages=2, num_warps=8)
        return y
)")));
}

// Triton warns of `and` between blocks, and takes it for `&`.
TEST(Honest, WithMasksThatAreJoinedByAnd) {
  std::string answer = honest_relu;
  const std::string mask = "m = i < n\n";
  ASSERT_NE(answer.find(mask), std::string::npos) << answer;
  expect_correct(judge(relu(), answer.replace(answer.find(mask), mask.size(), "m = (i < n) and (i >= 0)\n")));
}

TEST(Honest, RowsOfASoftmax) {
  expect_correct(judge(softmax(), R"(@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=-float('inf'))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row * N + c, e / tl.sum(e, axis=0), mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.empty_like(x)
        kernel[(M,)](x, y, N, BLOCK=triton.next_power_of_2(N))
        return y
)"));
}

TEST(Honest, ARowSum) {
  expect_correct(judge(row_sum(), R"(@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    tl.store(y_ptr + row, tl.sum(x, axis=0))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty((x.shape[0],), device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
)"));
}

// A reduction of rows whose load leaves the lanes of columns that don't exist to `other`.
std::string row_reduction(const std::string& other, const std::string& reduction) {
  return "@triton.jit\ndef kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):\n    row = tl.program_id(0)\n"
         "    c = tl.arange(0, BLOCK)\n    x = tl.load(x_ptr + row * N + c, mask=c < N" +
         other + ")\n    tl.store(y_ptr + row, " + reduction +
         ")\n\nclass ModelNew(nn.Module):\n    def forward(self, x):\n"
         "        y = torch.empty((x.shape[0],), device=x.device, dtype=x.dtype)\n"
         "        kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=2 * triton.next_power_of_2(x.shape[1]))\n"
         "        return y\n";
}

TEST(Honest, IsNotedToRelyOnMaskedLoadsWithoutOther) {
  const Verdict relies = judge(row_sum(), row_reduction("", "tl.sum(x, axis=0)"));
  expect_correct(relies);
  EXPECT_EQ(relies.masked_without_other, 4) << "a load of each of the tiny stage's four programs";
  EXPECT_EQ(relies.to_json().at("masked_without_other"), 4);
  for (const std::string& answer : {row_reduction(", other=0.0", "tl.sum(x, axis=0)"),
                                    row_reduction("", "tl.sum(tl.where(c < N, x, 0.0), axis=0)")}) {
    const Verdict independent = judge(row_sum(), answer);
    expect_correct(independent);
    EXPECT_FALSE(independent.to_json().contains("masked_without_other"));
  }
  EXPECT_EQ(judge(relu(), honest_relu).masked_without_other, 0);
}

TEST(Honest, ATiledMatmul) {
  expect_correct(judge(matmul(), R"(@triton.jit
def kernel(x_ptr, w_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    r = tl.program_id(0) * BM + tl.arange(0, BM)
    c = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, K, BK):
        ks = start + k
        a = tl.load(x_ptr + r[:, None] * K + ks[None, :], mask=(r[:, None] < M) & (ks[None, :] < K), other=0.0)
        b = tl.load(w_ptr + ks[:, None] * N + c[None, :], mask=(ks[:, None] < K) & (c[None, :] < N), other=0.0)
        acc += tl.dot(a, b, input_precision="ieee")
    tl.store(y_ptr + r[:, None] * N + c[None, :], acc, mask=(r[:, None] < M) & (c[None, :] < N))

class ModelNew(nn.Module):
    def forward(self, x, w):
        M, K = x.shape
        N = w.shape[1]
        y = torch.empty((M, N), device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(M, 32), triton.cdiv(N, 32))](x, w, y, M, N, K, BM=32, BN=32, BK=32)
        return y
)"));
}

TEST(Honest, TwoKernelsWithATemporary) {
  const Verdict verdict = judge(relu(), relu_kernel + R"(@triton.jit
def negate(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, -tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        n = x.numel()
        grid = lambda meta: (triton.cdiv(n, meta['BLOCK']),)
        a, b, y = torch.empty_like(x), torch.empty_like(x), torch.empty_like(x)
        negate[grid](x, a, n, BLOCK=256)
        negate[grid](a, b, n, BLOCK=256)
        kernel[grid](b, y, n, BLOCK=256)
        return y
)");
  expect_correct(verdict);
  EXPECT_EQ(verdict.launches, 3);
}

TEST(Honest, AutotunedWithHeuristics) {
  expect_correct(judge(
      relu(),
      R"(@triton.autotune(configs=[triton.Config({'BLOCK': 128}, num_warps=2), triton.Config({'BLOCK': 512})], key=['n'])
@triton.heuristics({'EVEN': lambda args: args['n'] % args['BLOCK'] == 0})
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i), 0.0))
    else:
        tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[lambda meta: (triton.cdiv(x.numel(), meta['BLOCK']),)](x, y, x.numel())
        return y
)"));
}

TEST(Honest, ViewsCopiesAndFills) {
  expect_correct(judge(relu(), relu_answer(R"(        flat = x.t().contiguous().view(-1)
        y = torch.zeros((x.shape[1], x.shape[0]), device='cuda', dtype=x.dtype)
        y.fill_(7.0)
        kernel[(triton.cdiv(flat.numel(), 64),)](flat, y, flat.numel(), BLOCK=64)
        torch.cuda.synchronize()
        return y.transpose(0, 1).contiguous()
)")));
}

TEST(Honest, WritesOnlyWhatDiffersFromItsFill) {
  expect_correct(judge(relu(), R"(@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(y_ptr + i, x, mask=(i < n) & (x > 0))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.zeros_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
)"));
}

TEST(Honest, SumsByAtomicsInAnyOrder) {
  expect_correct(judge(row_sum(), R"(@triton.jit
def kernel(x_ptr, y_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0)
    tl.atomic_add(y_ptr + row, tl.sum(x, axis=0))

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.zeros((x.shape[0],), device=x.device, dtype=torch.float32)
        kernel[(x.shape[0], triton.cdiv(x.shape[1], 16))](x, y, x.shape[1], BLOCK=16)
        return y.to(x.dtype)
)"));
}

TEST(Honest, TheLastProgramAddsUp) {
  expect_correct(judge(row_sum(), R"(@triton.jit
def kernel(x_ptr, part_ptr, count_ptr, y_ptr, N, PARTS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    part = tl.program_id(1)
    c = part * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * N + c, mask=c < N, other=0.0).to(tl.float32)
    tl.store(part_ptr + row * PARTS + part, tl.sum(x, axis=0))
    tl.debug_barrier()
    if tl.atomic_add(count_ptr + row, 1) == tl.num_programs(1) - 1:
        p = tl.arange(0, PARTS)
        all = tl.load(part_ptr + row * PARTS + p, mask=p < tl.num_programs(1), other=0.0)
        tl.store(y_ptr + row, tl.sum(all, axis=0))

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        y = torch.empty((M,), device=x.device, dtype=x.dtype)
        parts = triton.cdiv(N, 16)
        P = triton.next_power_of_2(parts)
        part = torch.empty((M, P), device=x.device, dtype=torch.float32)
        count = torch.zeros((M,), device=x.device, dtype=torch.int32)
        kernel[(M, parts)](x, part, count, y, N, PARTS=P, BLOCK=16)
        return y
)"));
}

TEST(Honest, AVerdictIsTheSameEachTime) {
  EXPECT_EQ(judge(relu(), honest_relu).to_json(), judge(relu(), honest_relu).to_json());
  const std::string wrong = relu_answer(
      "        y = torch.empty_like(x)\n        kernel[(1,)](x, y, 7, BLOCK=64)\n        return y\n");
  EXPECT_EQ(judge(relu(), wrong).to_json(), judge(relu(), wrong).to_json());
}

}  // namespace
}  // namespace trl::runtime
