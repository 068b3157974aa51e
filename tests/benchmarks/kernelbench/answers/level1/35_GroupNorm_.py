# Group normalisation: one program for each group of channels of an image. The channel's weight and bias follow from the place in the group.
#: wrong | group % groups * channels + at // size | at // size
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def group_norm_kernel(x_ptr, weight_ptr, bias_ptr, y_ptr, groups, channels, size, eps, BLOCK: tl.constexpr):
    group = tl.program_id(0)
    elements = channels * size
    first = group.to(tl.int64) * elements
    parts = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, elements, BLOCK):
        at = start + tl.arange(0, BLOCK)
        parts += tl.load(x_ptr + first + at, mask=at < elements, other=0.0).to(tl.float32)
    mean = tl.sum(parts) / elements
    parts = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, elements, BLOCK):
        at = start + tl.arange(0, BLOCK)
        off = tl.load(x_ptr + first + at, mask=at < elements, other=0.0).to(tl.float32) - mean
        parts += tl.where(at < elements, off * off, 0.0)
    scale = 1.0 / tl.sqrt(tl.sum(parts) / elements + eps)
    for start in range(0, elements, BLOCK):
        at = start + tl.arange(0, BLOCK)
        channel = group % groups * channels + at // size
        weight = tl.load(weight_ptr + channel, mask=at < elements).to(tl.float32)
        bias = tl.load(bias_ptr + channel, mask=at < elements).to(tl.float32)
        x = tl.load(x_ptr + first + at, mask=at < elements).to(tl.float32)
        tl.store(y_ptr + first + at, (x - mean) * scale * weight + bias, mask=at < elements)


class ModelNew(nn.Module):
    def __init__(self, num_features, num_groups):
        super().__init__()
        self.gn = nn.GroupNorm(num_groups=num_groups, num_channels=num_features)

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        images, channels = x.shape[0], x.shape[1]
        groups = self.gn.num_groups
        size = x.numel() // (images * channels)
        group_norm_kernel[(images * groups,)](x, self.gn.weight, self.gn.bias, y, groups, channels // groups, size, self.gn.eps,
                                              BLOCK=4096, num_warps=8)
        return y
