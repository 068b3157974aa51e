# A transposed convolution, seen from its result: a pixel gets a term from each place of the window at which the stride reaches an input.
#: wrong | down = (row_p[None, :] + padding - dy[:, None]) | down = (row_p[None, :] + padding - (KH - 1 - dy[:, None]))
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def conv_transpose2d_kernel(x_ptr, w_ptr, b_ptr, y_ptr, pixels, C, H, W, CG, OG, OH, OW, stride, padding, HAS_BIAS: tl.constexpr,
                            KH: tl.constexpr, KW: tl.constexpr, BO: tl.constexpr, BP: tl.constexpr, BK: tl.constexpr):
    p = tl.program_id(0).to(tl.int64) * BP + tl.arange(0, BP)
    o = tl.program_id(1) * BO + tl.arange(0, BO)  # within the group
    group = tl.program_id(2)
    groups = tl.num_programs(2)
    image = p // (OH * OW)
    row_p = (p // OW % OH).to(tl.int32)
    column_p = (p % OW).to(tl.int32)
    x_base = (image * C + group * CG) * H * W
    window = CG * KH * KW
    acc = tl.zeros((BO, BP), dtype=tl.float32)
    for start in range(0, window, BK):
        k = start + tl.arange(0, BK)
        c = k // (KH * KW)
        dy, dx = k // KW % KH, k % KW
        down = (row_p[None, :] + padding - dy[:, None])
        right = (column_p[None, :] + padding - dx[:, None])
        row, column = down // stride, right // stride
        inside = (down >= 0) & (right >= 0) & (down % stride == 0) & (right % stride == 0) & (row < H) & (column < W)
        inside = inside & (k < window)[:, None] & (p < pixels)[None, :]
        x = tl.load(x_ptr + x_base[None, :] + (c[:, None] * H + row) * W + column, mask=inside, other=0.0)
        w_at = ((group * CG + c[None, :]) * OG + o[:, None]) * KH * KW + (k % (KH * KW))[None, :]
        w = tl.load(w_ptr + w_at, mask=(o < OG)[:, None] & (k < window)[None, :], other=0.0)
        acc = tl.dot(w, x, acc, input_precision="ieee")
    if HAS_BIAS:
        acc += tl.load(b_ptr + group * OG + o, mask=o < OG, other=0.0).to(tl.float32)[:, None]
    at = ((image * groups + group)[None, :] * OG + o[:, None]) * OH * OW + (p % (OH * OW))[None, :]
    tl.store(y_ptr + at, acc, mask=(o < OG)[:, None] & (p < pixels)[None, :])


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=False):
        super().__init__()
        self.conv_transpose2d = nn.ConvTranspose2d(in_channels, out_channels, kernel_size, stride=stride, padding=padding,
                                                   output_padding=output_padding, groups=groups, bias=bias)

    def forward(self, x):
        x = x.contiguous()
        conv = self.conv_transpose2d
        weight, bias = conv.weight.contiguous(), conv.bias
        images, C, H, W = x.shape
        _, OG, KH, KW = weight.shape
        stride, padding, groups = conv.stride[0], conv.padding[0], conv.groups
        OH = (H - 1) * stride - 2 * padding + KH + conv.output_padding[0]
        OW = (W - 1) * stride - 2 * padding + KW + conv.output_padding[1]
        y = torch.empty((images, OG * groups, OH, OW), device=x.device, dtype=x.dtype)
        pixels = images * OH * OW
        conv_transpose2d_kernel[(triton.cdiv(pixels, 64), triton.cdiv(OG, 64), groups)](
            x, weight, weight if bias is None else bias, y, pixels, C, H, W, C // groups, OG, OH, OW, stride, padding,
            HAS_BIAS=bias is not None, KH=KH, KW=KW, BO=64, BP=64, BK=16)
        return y
