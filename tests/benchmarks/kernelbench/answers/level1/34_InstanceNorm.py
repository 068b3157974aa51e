# Instance normalisation: one program for each plane of an image, which reads it once for the mean, once for the variance and once
# to write.
#: wrong | tl.where(at < size, x - mean, 0.0) | x - mean
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def instance_norm_kernel(x_ptr, y_ptr, size, eps, BLOCK: tl.constexpr):
    plane = tl.program_id(0).to(tl.int64) * size
    parts = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, size, BLOCK):
        at = start + tl.arange(0, BLOCK)
        parts += tl.load(x_ptr + plane + at, mask=at < size, other=0.0).to(tl.float32)
    mean = tl.sum(parts) / size
    parts = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, size, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + plane + at, mask=at < size, other=0.0).to(tl.float32)
        off = tl.where(at < size, x - mean, 0.0)
        parts += off * off
    scale = tl.rsqrt(tl.sum(parts) / size + eps)
    for start in range(0, size, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + plane + at, mask=at < size).to(tl.float32)
        tl.store(y_ptr + plane + at, (x - mean) * scale, mask=at < size)


class ModelNew(nn.Module):
    def __init__(self, num_features):
        super().__init__()
        self.inorm = nn.InstanceNorm2d(num_features=num_features)

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        planes = x.shape[0] * x.shape[1]
        instance_norm_kernel[(planes,)](x, y, x.numel() // planes, self.inorm.eps, BLOCK=4096, num_warps=8)
        return y
