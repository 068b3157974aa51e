# Log-softmax of each row: one pass finds the largest value and the sum of exponentials below it together, a second one writes.
#: wrong | x - largest - log_total | x - log_total
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def log_softmax_kernel(x_ptr, y_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * columns
    largest, total = float("-inf"), 0.0
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row + at, mask=at < columns, other=float("-inf")).to(tl.float32)
        higher = tl.maximum(largest, tl.max(x))
        if higher > float("-inf"):  # a difference of two infinities has no value
            total = total * tl.exp(largest - higher) + tl.sum(tl.exp(x - higher))
            largest = higher
    log_total = tl.log(total)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row + at, mask=at < columns).to(tl.float32)
        tl.store(y_ptr + row + at, x - largest - log_total, mask=at < columns)


class ModelNew(nn.Module):
    def __init__(self, dim=1):
        super().__init__()
        self.dim = dim

    def forward(self, x):
        assert self.dim % x.dim() == x.dim() - 1, "rows are contiguous"
        x = x.contiguous()
        y = torch.empty_like(x)
        log_softmax_kernel[(x.numel() // x.shape[-1],)](x, y, x.shape[-1], BLOCK=1024, num_warps=8)
        return y
