# The largest value in each window of a row, where the places beyond its ends count as minus infinity.
#: wrong | (place < length) | (place < length - 1)
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def max_pool_kernel(x_ptr, y_ptr, length, out_length, stride, padding, dilation, KERNEL: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    best = tl.full((BLOCK,), float("-inf"), dtype=tl.float32)
    for k in range(KERNEL):
        place = at * stride - padding + k * dilation
        inside = (at < out_length) & (place >= 0) & (place < length)
        best = tl.maximum(best, tl.load(x_ptr + row * length + place, mask=inside, other=float("-inf")).to(tl.float32))
    tl.store(y_ptr + row * out_length + at, best, mask=at < out_length)


class ModelNew(nn.Module):
    def __init__(self, kernel_size, stride=None, padding=0, dilation=1, return_indices=False):
        super().__init__()
        assert not return_indices
        self.kernel_size, self.stride, self.padding, self.dilation = kernel_size, stride or kernel_size, padding, dilation

    def forward(self, x):
        x = x.contiguous()
        images, channels, length = x.shape
        out_length = (length + 2 * self.padding - self.dilation * (self.kernel_size - 1) - 1) // self.stride + 1
        y = torch.empty((images, channels, out_length), device=x.device, dtype=x.dtype)
        max_pool_kernel[(images * channels, triton.cdiv(out_length, 1024))](
            x, y, length, out_length, self.stride, self.padding, self.dilation, KERNEL=self.kernel_size, BLOCK=1024)
        return y
