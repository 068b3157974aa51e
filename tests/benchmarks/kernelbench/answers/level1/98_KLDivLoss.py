# The divergence of rows of probabilities, the sum of t (log t - log p) over everything divided by the number of rows. A term whose
# t is zero is zero.
#: wrong | tl.sum(acc) / rows | tl.sum(acc) / columns
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_kernel(p_ptr, t_ptr, part_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        p = tl.load(p_ptr + row * columns + at, mask=at < columns, other=1.0).to(tl.float32)
        t = tl.load(t_ptr + row * columns + at, mask=at < columns, other=0.0).to(tl.float32)
        own = tl.where(t == 0, 0.0, t * tl.log(tl.where(t == 0, 1.0, t)))
        acc += own - t * tl.log(p)
    tl.store(part_ptr + row, tl.sum(acc))


@triton.jit
def mean_kernel(part_ptr, y_ptr, rows, columns, BLOCK: tl.constexpr):
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, rows, BLOCK):
        at = start + tl.arange(0, BLOCK)
        acc += tl.load(part_ptr + at, mask=at < rows, other=0.0)
    tl.store(y_ptr, tl.sum(acc) / rows)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, predictions, targets):
        predictions, targets = predictions.contiguous(), targets.contiguous()
        rows = predictions.shape[0]
        columns = predictions.numel() // rows
        parts = torch.empty((rows,), device=predictions.device, dtype=torch.float32)
        y = torch.empty((), device=predictions.device, dtype=predictions.dtype)
        row_kernel[(rows,)](predictions, targets, parts, columns, BLOCK=2048)
        mean_kernel[(1,)](parts, y, rows, columns, BLOCK=1024)
        return y
