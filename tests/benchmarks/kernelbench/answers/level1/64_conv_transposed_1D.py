# A transposed convolution along one dimension, seen from its result, with a product over the channels for each tap.
#: wrong | inside = (p < OL) & (shifted >= 0) & (shifted % stride == 0) & (place < L) | inside = (p < OL) & (shifted > 0) & (shifted % stride == 0) & (place < L)
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def conv_transpose1d_kernel(x_ptr, w_ptr, b_ptr, y_ptr, C, L, CG, OG, OL, stride, padding, HAS_BIAS: tl.constexpr,
                            KERNEL: tl.constexpr, BO: tl.constexpr, BP: tl.constexpr, BC: tl.constexpr):
    tiles = tl.cdiv(OL, BP)
    sequence = (tl.program_id(0) // tiles).to(tl.int64)
    p = tl.program_id(0) % tiles * BP + tl.arange(0, BP)
    o = tl.program_id(1) * BO + tl.arange(0, BO)
    group = tl.program_id(2)
    groups = tl.num_programs(2)
    x_ptr += (sequence * C + group * CG) * L
    w_ptr += group * CG * OG * KERNEL
    acc = tl.zeros((BO, BP), dtype=tl.float32)
    for first in range(0, CG, BC):
        c = first + tl.arange(0, BC)
        for tap in tl.static_range(KERNEL):
            shifted = p + padding - tap
            place = shifted // stride
            inside = (p < OL) & (shifted >= 0) & (shifted % stride == 0) & (place < L)
            x = tl.load(x_ptr + c[:, None].to(tl.int64) * L + place[None, :], mask=(c < CG)[:, None] & inside[None, :], other=0.0)
            w = tl.load(w_ptr + (c[None, :] * OG + o[:, None]) * KERNEL + tap, mask=(o < OG)[:, None] & (c < CG)[None, :], other=0.0)
            acc = tl.dot(w, x, acc, input_precision="ieee")
    if HAS_BIAS:
        acc += tl.load(b_ptr + group * OG + o, mask=o < OG, other=0.0).to(tl.float32)[:, None]
    at = ((sequence * groups + group) * OG + o[:, None]) * OL + p[None, :]
    tl.store(y_ptr + at, acc, mask=(o < OG)[:, None] & (p < OL)[None, :])


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=False):
        super().__init__()
        self.conv1d_transpose = nn.ConvTranspose1d(in_channels, out_channels, kernel_size, stride=stride, padding=padding,
                                                   output_padding=output_padding, groups=groups, bias=bias)

    def forward(self, x):
        x = x.contiguous()
        conv = self.conv1d_transpose
        weight, bias = conv.weight.contiguous(), conv.bias
        sequences, C, L = x.shape
        _, OG, K = weight.shape
        stride, padding, groups = conv.stride[0], conv.padding[0], conv.groups
        OL = (L - 1) * stride - 2 * padding + K + conv.output_padding[0]
        y = torch.empty((sequences, OG * groups, OL), device=x.device, dtype=x.dtype)
        grid = (sequences * triton.cdiv(OL, 128), triton.cdiv(OG, 64), groups)
        conv_transpose1d_kernel[grid](x, weight, weight if bias is None else bias, y, C, L, C // groups, OG, OL, stride, padding,
                                      HAS_BIAS=bias is not None, KERNEL=K, BO=64, BP=128, BC=16, num_warps=8)
        return y
