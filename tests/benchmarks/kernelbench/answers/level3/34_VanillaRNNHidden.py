# The part of each state that comes from the inputs doesn't depend on the states, so that it is one product over all steps; a step adds the
# part that comes from the state before, and the outputs are one product at the end.
#: wrong | tl.where(seen + total < 0, -size, size) | tl.where(seen < 0, -size, size)
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def linear_kernel(x_ptr, w_ptr, b_ptr, y_ptr, rows, columns, inner, w_row, BR: tl.constexpr, BC: tl.constexpr, BI: tl.constexpr):
    row = (tl.program_id(0) * BR + tl.arange(0, BR)).to(tl.int64)
    column = (tl.program_id(1) * BC + tl.arange(0, BC)).to(tl.int64)
    acc = tl.zeros((BR, BC), dtype=tl.float32)
    for start in range(0, inner, BI):
        at = start + tl.arange(0, BI)
        x = tl.load(x_ptr + row[:, None] * inner + at[None, :], mask=(row < rows)[:, None] & (at < inner)[None, :], other=0.0)
        w = tl.load(w_ptr + column[None, :] * w_row + at[:, None], mask=(column < columns)[None, :] & (at < inner)[:, None], other=0.0)
        acc += tl.dot(x, w, input_precision="ieee")
    acc += tl.load(b_ptr + column, mask=column < columns, other=0.0).to(tl.float32)[None, :]
    tl.store(y_ptr + row[:, None] * columns + column[None, :], acc, mask=(row < rows)[:, None] & (column < columns)[None, :])


@triton.jit
def step_kernel(from_inputs_ptr, w_ptr, before_ptr, state_ptr, hidden, inputs, w_row, BU: tl.constexpr, BI: tl.constexpr):
    batch = tl.program_id(0).to(tl.int64)
    unit = tl.program_id(1) * BU + tl.arange(0, BU)
    acc = tl.zeros((BU, BI), dtype=tl.float32)
    for start in range(0, hidden, BI):
        at = start + tl.arange(0, BI)
        h = tl.load(before_ptr + batch * hidden + at, mask=at < hidden, other=0.0).to(tl.float32)
        inside = (unit < hidden)[:, None] & (at < hidden)[None, :]
        w = tl.load(w_ptr + unit[:, None].to(tl.int64) * w_row + inputs + at[None, :], mask=inside, other=0.0)
        acc += w.to(tl.float32) * h[None, :]
    total = tl.sum(acc, axis=1)
    seen = tl.load(from_inputs_ptr + batch * hidden + unit, mask=unit < hidden, other=0.0).to(tl.float32)
    twice = tl.exp(-2.0 * tl.abs(seen + total))
    size = (1.0 - twice) / (1.0 + twice)
    tl.store(state_ptr + batch * hidden + unit, tl.where(seen + total < 0, -size, size), mask=unit < hidden)


class ModelNew(nn.Module):
    def __init__(self, input_size, hidden_size, output_size):
        super().__init__()
        self.i2h = nn.Linear(input_size + hidden_size, hidden_size)
        self.h2o = nn.Linear(hidden_size, output_size)

    def forward(self, x, h0):
        x, h0 = x.contiguous(), h0.contiguous()
        steps, batch, inputs = x.shape
        hidden, outputs = self.h2o.weight.shape[1], self.h2o.weight.shape[0]
        rows, w_row = steps * batch, inputs + hidden
        from_inputs = torch.empty((steps, batch, hidden), device=x.device, dtype=x.dtype)
        states = torch.empty((steps, batch, hidden), device=x.device, dtype=x.dtype)
        y = torch.empty((steps, batch, outputs), device=x.device, dtype=x.dtype)
        linear_kernel[(triton.cdiv(rows, 64), triton.cdiv(hidden, 64))](
            x, self.i2h.weight, self.i2h.bias, from_inputs, rows, hidden, inputs, w_row, BR=64, BC=64, BI=32)
        for step in range(steps):
            step_kernel[(batch, triton.cdiv(hidden, 16))](
                from_inputs[step], self.i2h.weight, h0 if step == 0 else states[step - 1], states[step], hidden, inputs, w_row, BU=16, BI=256)
        linear_kernel[(triton.cdiv(rows, 64), triton.cdiv(outputs, 64))](
            states, self.h2o.weight, self.h2o.bias, y, rows, outputs, hidden, hidden, BR=64, BC=64, BI=32)
        return y
