# The sum over the results of a product is the product with the sums of the weights' columns: 64 million weights are read once and no
# matrix is multiplied.
#: wrong | total * factor | total * factor * 2.0
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def column_sums_kernel(w_ptr, part_ptr, hidden, inputs, ROWS: tl.constexpr, BR: tl.constexpr, BC: tl.constexpr):
    column = tl.program_id(0) * BC + tl.arange(0, BC)
    part = tl.program_id(1)
    acc = tl.zeros((BR, BC), dtype=tl.float32)
    for step in range(0, ROWS, BR):
        row = (part * ROWS + step + tl.arange(0, BR)).to(tl.int64)
        inside = (row < hidden)[:, None] & (column < inputs)[None, :]
        acc += tl.load(w_ptr + row[:, None] * inputs + column[None, :], mask=inside, other=0.0).to(tl.float32)
    tl.store(part_ptr + part.to(tl.int64) * inputs + column, tl.sum(acc, axis=0), mask=column < inputs)


@triton.jit
def row_kernel(x_ptr, part_ptr, y_ptr, inputs, parts, factor, BP: tl.constexpr, BC: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    part = tl.arange(0, BP)
    acc = tl.zeros((BC,), dtype=tl.float32)
    for start in range(0, inputs, BC):
        column = start + tl.arange(0, BC)
        inside = (part < parts)[:, None] & (column < inputs)[None, :]
        sums = tl.sum(tl.load(part_ptr + part[:, None] * inputs + column[None, :], mask=inside, other=0.0), axis=0)
        acc += sums * tl.load(x_ptr + row * inputs + column, mask=column < inputs, other=0.0).to(tl.float32)
    total = tl.sum(acc)
    tl.store(y_ptr + row, total * factor)


class ModelNew(nn.Module):
    def __init__(self, input_size, hidden_size, scaling_factor):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(hidden_size, input_size))
        self.scaling_factor = scaling_factor

    def forward(self, x):
        x, weight = x.contiguous(), self.weight.contiguous()
        hidden, inputs = weight.shape
        rows = max(256, triton.next_power_of_2(triton.cdiv(hidden, 32)))
        parts = triton.cdiv(hidden, rows)
        sums = torch.empty((parts, inputs), device=x.device, dtype=torch.float32)
        y = torch.empty((x.shape[0], 1), device=x.device, dtype=x.dtype)
        column_sums_kernel[(triton.cdiv(inputs, 64), parts)](weight, sums, hidden, inputs, ROWS=rows, BR=16, BC=64)
        row_kernel[(x.shape[0],)](x, sums, y, inputs, parts, self.scaling_factor / 2, BP=triton.next_power_of_2(parts), BC=256)
        return y
