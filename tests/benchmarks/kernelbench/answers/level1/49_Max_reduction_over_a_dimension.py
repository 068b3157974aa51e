# The largest value over one dimension, with blocks of rows below each other and a comparison of their results at the end.
#: wrong | (row < reduced) | (row < reduced // 4 * 4)
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def max_kernel(x_ptr, y_ptr, reduced, inner, BR: tl.constexpr, BI: tl.constexpr):
    outer = tl.program_id(0).to(tl.int64)
    column = tl.program_id(1) * BI + tl.arange(0, BI)
    best = tl.full((BR, BI), float("-inf"), dtype=tl.float32)
    for start in range(0, reduced, BR):
        row = start + tl.arange(0, BR)
        inside = (row < reduced)[:, None] & (column < inner)[None, :]
        at = (outer * reduced + row[:, None]) * inner + column[None, :]
        best = tl.maximum(best, tl.load(x_ptr + at, mask=inside, other=float("-inf")).to(tl.float32))
    tl.store(y_ptr + outer * inner + column, tl.max(best, axis=0), mask=column < inner)


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        x = x.contiguous()
        dim = self.dim % x.dim()
        reduced, inner = x.shape[dim], x.stride(dim)
        outer = x.numel() // (reduced * inner)
        y = torch.empty((*x.shape[:dim], *x.shape[dim + 1:]), device=x.device, dtype=x.dtype)
        max_kernel[(outer, triton.cdiv(inner, 64))](x, y, reduced, inner, BR=64, BI=64)
        return y
