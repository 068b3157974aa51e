# A linear layer, its sigmoid, the sum over each row. Tiles of results are added up where they are computed; what lies beyond the last
# column has a sigmoid of one half and must not count.
#: wrong | tl.where((rn < N)[None, :], tl.sigmoid(acc), 0.0) | tl.sigmoid(acc)
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
    acc += tl.load(b_ptr + rn, mask=rn < N, other=0.0).to(tl.float32)[None, :]
    total = tl.sum(tl.where((rn < N)[None, :], tl.sigmoid(acc), 0.0), axis=1)
    tl.store(part_ptr + rm * tl.num_programs(1) + tl.program_id(1), total, mask=rm < M)


@triton.jit
def add_kernel(part_ptr, y_ptr, tiles, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, tiles, BLOCK):
        at = start + tl.arange(0, BLOCK)
        acc += tl.load(part_ptr + row * tiles + at, mask=at < tiles, other=0.0)
    tl.store(y_ptr + row, tl.sum(acc))


class ModelNew(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.linear = nn.Linear(input_size, hidden_size)

    def forward(self, x):
        x = x.contiguous()
        (M, K), N = x.shape, self.linear.weight.shape[0]
        tiles = triton.cdiv(N, 64)
        parts = torch.empty((M, tiles), device=x.device, dtype=torch.float32)
        y = torch.empty((M, 1), device=x.device, dtype=x.dtype)
        linear_kernel[(triton.cdiv(M, 64), tiles)](x, self.linear.weight.contiguous(), self.linear.bias, parts, M, N, K, BM=64, BN=64, BK=16)
        add_kernel[(M,)](parts, y, tiles, BLOCK=256)
        return y
