# The largest value in each window of a plane; pixels that padding would add are left out.
#: wrong | (column < width) | (column < width - 1)
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def max_pool_kernel(x_ptr, y_ptr, height, width, out_height, out_width, stride, padding, dilation, KERNEL: tl.constexpr,
                    BLOCK: tl.constexpr):
    plane = tl.program_id(0).to(tl.int64)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    top = at // out_width * stride - padding
    left = at % out_width * stride - padding
    best = tl.full((BLOCK,), float("-inf"), dtype=tl.float32)
    for dy in tl.static_range(KERNEL):
        row = top + dy * dilation
        for dx in tl.static_range(KERNEL):
            column = left + dx * dilation
            inside = (at < out_height * out_width) & (row >= 0) & (row < height) & (column >= 0) & (column < width)
            x = tl.load(x_ptr + plane * height * width + row * width + column, mask=inside, other=float("-inf"))
            best = tl.maximum(best, x.to(tl.float32))
    tl.store(y_ptr + plane * out_height * out_width + at, best, mask=at < out_height * out_width)


class ModelNew(nn.Module):
    def __init__(self, kernel_size, stride, padding, dilation):
        super().__init__()
        self.kernel_size, self.stride, self.padding, self.dilation = kernel_size, stride, padding, dilation

    def forward(self, x):
        x = x.contiguous()
        images, channels, height, width = x.shape
        reach = 2 * self.padding - self.dilation * (self.kernel_size - 1) - 1
        out_height, out_width = (height + reach) // self.stride + 1, (width + reach) // self.stride + 1
        y = torch.empty((images, channels, out_height, out_width), device=x.device, dtype=x.dtype)
        max_pool_kernel[(images * channels, triton.cdiv(out_height * out_width, 512))](
            x, y, height, width, out_height, out_width, self.stride, self.padding, self.dilation, KERNEL=self.kernel_size, BLOCK=512)
        return y
