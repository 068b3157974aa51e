# The mean over rows of max(|a - p| - |a - n| + margin, 0), where 1e-6 is added to every difference as PyTorch does.
#: wrong | tl.sqrt(tl.sum(far)) | tl.sum(far)
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_kernel(a_ptr, p_ptr, n_ptr, loss_ptr, columns, margin, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    near = tl.zeros((BLOCK,), dtype=tl.float32)
    far = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        a = tl.load(a_ptr + row * columns + at, mask=at < columns, other=0.0).to(tl.float32)
        p = tl.load(p_ptr + row * columns + at, mask=at < columns, other=0.0).to(tl.float32)
        n = tl.load(n_ptr + row * columns + at, mask=at < columns, other=0.0).to(tl.float32)
        to_p = tl.where(at < columns, a - p + eps, 0.0)
        to_n = tl.where(at < columns, a - n + eps, 0.0)
        near += to_p * to_p
        far += to_n * to_n
    tl.store(loss_ptr + row, tl.maximum(tl.sqrt(tl.sum(near)) - tl.sqrt(tl.sum(far)) + margin, 0.0))


@triton.jit
def mean_kernel(loss_ptr, y_ptr, rows, BLOCK: tl.constexpr):
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, rows, BLOCK):
        at = start + tl.arange(0, BLOCK)
        acc += tl.load(loss_ptr + at, mask=at < rows, other=0.0)
    tl.store(y_ptr, tl.sum(acc) / rows)


class ModelNew(nn.Module):
    def __init__(self, margin=1.0):
        super().__init__()
        self.margin = margin

    def forward(self, anchor, positive, negative):
        anchor, positive, negative = anchor.contiguous(), positive.contiguous(), negative.contiguous()
        rows, columns = anchor.shape
        losses = torch.empty((rows,), device=anchor.device, dtype=torch.float32)
        y = torch.empty((), device=anchor.device, dtype=anchor.dtype)
        row_kernel[(rows,)](anchor, positive, negative, losses, columns, self.margin, 1e-6, BLOCK=2048)
        mean_kernel[(1,)](losses, y, rows, BLOCK=1024)
        return y
