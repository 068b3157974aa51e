# RMS normalisation over the channels, which are far apart in memory: a program takes a strip of neighbouring pixels and walks along
# the channels.
#: wrong | tl.rsqrt(squares / channels + eps) | tl.rsqrt(squares / channels)
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rms_norm_kernel(x_ptr, y_ptr, channels, size, strips, eps, BC: tl.constexpr, BP: tl.constexpr):
    image = (tl.program_id(0) // strips).to(tl.int64) * channels * size
    pixel = tl.program_id(0) % strips * BP + tl.arange(0, BP)[None, :]
    parts = tl.zeros((BC, BP), dtype=tl.float32)
    for start in range(0, channels, BC):
        channel = start + tl.arange(0, BC)[:, None]
        inside = (channel < channels) & (pixel < size)
        x = tl.load(x_ptr + image + channel * size + pixel, mask=inside, other=0.0).to(tl.float32)
        parts += x * x
    squares = tl.sum(parts, axis=0, keep_dims=True)
    scale = tl.rsqrt(squares / channels + eps)
    for start in range(0, channels, BC):
        channel = start + tl.arange(0, BC)[:, None]
        inside = (channel < channels) & (pixel < size)
        x = tl.load(x_ptr + image + channel * size + pixel, mask=inside, other=0.0).to(tl.float32)
        tl.store(y_ptr + image + channel * size + pixel, x * scale, mask=inside)


class ModelNew(nn.Module):
    def __init__(self, num_features, eps=1e-5):
        super().__init__()
        self.num_features = num_features
        self.eps = eps

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        images, channels = x.shape[0], x.shape[1]
        size = x.numel() // (images * channels)
        strips = triton.cdiv(size, 128)
        rms_norm_kernel[(images * strips,)](x, y, channels, size, strips, self.eps, BC=16, BP=128)
        return y
