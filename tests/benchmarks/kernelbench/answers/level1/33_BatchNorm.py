# Batch normalisation as a module in training computes it: with each channel's mean and variance over batch and pixels. Means and sums
# of squared deviations of pieces are found first and then joined, so that no large sums are subtracted from each other.
#: wrong | tl.rsqrt(squares / count + eps) | tl.rsqrt(squares / (count - 1) + eps)
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def piece_kernel(x_ptr, mean_ptr, squares_ptr, channels, size, pieces, BLOCK: tl.constexpr):
    plane = tl.program_id(0).to(tl.int64)  # image * channels + channel
    piece = tl.program_id(1)
    at = piece * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + plane * size + at, mask=at < size, other=0.0).to(tl.float32)
    mean = tl.sum(x) / min(size - piece * BLOCK, BLOCK)
    off = tl.where(at < size, x - mean, 0.0)
    image, channel = plane // channels, plane % channels
    to = channel * (tl.num_programs(0) // channels) * pieces + image * pieces + piece
    tl.store(mean_ptr + to, mean)
    tl.store(squares_ptr + to, tl.sum(off * off))


@triton.jit
def join_kernel(mean_ptr, squares_ptr, channel_mean_ptr, scale_ptr, images, size, pieces, eps, PIECE: tl.constexpr, BLOCK: tl.constexpr):
    channel = tl.program_id(0)
    parts = images * pieces
    count = images * size * 1.0
    first = channel.to(tl.int64) * parts
    weighted = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, parts, BLOCK):
        at = start + tl.arange(0, BLOCK)
        elements = tl.minimum(size - at % pieces * PIECE, PIECE)
        weighted += tl.load(mean_ptr + first + at, mask=at < parts, other=0.0) * elements
    mean = tl.sum(weighted) / count
    deviations = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, parts, BLOCK):
        at = start + tl.arange(0, BLOCK)
        elements = tl.minimum(size - at % pieces * PIECE, PIECE)
        off = tl.load(mean_ptr + first + at, mask=at < parts, other=0.0) - mean
        within = tl.load(squares_ptr + first + at, mask=at < parts, other=0.0)
        deviations += tl.where(at < parts, within + off * off * elements, 0.0)
    squares = tl.sum(deviations)
    tl.store(channel_mean_ptr + channel, mean)
    tl.store(scale_ptr + channel, tl.rsqrt(squares / count + eps))


@triton.jit
def apply_kernel(x_ptr, mean_ptr, scale_ptr, weight_ptr, bias_ptr, y_ptr, channels, size, BLOCK: tl.constexpr):
    plane = tl.program_id(0).to(tl.int64)
    channel = plane % channels
    mean, scale = tl.load(mean_ptr + channel), tl.load(scale_ptr + channel)
    weight, bias = tl.load(weight_ptr + channel).to(tl.float32), tl.load(bias_ptr + channel).to(tl.float32)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + plane * size + at, mask=at < size).to(tl.float32)
    tl.store(y_ptr + plane * size + at, (x - mean) * scale * weight + bias, mask=at < size)


class ModelNew(nn.Module):
    def __init__(self, num_features):
        super().__init__()
        self.bn = nn.BatchNorm2d(num_features=num_features)

    def forward(self, x):
        x = x.contiguous()
        images, channels, size = x.shape[0], x.shape[1], x.numel() // (x.shape[0] * x.shape[1])
        pieces = triton.cdiv(size, 4096)
        means = torch.empty((channels, images * pieces), device=x.device, dtype=torch.float32)
        squares = torch.empty_like(means)
        mean = torch.empty((channels,), device=x.device, dtype=torch.float32)
        scale = torch.empty_like(mean)
        y = torch.empty_like(x)
        grid = (images * channels, pieces)
        piece_kernel[grid](x, means, squares, channels, size, pieces, BLOCK=4096, num_warps=8)
        join_kernel[(channels,)](means, squares, mean, scale, images, size, pieces, self.bn.eps, PIECE=4096, BLOCK=1024)
        apply_kernel[grid](x, mean, scale, self.bn.weight, self.bn.bias, y, channels, size, BLOCK=4096, num_warps=8)
        return y
