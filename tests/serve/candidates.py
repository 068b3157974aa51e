"""Answers to level1/1 (relu) with a known verdict each, for tests and benchmarks of the service."""

RIGHT = '''import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def relu_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(out_ptr + offsets, tl.maximum(x, 0.0), mask=mask)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        n = x.numel()
        relu_kernel[(triton.cdiv(n, 1024),)](x, out, n, BLOCK=1024)
        return out
'''
TASK = "level1/1"
CANDIDATES = {
    "right": (TASK, RIGHT),
    "wrong values": (TASK, RIGHT.replace("tl.maximum(x, 0.0)", "x")),
    "store out of bounds": (TASK, RIGHT.replace("tl.maximum(x, 0.0), mask=mask", "tl.maximum(x, 0.0)")),
    "no Python": (TASK, "class ModelNew(nn.Module:\n"),
}
