# Convolution, times a number, and the smallest value over the channels: a program goes through all channels of its pixels, so that no
# result of the convolution is stored.
#: wrong | acc = tl.where((o < O)[:, None], acc * scale, float("inf")) | acc = acc * scale
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def conv_min_kernel(x_ptr, w_ptr, b_ptr, y_ptr, C, H, W, O, OH, OW, scale, KH: tl.constexpr, KW: tl.constexpr,  # noqa: E741
                    BO: tl.constexpr, BP: tl.constexpr, BC: tl.constexpr):
    tiles = tl.cdiv(OH * OW, BP)
    image = (tl.program_id(0) // tiles).to(tl.int64)
    p = tl.program_id(0) % tiles * BP + tl.arange(0, BP)
    corner = p // OW * W + p % OW
    smallest = tl.full((BP,), float("inf"), dtype=tl.float32)
    for first_o in range(0, O, BO):
        o = first_o + tl.arange(0, BO)
        acc = tl.zeros((BO, BP), dtype=tl.float32)
        for first in range(0, C, BC):
            c = first + tl.arange(0, BC)
            for place in range(KH * KW):
                at = (image * C + c[:, None]) * H * W + (corner + place // KW * W + place % KW)[None, :]
                x = tl.load(x_ptr + at, mask=(c < C)[:, None] & (p < OH * OW)[None, :], other=0.0)
                w = tl.load(w_ptr + (o[:, None] * C + c[None, :]) * KH * KW + place, mask=(o < O)[:, None] & (c < C)[None, :], other=0.0)
                acc = tl.dot(w, x, acc, input_precision="ieee")
        acc += tl.load(b_ptr + o, mask=o < O, other=0.0).to(tl.float32)[:, None]
        acc = tl.where((o < O)[:, None], acc * scale, float("inf"))
        smallest = tl.minimum(smallest, tl.min(acc, axis=0))
    tl.store(y_ptr + image * OH * OW + p, smallest, mask=p < OH * OW)


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, scale_factor):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.scale_factor = scale_factor

    def forward(self, x):
        x, weight = x.contiguous(), self.conv.weight.contiguous()
        images, C, H, W = x.shape
        O, _, KH, KW = weight.shape  # noqa: E741
        OH, OW = H - KH + 1, W - KW + 1
        y = torch.empty((images, 1, OH, OW), device=x.device, dtype=x.dtype)
        conv_min_kernel[(images * triton.cdiv(OH * OW, 128),)](
            x, weight, self.conv.bias, y, C, H, W, O, OH, OW, self.scale_factor, KH=KH, KW=KW, BO=64, BP=128, BC=16, num_warps=8)
        return y
