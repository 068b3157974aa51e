# A product whose inner dimension is by far the longest: its parts are multiplied by programs of their own, and a second kernel adds
# the parts up in pairs.
#: wrong | (part < parts) | (part < parts - 1)
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def split_kernel(a_ptr, b_ptr, part_ptr, M, N, K, length, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    part = tl.program_id(2).to(tl.int64)
    rm = tl.program_id(0).to(tl.int64) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(part * length, tl.minimum((part + 1) * length, K), BK):
        rk = start + tl.arange(0, BK)
        a = tl.load(a_ptr + rm[:, None] * K + rk[None, :], mask=(rm[:, None] < M) & (rk[None, :] < K), other=0.0)
        b = tl.load(b_ptr + rk[:, None] * N + rn[None, :], mask=(rk[:, None] < K) & (rn[None, :] < N), other=0.0)
        acc = tl.dot(a, b, acc, input_precision="ieee")
    at = (part * M + rm[:, None]) * N + rn[None, :]
    tl.store(part_ptr + at, acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def add_kernel(part_ptr, c_ptr, size, parts, PARTS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    part = tl.arange(0, PARTS)[:, None]
    values = tl.load(part_ptr + part * size + at[None, :], mask=(at[None, :] < size) & (part < parts), other=0.0)
    tl.store(c_ptr + at, tl.sum(values, axis=0), mask=at < size)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, A, B):
        A, B = A.contiguous(), B.contiguous()
        (M, K), N = A.shape, B.shape[1]
        length = 32 * triton.cdiv(K, 32 * 64)
        parts = triton.cdiv(K, length)
        products = torch.empty((parts, M, N), device=A.device, dtype=torch.float32)
        C = torch.empty((M, N), device=A.device, dtype=A.dtype)
        split_kernel[(triton.cdiv(M, 64), triton.cdiv(N, 64), parts)](A, B, products, M, N, K, length, BM=64, BN=64, BK=32)
        add_kernel[(triton.cdiv(M * N, 64),)](products, C, M * N, parts, PARTS=triton.next_power_of_2(parts), BLOCK=64)
        return C
