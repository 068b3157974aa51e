# Division of each row by the mean of its absolute values.
#: wrong | tl.sum(acc) / columns | tl.sum(acc) / BLOCK
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def l1_kernel(x_ptr, y_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * columns
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        acc += tl.abs(tl.load(x_ptr + row + at, mask=at < columns, other=0.0).to(tl.float32))
    mean = tl.sum(acc) / columns
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row + at, mask=at < columns).to(tl.float32)
        tl.store(y_ptr + row + at, x / mean, mask=at < columns)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        l1_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=4096, num_warps=8)
        return y
