# The place of the smallest value over one dimension, by a reduction of pairs of value and place; of equal values the first place counts.
#: wrong | column < inner)[None, :] | column < inner - 1)[None, :]
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def smaller(value_a, place_a, value_b, place_b):
    first = (value_a < value_b) | ((value_a == value_b) & (place_a < place_b))
    return tl.where(first, value_a, value_b), tl.where(first, place_a, place_b)


@triton.jit
def argmin_kernel(x_ptr, y_ptr, reduced, inner, BR: tl.constexpr, BI: tl.constexpr):
    outer = tl.program_id(0).to(tl.int64)
    column = tl.program_id(1) * BI + tl.arange(0, BI)
    best = tl.full((BR, BI), float("inf"), dtype=tl.float32)
    place = tl.arange(0, BR)[:, None] + tl.zeros((BR, BI), dtype=tl.int32)
    for start in range(0, reduced, BR):
        row = start + tl.arange(0, BR)
        inside = (row < reduced)[:, None] & (column < inner)[None, :]
        at = (outer * reduced + row[:, None]) * inner + column[None, :]
        x = tl.load(x_ptr + at, mask=inside, other=float("inf")).to(tl.float32)
        best, place = smaller(best, place, x, row[:, None] + tl.zeros((BR, BI), dtype=tl.int32))
    _, index = tl.reduce((best, place), 0, smaller)
    tl.store(y_ptr + outer * inner + column, index.to(tl.int64), mask=column < inner)


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
        argmin_kernel[(outer, triton.cdiv(inner, 64))](x, y, reduced, inner, BR=16, BI=64)
        return y
