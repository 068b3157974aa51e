# A linear layer, times a vector, batch normalisation with the statistics of the batch. The second kernel owns a strip of columns, reads
# it once for means, once for variances, and once to write.
#: wrong | off = tl.where(inside, y - mean[None, :], 0.0) | off = tl.where(inside, y, 0.0)
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def linear_kernel(x_ptr, w_ptr, b_ptr, scale_ptr, y_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0).to(tl.int64) * BM + tl.arange(0, BM)
    rn = tl.program_id(1).to(tl.int64) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, K, BK):
        rk = start + tl.arange(0, BK)
        x = tl.load(x_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        w = tl.load(w_ptr + rn[:, None] * K + rk[None, :], mask=(rn[:, None] < N) & (rk[None, :] < K), other=0.0)
        acc = tl.dot(x, tl.trans(w), acc, input_precision="ieee")
    acc += tl.load(b_ptr + rn, mask=rn < N, other=0.0).to(tl.float32)[None, :]
    acc *= tl.load(scale_ptr + rn, mask=rn < N, other=0.0).to(tl.float32)[None, :]
    tl.store(y_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def batch_norm_kernel(x_ptr, weight_ptr, bias_ptr, y_ptr, M, N, eps, BM: tl.constexpr, BN: tl.constexpr):
    rn = tl.program_id(0) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, M, BM):
        rm = (start + tl.arange(0, BM)).to(tl.int64)
        inside = (rm < M)[:, None] & (rn < N)[None, :]
        acc += tl.load(x_ptr + rm[:, None] * N + rn[None, :], mask=inside, other=0.0)
    mean = tl.sum(acc, axis=0) / M
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, M, BM):
        rm = (start + tl.arange(0, BM)).to(tl.int64)
        inside = (rm < M)[:, None] & (rn < N)[None, :]
        y = tl.load(x_ptr + rm[:, None] * N + rn[None, :], mask=inside, other=0.0)
        off = tl.where(inside, y - mean[None, :], 0.0)
        acc += off * off
    factor = tl.rsqrt(tl.sum(acc, axis=0) / M + eps) * tl.load(weight_ptr + rn, mask=rn < N, other=0.0).to(tl.float32)
    bias = tl.load(bias_ptr + rn, mask=rn < N, other=0.0).to(tl.float32)
    for start in range(0, M, BM):
        rm = (start + tl.arange(0, BM)).to(tl.int64)
        inside = (rm < M)[:, None] & (rn < N)[None, :]
        y = tl.load(x_ptr + rm[:, None] * N + rn[None, :], mask=inside)
        tl.store(y_ptr + rm[:, None] * N + rn[None, :], (y - mean[None, :]) * factor[None, :] + bias[None, :], mask=inside)


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, scale_shape, eps=1e-5, momentum=0.1):
        super().__init__()
        self.gemm = nn.Linear(in_features, out_features)
        self.scale = nn.Parameter(torch.randn(scale_shape))
        self.bn = nn.BatchNorm1d(out_features, eps=eps, momentum=momentum)

    def forward(self, x):
        x = x.contiguous()
        (M, K), N = x.shape, self.gemm.weight.shape[0]
        between = torch.empty((M, N), device=x.device, dtype=torch.float32)
        y = torch.empty((M, N), device=x.device, dtype=x.dtype)
        linear_kernel[(triton.cdiv(M, 64), triton.cdiv(N, 64))](
            x, self.gemm.weight.contiguous(), self.gemm.bias, self.scale, between, M, N, K, BM=64, BN=64, BK=16)
        batch_norm_kernel[(triton.cdiv(N, 32),)](between, self.bn.weight, self.bn.bias, y, M, N, self.bn.eps, BM=64, BN=32)
        return y
