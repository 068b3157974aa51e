# A transposed convolution of stride 2 and what follows it pixel by pixel. Of a window, a result uses only the places whose parity agrees
# with its own, so a program takes results of one parity, for which fewer products are left.
#: wrong | y = tl.minimum(tl.maximum(y * scale, 0.0), 1.0) | y = tl.maximum(y * scale, 0.0)
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def conv_transpose_kernel(x_ptr, w_ptr, b_ptr, extra_ptr, y_ptr, C, H, W, O, OH, OW, stride, padding, scale,  # noqa: E741
                          KH: tl.constexpr, KW: tl.constexpr, BO: tl.constexpr, BP: tl.constexpr, BC: tl.constexpr):
    image = (tl.program_id(2) // (stride * stride)).to(tl.int64)
    parity = tl.program_id(2) % (stride * stride)
    columns = tl.cdiv(OW, stride)
    p = tl.program_id(0) * BP + tl.arange(0, BP)  # results of this parity
    o = tl.program_id(1) * BO + tl.arange(0, BO)
    oy, ox = p // columns * stride + parity // stride, p % columns * stride + parity % stride
    inside = (oy < OH) & (ox < OW)
    acc = tl.zeros((BO, BP), dtype=tl.float32)
    for place in range(KH * KW):
        dy, dx = place // KW, place % KW
        if (parity // stride + padding - dy) % stride == 0 and (parity % stride + padding - dx) % stride == 0:
            down, right = oy + padding - dy, ox + padding - dx
            row, column = down // stride, right // stride
            used = inside & (down >= 0) & (right >= 0) & (row < H) & (column < W)
            for first in range(0, C, BC):
                c = first + tl.arange(0, BC)
                at = (image * C + c[:, None]) * H * W + (row * W + column)[None, :]
                x = tl.load(x_ptr + at, mask=(c < C)[:, None] & used[None, :], other=0.0)
                w = tl.load(w_ptr + (c[None, :] * O + o[:, None]) * KH * KW + place, mask=(o < O)[:, None] & (c < C)[None, :], other=0.0)
                acc = tl.dot(w, x, acc, input_precision="ieee")
    bias = tl.load(b_ptr + o, mask=o < O, other=0.0).to(tl.float32) + tl.load(extra_ptr + o, mask=o < O, other=0.0).to(tl.float32)
    y = tl.minimum(tl.maximum(acc + bias[:, None], 0.0), 1.0)
    y = tl.minimum(tl.maximum(y * scale, 0.0), 1.0)
    to = (image * O + o[:, None]) * OH * OW + (oy * OW + ox)[None, :]
    tl.store(y_ptr + to, y / scale, mask=(o < O)[:, None] & inside[None, :])


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride, padding, output_padding, bias_shape, scaling_factor):
        super().__init__()
        self.conv_transpose = nn.ConvTranspose2d(in_channels, out_channels, kernel_size, stride=stride, padding=padding,
                                                 output_padding=output_padding)
        self.bias = nn.Parameter(torch.randn(bias_shape))
        self.scaling_factor = scaling_factor

    def forward(self, x):
        conv = self.conv_transpose
        x, weight = x.contiguous(), conv.weight.contiguous()
        images, C, H, W = x.shape
        _, O, KH, KW = weight.shape  # noqa: E741
        stride, padding = conv.stride[0], conv.padding[0]
        OH = (H - 1) * stride - 2 * padding + KH + conv.output_padding[0]
        OW = (W - 1) * stride - 2 * padding + KW + conv.output_padding[1]
        y = torch.empty((images, O, OH, OW), device=x.device, dtype=x.dtype)
        one_parity = triton.cdiv(OH, stride) * triton.cdiv(OW, stride)
        grid = (triton.cdiv(one_parity, 128), triton.cdiv(O, 64), images * stride * stride)
        conv_transpose_kernel[grid](x, weight, conv.bias, self.bias, y, C, H, W, O, OH, OW, stride, padding, self.scaling_factor,
                                    KH=KH, KW=KW, BO=64, BP=128, BC=16, num_warps=8)
        return y
