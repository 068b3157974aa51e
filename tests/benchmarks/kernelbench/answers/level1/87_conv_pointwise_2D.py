# A convolution with windows of one pixel: for every image, the weights times its pixels.
#: wrong | mask=(o < O)[:, None] & (c < C)[None, :] | mask=(o < O)[:, None] & (c < C - 1)[None, :]
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def pointwise_kernel(x_ptr, w_ptr, b_ptr, y_ptr, C, O, size, HAS_BIAS: tl.constexpr, BO: tl.constexpr, BP: tl.constexpr,  # noqa: E741
                     BC: tl.constexpr):
    tiles = tl.cdiv(size, BP)
    image = (tl.program_id(0) // tiles).to(tl.int64)
    p = tl.program_id(0) % tiles * BP + tl.arange(0, BP)
    o = tl.program_id(1) * BO + tl.arange(0, BO)
    acc = tl.zeros((BO, BP), dtype=tl.float32)
    for first in range(0, C, BC):
        c = first + tl.arange(0, BC)
        x = tl.load(x_ptr + (image * C + c[:, None]) * size + p[None, :], mask=(c < C)[:, None] & (p < size)[None, :], other=0.0)
        w = tl.load(w_ptr + o[:, None] * C + c[None, :], mask=(o < O)[:, None] & (c < C)[None, :], other=0.0)
        acc = tl.dot(w, x, acc, input_precision="ieee")
    if HAS_BIAS:
        acc += tl.load(b_ptr + o, mask=o < O, other=0.0).to(tl.float32)[:, None]
    tl.store(y_ptr + (image * O + o[:, None]) * size + p[None, :], acc, mask=(o < O)[:, None] & (p < size)[None, :])


class ModelNew(nn.Module):
    def __init__(self, in_channels, out_channels, bias=False):
        super().__init__()
        self.conv1d = nn.Conv2d(in_channels, out_channels, kernel_size=1, stride=1, padding=0, bias=bias)

    def forward(self, x):
        x = x.contiguous()
        weight, bias = self.conv1d.weight.contiguous(), self.conv1d.bias
        images, C, H, W = x.shape
        O = weight.shape[0]  # noqa: E741
        y = torch.empty((images, O, H, W), device=x.device, dtype=x.dtype)
        grid = (images * triton.cdiv(H * W, 128), triton.cdiv(O, 64))
        pointwise_kernel[grid](x, weight, weight if bias is None else bias, y, C, O, H * W, HAS_BIAS=bias is not None,
                               BO=64, BP=128, BC=16, num_warps=8)
        return y
