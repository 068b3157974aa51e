# A linear layer and the sum of its results for each row. What follows (max, mean, two logsumexp) is over one element and changes nothing.
# Programs multiply tiles and add up their columns; a second kernel adds the tiles of a row.
#: wrong | tl.sum(acc, axis=1) | tl.max(acc, axis=1)
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def linear_kernel(x_ptr, w_ptr, b_ptr, part_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0).to(tl.int64) * BM + tl.arange(0, BM)
    rn = tl.program_id(1).to(tl.int64) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, K, BK):
        rk = start + tl.arange(0, BK)
        x = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        w = tl.load(w_ptr + rn[:, None] * K + rk[None, :], mask=(rn[:, None] < N) & (rk[None, :] < K), other=0.0)
        acc = tl.dot(x, tl.trans(w), acc, input_precision="ieee")
    acc += tl.load(b_ptr + rn, mask=rn < N, other=0.0).to(tl.float32)[None, :]  # beyond N, product and bias are zero
    tl.store(part_ptr + rm * tl.num_programs(1) + tl.program_id(1), tl.sum(acc, axis=1), mask=rm < M)


@triton.jit
def add_kernel(part_ptr, y_ptr, tiles, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, tiles, BLOCK):
        at = start + tl.arange(0, BLOCK)
        acc += tl.load(part_ptr + row * tiles + at, mask=at < tiles, other=0.0)
    tl.store(y_ptr + row, tl.sum(acc))


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)

    def forward(self, x):
        x = x.contiguous()
        (M, K), N = x.shape, self.linear.weight.shape[0]
        tiles = triton.cdiv(N, 64)
        parts = torch.empty((M, tiles), device=x.device, dtype=torch.float32)
        y = torch.empty((M, 1), device=x.device, dtype=x.dtype)
        linear_kernel[(triton.cdiv(M, 64), tiles)](x, self.linear.weight.contiguous(), self.linear.bias, parts, M, N, K, BM=64, BN=64, BK=16)
        add_kernel[(M,)](parts, y, tiles, BLOCK=128)
        return y
