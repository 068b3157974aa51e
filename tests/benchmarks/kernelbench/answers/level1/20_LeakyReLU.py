# LeakyReLU, element by element.
#: wrong | tl.where(x > 0, x, x * slope) | x
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def leaky_relu_kernel(x_ptr, y_ptr, n, slope, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n).to(tl.float32)
    tl.store(y_ptr + at, tl.where(x > 0, x, x * slope), mask=at < n)


class ModelNew(nn.Module):
    def __init__(self, negative_slope=0.01):
        super().__init__()
        self.negative_slope = negative_slope

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        leaky_relu_kernel[(triton.cdiv(x.numel(), 2048),)](x, y, x.numel(), self.negative_slope, BLOCK=2048)
        return y
