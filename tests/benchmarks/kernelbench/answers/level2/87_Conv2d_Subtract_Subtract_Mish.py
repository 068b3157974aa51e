# Convolution, minus two numbers, mish.
#: wrong | tl.minimum(x, 20.0) | tl.minimum(x, 2.0)
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def mish(x):
    # tanh(log(1 + e)) = (e^2 + 2 e) / (e^2 + 2 e + 2) with e = exp(x), which is 1 in f32 where e is large
    e = tl.exp(tl.minimum(x, 20.0))
    return x * (e * (e + 2.0)) / (e * (e + 2.0) + 2.0)


@triton.jit
def conv_mish_kernel(x_ptr, w_ptr, b_ptr, y_ptr, C, H, W, O, OH, OW, first_value, second_value,  # noqa: E741
                     KH: tl.constexpr, KW: tl.constexpr, BO: tl.constexpr, BP: tl.constexpr, BK: tl.constexpr):
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
    y = mish(acc - first_value - second_value)
    tl.store(y_ptr + (image * O + o[:, None]) * OH * OW + p[None, :], y, mask=(o < O)[:, None] & (p < OH * OW)[None, :])


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, kernel_size, subtract_value_1, subtract_value_2):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size)
        self.subtract_value_1 = subtract_value_1
        self.subtract_value_2 = subtract_value_2

    def forward(self, x):
        x, weight = x.contiguous(), self.conv.weight.contiguous()
        images, C, H, W = x.shape
        O, _, KH, KW = weight.shape  # noqa: E741
        OH, OW = H - KH + 1, W - KW + 1
        y = torch.empty((images, O, OH, OW), device=x.device, dtype=x.dtype)
        grid = (images * triton.cdiv(OH * OW, 128), triton.cdiv(O, 64))
        conv_mish_kernel[grid](x, weight, self.conv.bias, y, C, H, W, O, OH, OW, self.subtract_value_1, self.subtract_value_2,
                               KH=KH, KW=KW, BO=64, BP=128, BK=16, num_warps=8)
        return y
