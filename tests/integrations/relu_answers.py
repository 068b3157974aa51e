"""Answers to the task relu, right and wrong, of which small models and tests choose."""

import itertools
import re

ANSWER = """```python
import torch
import triton
import triton.language as tl

@triton.jit
def kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n)
    tl.store(out_ptr + offsets, FORMULA, mask=MASK)

class ModelNew(torch.nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), SIZE),)](x, out, x.numel(), BLOCK=SIZE)
        return out
```"""
FORMULAS = ("tl.maximum(x, 0.0)", "tl.minimum(x, 0.0)", "tl.abs(x)", "x + 1.0")
MASKS = ("offsets < n", "offsets < n - 1")
SIZES = ("256", "512")
RIGHT = ANSWER.replace("FORMULA", FORMULAS[0]).replace("MASK", MASKS[0]).replace("SIZE", SIZES[0])


def answers():
    """All texts that the model learns to write, 16, the two right ones first."""
    for formula, mask, size in itertools.product(FORMULAS, MASKS, SIZES):
        yield ANSWER.replace("FORMULA", formula).replace("MASK", mask).replace("SIZE", size)


def pieces():
    """The texts of which answers consist: what stands between the choices, and the choices."""
    return [*filter(None, re.split("FORMULA|MASK|SIZE", ANSWER)), *FORMULAS, *MASKS, *SIZES]
