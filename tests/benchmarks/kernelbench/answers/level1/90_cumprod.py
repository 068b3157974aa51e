# The running product along one dimension, in blocks; what is carried is the product of all blocks before.
#: wrong | tl.associative_scan(x, 0, multiply) | tl.associative_scan(x, 0, multiply, reverse=True)
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def multiply(a, b):
    return a * b


@triton.jit
def cumprod_kernel(x_ptr, y_ptr, length, inner, BLOCK: tl.constexpr):
    line = tl.program_id(0).to(tl.int64)
    first = line // inner * length * inner + line % inner
    carry = 1.0
    for start in range(0, length, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + first + at * inner, mask=at < length, other=1.0).to(tl.float32)
        tl.store(y_ptr + first + at * inner, carry * tl.associative_scan(x, 0, multiply), mask=at < length)
        carry *= tl.reduce(x, 0, multiply)


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        length, inner = x.shape[self.dim], x.stride(self.dim)
        cumprod_kernel[(x.numel() // length,)](x, y, length, inner, BLOCK=1024)
        return y
