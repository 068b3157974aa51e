# A convolution without unfolding: for each place of the window, a product over the channels alone is added up.
#: wrong | column = left + dx * dilation | column = left + dx * dilation + dy % 2
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def conv2d_kernel(x_ptr, w_ptr, b_ptr, y_ptr, C, H, W, CG, OG, OH, OW, stride, padding, dilation, HAS_BIAS: tl.constexpr,
                  KH: tl.constexpr, KW: tl.constexpr, BO: tl.constexpr, BP: tl.constexpr, BC: tl.constexpr):
    tiles = tl.cdiv(OH * OW, BP)
    image = (tl.program_id(0) // tiles).to(tl.int64)
    p = tl.program_id(0) % tiles * BP + tl.arange(0, BP)
    o = tl.program_id(1) * BO + tl.arange(0, BO)
    group = tl.program_id(2)
    groups = tl.num_programs(2)
    top = p // OW * stride - padding
    left = p % OW * stride - padding
    x_ptr += (image * C + group * CG) * H * W
    w_ptr += group * OG * CG * KH * KW
    acc = tl.zeros((BO, BP), dtype=tl.float32)
    for first in range(0, CG, BC):
        c = first + tl.arange(0, BC)
        for place in range(KH * KW):
            dy, dx = place // KW, place % KW
            row = top + dy * dilation
            column = left + dx * dilation
            inside = (p < OH * OW) & (row >= 0) & (row < H) & (column >= 0) & (column < W)
            x = tl.load(x_ptr + c[:, None] * H * W + (row * W + column)[None, :], mask=(c < CG)[:, None] & inside[None, :], other=0.0)
            w = tl.load(w_ptr + (o[:, None] * CG + c[None, :]) * KH * KW + place, mask=(o < OG)[:, None] & (c < CG)[None, :], other=0.0)
            acc = tl.dot(w, x, acc, input_precision="ieee")
    if HAS_BIAS:
        acc += tl.load(b_ptr + group * OG + o, mask=o < OG, other=0.0).to(tl.float32)[:, None]
    at = ((image * groups + group) * OG + o[:, None]) * OH * OW + p[None, :]
    tl.store(y_ptr + at, acc, mask=(o < OG)[:, None] & (p < OH * OW)[None, :])


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=False):
        super().__init__()
        self.conv2d = nn.Conv2d(in_channels, out_channels, (kernel_size, kernel_size), stride=stride, padding=padding,
                                dilation=dilation, groups=groups, bias=bias)

    def forward(self, x):
        x = x.contiguous()
        conv = self.conv2d
        weight, bias = conv.weight.contiguous(), conv.bias
        images, C, H, W = x.shape
        O, CG, KH, KW = weight.shape  # noqa: E741
        stride, padding, dilation = conv.stride[0], conv.padding[0], conv.dilation[0]
        OH = (H + 2 * padding - dilation * (KH - 1) - 1) // stride + 1
        OW = (W + 2 * padding - dilation * (KW - 1) - 1) // stride + 1
        y = torch.empty((images, O, OH, OW), device=x.device, dtype=x.dtype)
        grid = (images * triton.cdiv(OH * OW, 128), triton.cdiv(O // conv.groups, 64), conv.groups)
        conv2d_kernel[grid](x, weight, weight if bias is None else bias, y, C, H, W, CG, O // conv.groups, OH, OW, stride, padding, dilation,
                            HAS_BIAS=bias is not None, KH=KH, KW=KW, BO=64, BP=128, BC=16, num_warps=8)
        return y
