# A matrix times a vector. Each row is cut into parts, since there are few rows and they are long; a second kernel adds the parts up.
#: wrong | tl.cdiv(K, SPLIT * BLOCK) * BLOCK | K // (SPLIT * BLOCK) * BLOCK
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def partial_kernel(a_ptr, v_ptr, part_ptr, K, SPLIT: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    part = tl.program_id(1)
    length = tl.cdiv(K, SPLIT * BLOCK) * BLOCK
    first = part * length
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(first, min(first + length, K), BLOCK):
        at = start + tl.arange(0, BLOCK)
        a = tl.load(a_ptr + row * K + at, mask=at < K, other=0.0).to(tl.float32)
        v = tl.load(v_ptr + at, mask=at < K, other=0.0).to(tl.float32)
        acc += a * v
    tl.store(part_ptr + row * SPLIT + part, tl.sum(acc))


@triton.jit
def add_kernel(part_ptr, y_ptr, SPLIT: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    tl.store(y_ptr + row, tl.sum(tl.load(part_ptr + row * SPLIT + tl.arange(0, SPLIT))))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, A, B):
        A, B = A.contiguous(), B.contiguous()
        M, K = A.shape
        parts = torch.empty((M, 16), device=A.device, dtype=torch.float32)
        y = torch.empty((M, 1), device=A.device, dtype=A.dtype)
        partial_kernel[(M, 16)](A, B, parts, K, SPLIT=16, BLOCK=1024)
        add_kernel[(M,)](parts, y, SPLIT=16)
        return y
