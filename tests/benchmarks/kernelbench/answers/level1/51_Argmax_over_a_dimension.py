# The place of the largest value over one dimension; of equal ones it is the first.
#: wrong | return_indices=True) | return_indices=True, return_indices_tie_break_left=False)
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def argmax_kernel(x_ptr, y_ptr, reduced, inner, BR: tl.constexpr, BI: tl.constexpr):
    outer = tl.program_id(0).to(tl.int64)
    column = tl.program_id(1) * BI + tl.arange(0, BI)
    best = tl.full((BI,), float("-inf"), dtype=tl.float32)
    place = tl.zeros((BI,), dtype=tl.int64)
    for start in range(0, reduced, BR):
        row = start + tl.arange(0, BR)
        inside = (row < reduced)[:, None] & (column < inner)[None, :]
        at = (outer * reduced + row[:, None]) * inner + column[None, :]
        x = tl.load(x_ptr + at, mask=inside, other=float("-inf")).to(tl.float32)
        value, index = tl.max(x, axis=0, return_indices=True)
        better = value > best
        place = tl.where(better, start + index.to(tl.int64), place)
        best = tl.where(better, value, best)
    tl.store(y_ptr + outer * inner + column, place, mask=column < inner)


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        x = x.contiguous()
        dim = self.dim % x.dim()
        reduced, inner = x.shape[dim], x.stride(dim)
        outer = x.numel() // (reduced * inner)
        y = torch.empty((*x.shape[:dim], *x.shape[dim + 1:]), device=x.device, dtype=torch.int64)
        argmax_kernel[(outer, triton.cdiv(inner, 64))](x, y, reduced, inner, BR=32, BI=64)
        return y
