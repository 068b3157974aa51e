# Cross entropy: a program finds a row's loss, log(sum(exp(x))) - x[target], and one program takes the mean over the rows.
#: wrong | tl.log(total) + (largest - chosen) | tl.log(total) - chosen
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_kernel(x_ptr, target_ptr, loss_ptr, classes, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * classes
    largest = float("-inf")
    for start in range(0, classes, BLOCK):
        at = start + tl.arange(0, BLOCK)
        largest = tl.maximum(largest, tl.max(tl.load(x_ptr + at, mask=at < classes, other=float("-inf")).to(tl.float32)))
    parts = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, classes, BLOCK):
        at = start + tl.arange(0, BLOCK)
        parts += tl.exp(tl.load(x_ptr + at, mask=at < classes, other=float("-inf")).to(tl.float32) - largest)
    total = tl.sum(parts)
    chosen = tl.load(x_ptr + tl.load(target_ptr + row)).to(tl.float32)
    tl.store(loss_ptr + row, tl.log(total) + (largest - chosen))


@triton.jit
def mean_kernel(loss_ptr, y_ptr, rows, BLOCK: tl.constexpr):
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, rows, BLOCK):
        at = start + tl.arange(0, BLOCK)
        acc += tl.load(loss_ptr + at, mask=at < rows, other=0.0)
    tl.store(y_ptr, tl.sum(acc) / rows)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, predictions, targets):
        predictions, targets = predictions.contiguous(), targets.contiguous()
        rows, classes = predictions.shape
        losses = torch.empty((rows,), device=predictions.device, dtype=torch.float32)
        y = torch.empty((), device=predictions.device, dtype=predictions.dtype)
        row_kernel[(rows,)](predictions, targets, losses, classes, BLOCK=1024)
        mean_kernel[(1,)](losses, y, rows, BLOCK=1024)
        return y
