# A convolution as a product: weights (out_channels x window) times the windows (window x pixels), gathered while they are loaded.
#: wrong | acc += tl.load(b_ptr + o, mask=o < O, other=0.0).to(tl.float32)[:, None] | acc += 0.0
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def conv2d_kernel(x_ptr, w_ptr, b_ptr, y_ptr, pixels, C, H, W, O, OH, OW, stride, padding,  # noqa: E741
                  KH: tl.constexpr, KW: tl.constexpr, BO: tl.constexpr, BP: tl.constexpr, BK: tl.constexpr):
    p = tl.program_id(0).to(tl.int64) * BP + tl.arange(0, BP)  # pixels of all images one after another
    o = tl.program_id(1) * BO + tl.arange(0, BO)
    image = p // (OH * OW)
    top = (p // OW % OH * stride - padding).to(tl.int32)
    left = (p % OW * stride - padding).to(tl.int32)
    x_base = image * C * H * W
    window = C * KH * KW
    acc = tl.zeros((BO, BP), dtype=tl.float32)
    for start in range(0, window, BK):
        k = start + tl.arange(0, BK)
        row = top[None, :] + (k // KW % KH)[:, None]
        column = left[None, :] + (k % KW)[:, None]
        inside = (k < window)[:, None] & (p < pixels)[None, :] & (row >= 0) & (row < H) & (column >= 0) & (column < W)
        x = tl.load(x_ptr + x_base[None, :] + ((k // (KH * KW))[:, None] * H + row) * W + column, mask=inside, other=0.0)
        w = tl.load(w_ptr + o[:, None] * window + k[None, :], mask=(o < O)[:, None] & (k < window)[None, :], other=0.0)
        acc = tl.dot(w, x, acc, input_precision="ieee")
    acc += tl.load(b_ptr + o, mask=o < O, other=0.0).to(tl.float32)[:, None]
    at = (image[None, :] * O + o[:, None]) * OH * OW + (p % (OH * OW))[None, :]
    tl.store(y_ptr + at, acc, mask=(o < O)[:, None] & (p < pixels)[None, :])


class ModelNew(nn.Module):
    def __init__(self, num_classes=1000):
        super().__init__()
        self.conv1 = nn.Conv2d(in_channels=3, out_channels=96, kernel_size=11, stride=4, padding=2)

    def forward(self, x):
        x = x.contiguous()
        weight, bias = self.conv1.weight.contiguous(), self.conv1.bias
        images, C, H, W = x.shape
        O, _, KH, KW = weight.shape  # noqa: E741
        stride, padding = self.conv1.stride[0], self.conv1.padding[0]
        OH, OW = (H + 2 * padding - KH) // stride + 1, (W + 2 * padding - KW) // stride + 1
        y = torch.empty((images, O, OH, OW), device=x.device, dtype=x.dtype)
        pixels = images * OH * OW
        conv2d_kernel[(triton.cdiv(pixels, 128), triton.cdiv(O, 32))](
            x, weight, bias, y, pixels, C, H, W, O, OH, OW, stride, padding, KH=KH, KW=KW, BO=32, BP=128, BK=16)
        return y
