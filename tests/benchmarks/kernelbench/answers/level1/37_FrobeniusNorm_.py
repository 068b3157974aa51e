# Division by the Frobenius norm of the whole tensor: sums of squares of pieces, their sum, and the quotients.
#: wrong | 1.0 / tl.sqrt(tl.sum(acc)) | 1.0 / tl.sum(acc)
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def squares_kernel(x_ptr, part_ptr, n, STEPS: tl.constexpr, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * STEPS * BLOCK
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for step in range(STEPS):
        at = first + step * BLOCK + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + at, mask=at < n, other=0.0).to(tl.float32)
        acc += x * x
    tl.store(part_ptr + tl.program_id(0), tl.sum(acc))


@triton.jit
def norm_kernel(part_ptr, factor_ptr, parts, BLOCK: tl.constexpr):
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, parts, BLOCK):
        at = start + tl.arange(0, BLOCK)
        acc += tl.load(part_ptr + at, mask=at < parts, other=0.0)
    tl.store(factor_ptr, 1.0 / tl.sqrt(tl.sum(acc)))


@triton.jit
def scale_kernel(x_ptr, factor_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n).to(tl.float32)
    tl.store(y_ptr + at, x * tl.load(factor_ptr), mask=at < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        x = x.contiguous()
        n = x.numel()
        parts = triton.cdiv(n, 64 * 2048)
        sums = torch.empty((parts,), device=x.device, dtype=torch.float32)
        factor = torch.empty((1,), device=x.device, dtype=torch.float32)
        y = torch.empty_like(x)
        squares_kernel[(parts,)](x, sums, n, STEPS=64, BLOCK=2048)
        norm_kernel[(1,)](sums, factor, parts, BLOCK=1024)
        scale_kernel[(triton.cdiv(n, 2048),)](x, factor, y, n, BLOCK=2048)
        return y
