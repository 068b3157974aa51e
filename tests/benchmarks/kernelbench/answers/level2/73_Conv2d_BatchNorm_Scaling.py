# Convolution, batch normalisation with the statistics of the batch, times a number. Every tile of pixels gives its mean and the sum of
# squared deviations from it, a program per channel joins those, and a last kernel writes.
#: wrong | within + between * between * count | within
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def conv_kernel(x_ptr, w_ptr, b_ptr, y_ptr, mean_ptr, square_ptr, C, H, W, O, OH, OW, KH: tl.constexpr, KW: tl.constexpr,  # noqa: E741
                BO: tl.constexpr, BP: tl.constexpr, BK: tl.constexpr):
    tiles = tl.cdiv(OH * OW, BP)
    image = (tl.program_id(0) // tiles).to(tl.int64)
    p = tl.program_id(0) % tiles * BP + tl.arange(0, BP)
    o = tl.program_id(1) * BO + tl.arange(0, BO)
    corner = image * C * H * W + p // OW * W + p % OW
    window = C * KH * KW
    acc = tl.zeros((BO, BP), dtype=tl.float32)
    for start in range(0, window, BK):
        k = start + tl.arange(0, BK)
        inside = (k < window)[:, None] & (p < OH * OW)[None, :]
        x = tl.load(x_ptr + corner[None, :] + (k // (KH * KW) * H * W + k // KW % KH * W + k % KW)[:, None], mask=inside, other=0.0)
        w = tl.load(w_ptr + o[:, None] * window + k[None, :], mask=(o < O)[:, None] & (k < window)[None, :], other=0.0)
        acc = tl.dot(w, x, acc, input_precision="ieee")
    acc += tl.load(b_ptr + o, mask=o < O, other=0.0).to(tl.float32)[:, None]
    inside = (o < O)[:, None] & (p < OH * OW)[None, :]
    tl.store(y_ptr + (image * O + o[:, None]) * OH * OW + p[None, :], acc, mask=inside)
    count = min(BP, OH * OW - tl.program_id(0) % tiles * BP)
    mean = tl.sum(tl.where(inside, acc, 0.0), axis=1) / count
    off = tl.where(inside, acc - mean[:, None], 0.0)
    to = o.to(tl.int64) * tl.num_programs(0) + tl.program_id(0)
    tl.store(mean_ptr + to, mean, mask=o < O)
    tl.store(square_ptr + to, tl.sum(off * off, axis=1), mask=o < O)


@triton.jit
def join_kernel(mean_ptr, square_ptr, weight_ptr, bias_ptr, factor_ptr, shift_ptr, images, pixels, scaling, eps,
                BP: tl.constexpr, BLOCK: tl.constexpr):
    channel = tl.program_id(0)
    tiles = tl.cdiv(pixels, BP)
    parts = images * tiles
    first = channel.to(tl.int64) * parts
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, parts, BLOCK):
        at = start + tl.arange(0, BLOCK)
        count = tl.minimum(BP, pixels - at % tiles * BP)
        acc += tl.load(mean_ptr + first + at, mask=at < parts, other=0.0) * count
    elements = images * pixels * 1.0
    mean = tl.sum(acc) / elements
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, parts, BLOCK):
        at = start + tl.arange(0, BLOCK)
        count = tl.minimum(BP, pixels - at % tiles * BP)
        between = tl.load(mean_ptr + first + at, mask=at < parts, other=0.0) - mean
        within = tl.load(square_ptr + first + at, mask=at < parts, other=0.0)
        acc += tl.where(at < parts, within + between * between * count, 0.0)
    weight, bias = tl.load(weight_ptr + channel).to(tl.float32), tl.load(bias_ptr + channel).to(tl.float32)
    factor = tl.rsqrt(tl.sum(acc) / elements + eps) * weight
    tl.store(factor_ptr + channel, factor * scaling)
    tl.store(shift_ptr + channel, (bias - mean * factor) * scaling)


@triton.jit
def apply_kernel(x_ptr, factor_ptr, shift_ptr, y_ptr, channels, pixels, BLOCK: tl.constexpr):
    plane = tl.program_id(0).to(tl.int64)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + plane * pixels + at, mask=at < pixels)
    y = x * tl.load(factor_ptr + plane % channels) + tl.load(shift_ptr + plane % channels)
    tl.store(y_ptr + plane * pixels + at, y, mask=at < pixels)


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, scaling_factor):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.bn = nn.BatchNorm2d(out_channels)
        self.scaling_factor = scaling_factor

    def forward(self, x):
        x, weight = x.contiguous(), self.conv.weight.contiguous()
        images, C, H, W = x.shape
        O, _, KH, KW = weight.shape  # noqa: E741
        OH, OW = H - KH + 1, W - KW + 1
        pixels = OH * OW
        tiles = images * triton.cdiv(pixels, 128)
        f32 = {"device": x.device, "dtype": torch.float32}
        between, means, squares = torch.empty((images, O, OH, OW), **f32), torch.empty((O, tiles), **f32), torch.empty((O, tiles), **f32)
        factor, shift = torch.empty((O,), **f32), torch.empty((O,), **f32)
        y = torch.empty((images, O, OH, OW), device=x.device, dtype=x.dtype)
        conv_kernel[(tiles, triton.cdiv(O, 64))](x, weight, self.conv.bias, between, means, squares, C, H, W, O, OH, OW,
                                                 KH=KH, KW=KW, BO=64, BP=128, BK=16, num_warps=8)
        join_kernel[(O,)](means, squares, self.bn.weight, self.bn.bias, factor, shift, images, pixels, self.scaling_factor, self.bn.eps,
                          BP=128, BLOCK=1024)
        apply_kernel[(images * O, triton.cdiv(pixels, 1024))](between, factor, shift, y, O, pixels, BLOCK=1024)
        return y
