# Layer normalisation of few, very long rows. Many programs find the mean and the squared deviations of a piece each, one per row joins
# them, and many write.
#: wrong | row_deviation / columns + eps | row_deviation / (columns - 1) + eps
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def piece_kernel(x_ptr, mean_ptr, deviation_ptr, columns, pieces, BLOCK: tl.constexpr):
    row, piece = tl.program_id(0).to(tl.int64), tl.program_id(1)
    at = piece * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * columns + at, mask=at < columns, other=0.0).to(tl.float32)
    mean = tl.sum(x) / min(BLOCK, columns - piece * BLOCK)
    off = tl.where(at < columns, x - mean, 0.0)
    tl.store(mean_ptr + row * pieces + piece, mean)
    tl.store(deviation_ptr + row * pieces + piece, tl.sum(off * off))


@triton.jit
def joined(mean_a, deviation_a, count_a, mean_b, deviation_b, count_b):
    count = count_a + count_b
    share = tl.where(count > 0, count_b / tl.maximum(count, 1.0), 0.0)
    step = mean_b - mean_a
    return mean_a + step * share, deviation_a + deviation_b + step * step * count_a * share, count


@triton.jit
def join_kernel(mean_ptr, deviation_ptr, row_mean_ptr, row_scale_ptr, columns, pieces, eps, PIECE: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    mean = tl.zeros((BLOCK,), dtype=tl.float32)
    deviation = tl.zeros((BLOCK,), dtype=tl.float32)
    count = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, pieces, BLOCK):
        at = start + tl.arange(0, BLOCK)
        other_mean = tl.load(mean_ptr + row * pieces + at, mask=at < pieces, other=0.0)
        other_deviation = tl.load(deviation_ptr + row * pieces + at, mask=at < pieces, other=0.0)
        other_count = tl.where(at < pieces, tl.minimum(columns - at * PIECE, PIECE), 0).to(tl.float32)
        mean, deviation, count = joined(mean, deviation, count, other_mean, other_deviation, other_count)
    row_mean, row_deviation, _ = tl.reduce((mean, deviation, count), 0, joined)
    tl.store(row_mean_ptr + row, row_mean)
    tl.store(row_scale_ptr + row, tl.rsqrt(row_deviation / columns + eps))


@triton.jit
def apply_kernel(x_ptr, mean_ptr, scale_ptr, weight_ptr, bias_ptr, y_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * columns + at, mask=at < columns).to(tl.float32)
    weight = tl.load(weight_ptr + at, mask=at < columns).to(tl.float32)
    bias = tl.load(bias_ptr + at, mask=at < columns).to(tl.float32)
    y = (x - tl.load(mean_ptr + row)) * tl.load(scale_ptr + row) * weight + bias
    tl.store(y_ptr + row * columns + at, y, mask=at < columns)


class ModelNew(nn.Module):
    def __init__(self, normalized_shape):
        super().__init__()
        self.ln = nn.LayerNorm(normalized_shape=normalized_shape)

    def forward(self, x):
        x = x.contiguous()
        columns = self.ln.weight.numel()
        rows = x.numel() // columns
        pieces = triton.cdiv(columns, 4096)
        means = torch.empty((rows, pieces), device=x.device, dtype=torch.float32)
        deviations = torch.empty_like(means)
        mean = torch.empty((rows,), device=x.device, dtype=torch.float32)
        scale = torch.empty_like(mean)
        y = torch.empty_like(x)
        piece_kernel[(rows, pieces)](x, means, deviations, columns, pieces, BLOCK=4096, num_warps=8)
        join_kernel[(rows,)](means, deviations, mean, scale, columns, pieces, self.ln.eps, PIECE=4096, BLOCK=256)
        apply_kernel[(rows, pieces)](x, mean, scale, self.ln.weight, self.ln.bias, y, columns, BLOCK=4096, num_warps=8)
        return y
