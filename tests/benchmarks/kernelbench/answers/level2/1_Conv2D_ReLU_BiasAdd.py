# Convolution, ReLU, and a second bias that is added behind it, in one kernel.
#: wrong | tl.maximum(acc + bias[:, None], 0.0) + extra[:, None] | tl.maximum(acc + bias[:, None] + extra[:, None], 0.0)
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def conv_relu_kernel(x_ptr, w_ptr, b_ptr, extra_ptr, y_ptr, C, H, W, O, OH, OW, KH: tl.constexpr, KW: tl.constexpr,  # noqa: E741
                     BO: tl.constexpr, BP: tl.constexpr, BC: tl.constexpr):
    tiles = tl.cdiv(OH * OW, BP)
    image = (tl.program_id(0) // tiles).to(tl.int64)
    p = tl.program_id(0) % tiles * BP + tl.arange(0, BP)
    o = tl.program_id(1) * BO + tl.arange(0, BO)
    corner = p // OW * W + p % OW
    acc = tl.zeros((BO, BP), dtype=tl.float32)
    for first in range(0, C, BC):
        c = first + tl.arange(0, BC)
        for place in range(KH * KW):
            at = (image * C + c[:, None]) * H * W + (corner + place // KW * W + place % KW)[None, :]
            x = tl.load(x_ptr + at, mask=(c < C)[:, None] & (p < OH * OW)[None, :], other=0.0)
            w = tl.load(w_ptr + (o[:, None] * C + c[None, :]) * KH * KW + place, mask=(o < O)[:, None] & (c < C)[None, :], other=0.0)
            acc = tl.dot(w, x, acc, input_precision="ieee")
    bias = tl.load(b_ptr + o, mask=o < O, other=0.0).to(tl.float32)
    extra = tl.load(extra_ptr + o, mask=o < O, other=0.0).to(tl.float32)
    y = tl.maximum(acc + bias[:, None], 0.0) + extra[:, None]
    tl.store(y_ptr + (image * O + o[:, None]) * OH * OW + p[None, :], y, mask=(o < O)[:, None] & (p < OH * OW)[None, :])


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, bias_shape):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.bias = nn.Parameter(torch.randn(bias_shape))

    def forward(self, x):
        x, weight = x.contiguous(), self.conv.weight.contiguous()
        images, C, H, W = x.shape
        O, _, KH, KW = weight.shape  # noqa: E741
        OH, OW = H - KH + 1, W - KW + 1
        y = torch.empty((images, O, OH, OW), device=x.device, dtype=x.dtype)
        grid = (images * triton.cdiv(OH * OW, 128), triton.cdiv(O, 64))
        conv_relu_kernel[grid](x, weight, self.conv.bias, self.bias, y, C, H, W, O, OH, OW, KH=KH, KW=KW, BO=64, BP=128, BC=16,
                               num_warps=8)
        return y
