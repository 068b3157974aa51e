# A linear layer, twice a scale, a clamp; then for each row s = logsumexp, and s times mish(s).
#: wrong | largest + tl.log(tl.sum(parts)) | tl.log(tl.sum(parts))
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def linear_kernel(x_ptr, w_ptr, b_ptr, y_ptr, M, N, K, scale, low, high, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0).to(tl.int64) * BM + tl.arange(0, BM)
    rn = tl.program_id(1).to(tl.int64) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, K, BK):
        rk = start + tl.arange(0, BK)
        x = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        w = tl.load(w_ptr + rn[:, None] * K + rk[None, :], mask=(rn[:, None] < N) & (rk[None, :] < K), other=0.0)
        acc = tl.dot(x, tl.trans(w), acc, input_precision="ieee")
    acc += tl.load(b_ptr + rn, mask=rn < N, other=0.0).to(tl.float32)[None, :]
    acc = acc * scale
    acc = tl.minimum(tl.maximum(acc + acc, low), high)
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def mish(x):
    # tanh(log(1 + e)) = (e^2 + 2 e) / (e^2 + 2 e + 2) with e = exp(x), which is 1 in f32 where e is large
    e = tl.exp(tl.minimum(x, 20.0))
    return x * (e * (e + 2.0)) / (e * (e + 2.0) + 2.0)


@triton.jit
def row_kernel(x_ptr, y_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * columns
    best = tl.full((BLOCK,), float("-inf"), dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        best = tl.maximum(best, tl.load(x_ptr + at, mask=at < columns, other=float("-inf")))
    largest = tl.max(best)
    parts = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        parts += tl.exp(tl.load(x_ptr + at, mask=at < columns, other=float("-inf")) - largest)
    s = largest + tl.log(tl.sum(parts))
    tl.store(y_ptr + row, s * mish(s))


class ModelNew(nn.Module):
    def __init__(self, input_size, hidden_size, scale_factor, clamp_min, clamp_max):
        super().__init__()
        self.matmul = nn.Linear(input_size, hidden_size)
        self.scale_factor = scale_factor
        self.clamp_min, self.clamp_max = clamp_min, clamp_max

    def forward(self, x):
        x = x.contiguous()
        (M, K), N = x.shape, self.matmul.weight.shape[0]
        between = torch.empty((M, N), device=x.device, dtype=torch.float32)
        y = torch.empty((M, 1), device=x.device, dtype=x.dtype)
        linear_kernel[(triton.cdiv(M, 64), triton.cdiv(N, 64))](
            x, self.matmul.weight.contiguous(), self.matmul.bias, between, M, N, K, self.scale_factor, self.clamp_min, self.clamp_max,
            BM=64, BN=64, BK=16)
        row_kernel[(M,)](between, y, N, BLOCK=1024)
        return y
