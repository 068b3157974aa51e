# A linear layer, group normalisation of each row's groups of neighbouring features, LeakyReLU, and twice the result.
#: wrong | tl.rsqrt(tl.sum(off * off) / size + eps) | tl.rsqrt(tl.sum(off * off) / (size - 1) + eps)
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def linear_kernel(x_ptr, w_ptr, b_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0).to(tl.int64) * BM + tl.arange(0, BM)
    rn = tl.program_id(1).to(tl.int64) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, K, BK):
        rk = start + tl.arange(0, BK)
        x = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        w = tl.load(w_ptr + rn[:, None] * K + rk[None, :], mask=(rn[:, None] < N) & (rk[None, :] < K), other=0.0)
        acc = tl.dot(x, tl.trans(w), acc, input_precision="ieee")
    acc += tl.load(b_ptr + rn, mask=rn < N, other=0.0).to(tl.float32)[None, :]
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def group_kernel(x_ptr, weight_ptr, bias_ptr, y_ptr, groups, size, eps, slope, BLOCK: tl.constexpr):
    program = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    feature = program % groups * size + at
    x = tl.load(x_ptr + program * size + at, mask=at < size, other=0.0)
    mean = tl.sum(x) / size
    off = tl.where(at < size, x - mean, 0.0)
    scale = tl.rsqrt(tl.sum(off * off) / size + eps)
    weight = tl.load(weight_ptr + feature, mask=at < size, other=0.0).to(tl.float32)
    bias = tl.load(bias_ptr + feature, mask=at < size, other=0.0).to(tl.float32)
    y = off * scale * weight + bias
    y = tl.where(y > 0, y, y * slope)
    tl.store(y_ptr + program * size + at, y + y, mask=at < size)


class ModelNew(nn.Module):
    def __init__(self, input_size, hidden_size, num_groups, eps=1e-5, negative_slope=0.01):
        super().__init__()
        self.fc = nn.Linear(input_size, hidden_size)
        self.gn = nn.GroupNorm(num_groups=num_groups, num_channels=hidden_size, eps=eps)
        self.negative_slope = negative_slope

    def forward(self, x):
        x = x.contiguous()
        (M, K), N = x.shape, self.fc.weight.shape[0]
        groups = self.gn.num_groups
        between = torch.empty((M, N), device=x.device, dtype=torch.float32)
        y = torch.empty((M, N), device=x.device, dtype=x.dtype)
        linear_kernel[(triton.cdiv(M, 64), triton.cdiv(N, 64))](x, self.fc.weight.contiguous(), self.fc.bias, between, M, N, K,
                                                                BM=64, BN=64, BK=16)
        group_kernel[(M * groups,)](between, self.gn.weight, self.gn.bias, y, groups, N // groups, self.gn.eps, self.negative_slope,
                                    BLOCK=triton.next_power_of_2(N // groups), num_warps=1)
        return y
