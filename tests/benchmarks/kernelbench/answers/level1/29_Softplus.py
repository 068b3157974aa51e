# Softplus, log(1 + exp(x)), written so that no exponential overflows.
#: wrong | tl.exp(-tl.abs(x)) | tl.exp(-tl.abs(x)).to(tl.float16).to(tl.float32)
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def softplus_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n).to(tl.float32)
    tl.store(y_ptr + at, tl.maximum(x, 0.0) + libdevice.log1p(tl.exp(-tl.abs(x))), mask=at < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        softplus_kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
