# The sum of all elements before each: a running sum of the elements one place to the left.
#: wrong | (at >= 1) & (at < length) | (at >= 2) & (at < length)
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def exclusive_cumsum_kernel(x_ptr, y_ptr, length, inner, BLOCK: tl.constexpr):
    line = tl.program_id(0).to(tl.int64)
    first = line // inner * length * inner + line % inner
    carry = 0.0
    for start in range(0, length, BLOCK):
        at = start + tl.arange(0, BLOCK)
        before = tl.load(x_ptr + first + (at - 1) * inner, mask=(at >= 1) & (at < length), other=0.0).to(tl.float32)
        tl.store(y_ptr + first + at * inner, carry + tl.cumsum(before, axis=0), mask=at < length)
        carry += tl.sum(before)


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        length, inner = x.shape[self.dim], x.stride(self.dim)
        exclusive_cumsum_kernel[(x.numel() // length,)](x, y, length, inner, BLOCK=1024)
        return y
