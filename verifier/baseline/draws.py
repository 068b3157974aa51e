"""Draws a test case's inputs on the GPU: the same random numbers as verifier/inputs/inputs.cpp draws on the CPU.

Element i of an input is made of the Philox words with the counter `begin` + i (base/support/random.hpp), so that any part of it can be drawn alone.
Uniform numbers and integers are equal to the CPU's to the last bit. Normal numbers go through a logarithm and a cosine in f64, whose last bit
may differ, which hardly ever changes an f32.
"""

import torch
import triton
import triton.language as tl

DTYPES = {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "i64": torch.int64,
          "i32": torch.int32, "i16": torch.int16, "i8": torch.int8, "u8": torch.uint8, "bool": torch.bool,
          "f8e4m3": torch.float8_e4m3fn, "f8e5m2": torch.float8_e5m2}
MATRICES = {"symmetric": lambda x: x.triu() + x.triu(1).mT, "upper_triangular": torch.triu, "lower_triangular": torch.tril}


class CannotDraw(Exception):
    """Raised for a test case that can't be drawn here, for instance for an input whose elements depend on each other:
    only the CPU draws such inputs."""


@triton.jit
def drawing_kernel(out, numbers, key_low, key_high, begin, count, KIND: tl.constexpr, BLOCK: tl.constexpr):
    """Each program draws BLOCK elements. `numbers` are f64: the domain's low, high, mean and deviation, the factor, and the least positive number."""
    low, high, mean, deviation = tl.load(numbers), tl.load(numbers + 1), tl.load(numbers + 2), tl.load(numbers + 3)
    factor, least = tl.load(numbers + 4), tl.load(numbers + 5)
    place = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    counter = (begin + place).to(tl.uint64)
    zero = tl.zeros([BLOCK], tl.uint32)
    key = key_high.to(tl.uint64) << 32 | key_low.to(tl.uint64)
    first, second, _, _ = tl.philox(key, (counter & 0xFFFFFFFF).to(tl.uint32), (counter >> 32).to(tl.uint32), zero, zero)
    if KIND == "integers":
        values = (high - low + 1).to(tl.int64).to(tl.uint64)
        drawn = (first.to(tl.uint64) * values + (second.to(tl.uint64) * values >> 32)) >> 32
        value = drawn.to(tl.int64) + low.to(tl.int64)
    elif KIND == "uniform":
        value = low + (high - low) * ((first >> 8).to(tl.float64) * 5.9604644775390625e-08)
    else:
        u = (first.to(tl.float64) + 1.0) * 2.3283064365386962890625e-10
        v = second.to(tl.float64) * 2.3283064365386962890625e-10
        normal = tl.sqrt(-2.0 * tl.log(u)) * tl.cos(6.283185307179586 * v)
        value = tl.maximum(tl.abs(normal) * factor, least) if KIND == "positive" else (mean + deviation * normal) * factor
    if KIND != "integers" and out.dtype.element_ty.primitive_bitwidth < 32:
        value = value.to(tl.float32)
    tl.store(out + place, value.to(out.dtype.element_ty), mask=place < count)


def kind_of(entry):
    """Names the way in which an element is made from its random words."""
    if entry["integers"]:
        return "integers"
    if entry["values"] == "range" or (entry["low"] < entry["high"] and entry["values"] != "positive"):
        return "uniform"
    return "positive" if entry["values"] == "positive" else "normal"


def draw_into(out, entry, key):
    """Fills `out`, a contiguous tensor of the input's shape and dtype, with the input of a test case.

    `entry` says the input's domain (TensorShape::to_json), the "begin" of its counters, and the variation's "factor".
    """
    if entry["values"] in ("one_hot", "offsets"):
        raise CannotDraw(f"an input is {entry['values']}, which is drawn on the CPU alone")
    if entry["integers"] and entry["high"] - entry["low"] >= 1 << 31:
        raise CannotDraw("an input of integers may have more than 2^31 values")
    count, block = out.numel(), 1024
    numbers = torch.tensor([entry[name] for name in ("low", "high", "mean", "deviation", "factor", "least")], dtype=torch.float64, device=out.device)
    if count:
        flat = out.view(-1).view(torch.uint8) if out.dtype == torch.bool else out.view(-1)
        drawing_kernel[(triton.cdiv(count, block),)](flat, numbers, key & 0xFFFFFFFF, key >> 32, entry["begin"], count, kind_of(entry), block)
    if entry["values"] in MATRICES:
        out.copy_(MATRICES[entry["values"]](out))
