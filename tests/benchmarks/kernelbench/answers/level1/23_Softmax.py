# Softmax of each row in three passes over it: the largest value, the sum of exponentials, the quotients.
#: wrong | tl.where(at < columns, tl.exp(x - largest), 0.0) | tl.exp(x - largest)
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_ptr, y_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * columns
    best = tl.full((BLOCK,), float("-inf"), dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        best = tl.maximum(best, tl.load(x_ptr + row + at, mask=at < columns, other=float("-inf")).to(tl.float32))
    largest = tl.max(best)
    parts = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row + at, mask=at < columns, other=0.0).to(tl.float32)
        parts += tl.where(at < columns, tl.exp(x - largest), 0.0)
    total = tl.sum(parts)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row + at, mask=at < columns).to(tl.float32)
        tl.store(y_ptr + row + at, tl.exp(x - largest) / total, mask=at < columns)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        softmax_kernel[(x.shape[0],)](x, y, x.shape[1], BLOCK=4096, num_warps=8)
        return y
