# The mean of each window of a row; padding counts as zeros, and a window's size is always that of the whole window.
#: wrong | total / KERNEL | total / tl.maximum(number, 1)
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def avg_pool_kernel(x_ptr, y_ptr, length, out_length, stride, padding, KERNEL: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), dtype=tl.float32)
    number = tl.zeros((BLOCK,), dtype=tl.int32)
    for k in range(KERNEL):
        place = at * stride - padding + k
        inside = (at < out_length) & (place >= 0) & (place < length)
        total += tl.load(x_ptr + row * length + place, mask=inside, other=0.0).to(tl.float32)
        number += inside.to(tl.int32)
    tl.store(y_ptr + row * out_length + at, total / KERNEL, mask=at < out_length)


class ModelNew(nn.Module):
    def __init__(self, kernel_size, stride=1, padding=0):
        super().__init__()
        self.kernel_size, self.stride, self.padding = kernel_size, stride, padding

    def forward(self, x):
        x = x.contiguous()
        images, channels, length = x.shape
        out_length = (length + 2 * self.padding - self.kernel_size) // self.stride + 1
        y = torch.empty((images, channels, out_length), device=x.device, dtype=x.dtype)
        avg_pool_kernel[(images * channels, triton.cdiv(out_length, 1024))](
            x, y, length, out_length, self.stride, self.padding, KERNEL=self.kernel_size, BLOCK=1024)
        return y
