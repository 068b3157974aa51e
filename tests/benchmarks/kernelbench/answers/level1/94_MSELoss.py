# The mean squared difference: sums of pieces, then one program that adds them up.
#: wrong | total / n | total / (n - 1)
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def piece_kernel(p_ptr, t_ptr, part_ptr, n, STEPS: tl.constexpr, BLOCK: tl.constexpr):
    first = tl.program_id(0).to(tl.int64) * STEPS * BLOCK
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for step in range(STEPS):
        at = first + step * BLOCK + tl.arange(0, BLOCK)
        p = tl.load(p_ptr + at, mask=at < n, other=0.0).to(tl.float32)
        t = tl.load(t_ptr + at, mask=at < n, other=0.0).to(tl.float32)
        acc += (p - t) * (p - t)
    tl.store(part_ptr + tl.program_id(0), tl.sum(acc))


@triton.jit
def mean_kernel(part_ptr, y_ptr, parts, n, BLOCK: tl.constexpr):
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, parts, BLOCK):
        at = start + tl.arange(0, BLOCK)
        acc += tl.load(part_ptr + at, mask=at < parts, other=0.0)
    total = tl.sum(acc)
    tl.store(y_ptr, total / n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, predictions, targets):
        predictions, targets = predictions.contiguous(), targets.contiguous()
        n = predictions.numel()
        parts = triton.cdiv(n, 32 * 1024)
        sums = torch.empty((parts,), device=predictions.device, dtype=torch.float32)
        y = torch.empty((), device=predictions.device, dtype=predictions.dtype)
        piece_kernel[(parts,)](predictions, targets, sums, n, STEPS=32, BLOCK=1024)
        mean_kernel[(1,)](sums, y, parts, n, BLOCK=1024)
        return y
