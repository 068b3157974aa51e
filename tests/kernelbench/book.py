"""Rows in KernelBook's form, written for tests: small modules of one operator and of two, with an answer in Triton each."""

import json

ONE = ("relu", "tanh", "sigmoid", "exp", "abs", "neg", "sqrt", "sin", "cos", "square", "floor", "ceil")


def row(name, expression, licenses=("MIT",), init="[[], {}]", made="", extra=""):
    module = f"""import torch
import torch.nn as nn


class {name}(nn.Module):
{extra}    def __init__(self{", scale" if made else ""}):
        super().__init__()
        {made or "self.training = True"}

    def forward(self, x):
        return {expression}


def get_inputs():
    return [torch.rand([4, 4])]


def get_init_inputs():
    return {init}
"""
    answer = f"""import torch
import triton
import triton.language as tl

@triton.jit
def kernel_{name.lower()}(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0.0)
    tl.store(out + i, v, mask=i < n)

class {name}New(torch.nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        kernel_{name.lower()}[(1,)](x, out, x.numel(), BLOCK=16)
        return out
"""
    return {"entry_point": name, "repo_name": "somebody/something", "module_name": name, "python_code": module, "triton_code": answer,
            "licenses": list(licenses), "stars": 3, "sha": "0" * 40}


def good():
    """Twelve rows of level 1 and twelve of level 2, all different."""
    out = [row(f"Only{name.title()}", f"torch.{name}(x)") for name in ONE]
    for first, second in zip(ONE, ONE[1:] + ONE[:1]):
        out.append(row(f"{first.title()}Then{second.title()}", f"torch.{second}(torch.{first}(x)) * self.scale", made="self.scale = scale",
                       init="[[], {'scale': 2.5}]"))
    return out


def write(path, rows):
    path.write_text("".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in rows))
