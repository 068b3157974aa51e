# A convolution along one dimension; a program computes a tile of out channels and places for one sequence.
#: wrong | w_ptr + (o[:, None] * CG + c[None, :]) * KERNEL + tap | w_ptr + (o[:, None] * CG + c[None, :]) * KERNEL + KERNEL - 1 - tap
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def conv1d_kernel(x_ptr, w_ptr, b_ptr, y_ptr, C, L, CG, OG, OL, stride, padding, dilation, HAS_BIAS: tl.constexpr,
                  KERNEL: tl.constexpr, BO: tl.constexpr, BP: tl.constexpr, BC: tl.constexpr):
    tiles = tl.cdiv(OL, BP)
    sequence = (tl.program_id(0) // tiles).to(tl.int64)
    p = tl.program_id(0) % tiles * BP + tl.arange(0, BP)
    o = tl.program_id(1) * BO + tl.arange(0, BO)
    group = tl.program_id(2)
    groups = tl.num_programs(2)
    x_ptr += (sequence * C + group * CG) * L
    w_ptr += group * OG * CG * KERNEL
    acc = tl.zeros((BO, BP), dtype=tl.float32)
    for first in range(0, CG, BC):
        c = first + tl.arange(0, BC)
        for tap in tl.static_range(KERNEL):
            place = p * stride - padding + tap * dilation
            inside = (p < OL) & (place >= 0) & (place < L)
            x = tl.load(x_ptr + c[:, None].to(tl.int64) * L + place[None, :], mask=(c < CG)[:, None] & inside[None, :], other=0.0)
            w = tl.load(w_ptr + (o[:, None] * CG + c[None, :]) * KERNEL + tap, mask=(o < OG)[:, None] & (c < CG)[None, :], other=0.0)
            acc = tl.dot(w, x, acc, input_precision="ieee")
    if HAS_BIAS:
        acc += tl.load(b_ptr + group * OG + o, mask=o < OG, other=0.0).to(tl.float32)[:, None]
    at = ((sequence * groups + group) * OG + o[:, None]) * OL + p[None, :]
    tl.store(y_ptr + at, acc, mask=(o < OG)[:, None] & (p < OL)[None, :])


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=False):
        super().__init__()
        self.conv1d = nn.Conv1d(in_channels, out_channels, kernel_size, stride=stride, padding=padding, dilation=dilation, groups=groups,
                                bias=bias)

    def forward(self, x):
        x = x.contiguous()
        conv = self.conv1d
        weight, bias = conv.weight.contiguous(), conv.bias
        sequences, C, L = x.shape
        O, CG, K = weight.shape  # noqa: E741
        stride, padding, dilation = conv.stride[0], conv.padding[0], conv.dilation[0]
        OL = (L + 2 * padding - dilation * (K - 1) - 1) // stride + 1
        y = torch.empty((sequences, O, OL), device=x.device, dtype=x.dtype)
        grid = (sequences * triton.cdiv(OL, 128), triton.cdiv(O // conv.groups, 64), conv.groups)
        conv1d_kernel[grid](x, weight, weight if bias is None else bias, y, C, L, CG, O // conv.groups, OL, stride, padding, dilation,
                            HAS_BIAS=bias is not None, KERNEL=K, BO=64, BP=128, BC=16, num_warps=8)
        return y
