# The sum over one dimension of a tensor, seen as (outer, reduced, inner): a program adds up the columns of a strip of `inner`.
#: wrong | inner + column, mask=inside, other=0.0 | inner + column, mask=inside, other=1.0
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sum_kernel(x_ptr, y_ptr, reduced, inner, BR: tl.constexpr, BI: tl.constexpr):
    outer = tl.program_id(0).to(tl.int64)
    column = tl.program_id(1) * BI + tl.arange(0, BI)[None, :]
    acc = tl.zeros((BR, BI), dtype=tl.float32)
    for start in range(0, reduced, BR):
        row = start + tl.arange(0, BR)[:, None]
        inside = (row < reduced) & (column < inner)
        acc += tl.load(x_ptr + (outer * reduced + row) * inner + column, mask=inside, other=0.0).to(tl.float32)
    total = tl.sum(acc, axis=0, keep_dims=True)
    tl.store(y_ptr + outer * inner + column, total, mask=column < inner)


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        x = x.contiguous()
        dim = self.dim % x.dim()
        reduced, inner = x.shape[dim], x.stride(dim)
        outer = x.numel() // (reduced * inner)
        y = torch.empty((*x.shape[:dim], 1, *x.shape[dim + 1:]), device=x.device, dtype=x.dtype)
        sum_kernel[(outer, triton.cdiv(inner, 64))](x, y, reduced, inner, BR=64, BI=64)
        return y
