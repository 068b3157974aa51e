# SELU, element by element, with the two constants that its definition gives.
#: wrong | ALPHA * libdevice.expm1(x) | ALPHA * libdevice.exp(x)
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice

ALPHA = tl.constexpr(1.6732632423543772)
SCALE = tl.constexpr(1.0507009873554805)


@triton.jit
def selu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n).to(tl.float32)
    tl.store(y_ptr + at, SCALE * tl.where(x > 0, x, ALPHA * libdevice.expm1(x)), mask=at < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        selu_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
