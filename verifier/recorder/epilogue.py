"""What PyTorch may finish of a candidate's work under `framework = epilogue`: each operation becomes a launch of a kernel of our own.

The kernels' texts come from epilogue.ttir, which examination/epilogue.cpp reads, too: it believes nothing of this process, and accepts
a launch that is marked as PyTorch's only with exactly these texts.
"""

import math
import os
import sys

import torch
from torch.utils._python_dispatch import _disable_current_modes

from launch_trace import DTYPES, Current, number
from refusal import line_of_frame

aten = torch.ops.aten

PREFIX = "trl_epilogue_"
OPTIONS = {"num_warps": 4, "num_stages": 3, "maxnreg": None, "enable_fp_fusion": True}
BLOCK = 1024  # elements that a program of an elementwise kernel has
MOST_DIMENSIONS = 4
TYPES = ("f32", "f16", "bf16")

# operator → (operation, the second operand if PyTorch's operator has none, the name under which the
# operation is recorded)
EACH = {}
for name, operation, second in (("add", "add", None), ("sub", "sub", None), ("mul", "mul", None), ("div", "div", None),
                                ("neg", "mul", -1.0), ("sqrt", "sqrt", 1.0), ("rsqrt", "rsqrt", 1.0), ("reciprocal", "rdiv", 1.0)):
    for in_place in ("", "_"):
        packet = getattr(aten, name + in_place)
        for overload in ("Tensor", "Scalar") if second is None else ("default",):
            EACH[getattr(packet, overload)] = operation, second, name
EACH[aten.rsub.Scalar] = EACH[aten.rsub.Tensor] = "rsub", None, "sub"
REVERSED = {"add": "add", "mul": "mul", "sub": "rsub", "div": "rdiv", "rsub": "sub"}
# operator → (operation, whether the result is divided by the number of elements, the name under which it is recorded)
REDUCE = {
    aten.sum.default: ("sum", False, "sum"), aten.sum.dim_IntList: ("sum", False, "sum"),
    aten.mean.default: ("sum", True, "mean"), aten.mean.dim: ("sum", True, "mean"),
    aten.amax.default: ("amax", False, "amax"), aten.max.default: ("amax", False, "amax"),
    aten.amin.default: ("amin", False, "amin"), aten.min.default: ("amin", False, "amin"),
}


def read_forms():
    """Reads epilogue.ttir. Returns (forms, tiles): `forms` has each operation's lines, each as (the words for which a
    kernel has the line, the line); None instead of the words stands for every kernel."""
    forms, tiles, lines = {}, [], None
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "epilogue.ttir"), encoding="ascii") as file:
        for line in file:
            if line.startswith("//! tiles "):
                tiles = line.split()[2:]
            elif line.startswith("//! "):
                lines = []
                forms.update((operation, lines) for operation in line.split()[2:])
            elif not line.startswith("//") and lines is not None:
                words, text = line[1:].split("]", 1) if line.startswith("[") else (None, line)
                lines.append((words.split() if words is not None else None, text))
    return forms, tiles


FORMS, TILES = read_forms()


def kinds(operand, dtype):
    return [f"{operand}:{dtype}", f"{operand}:half"] if dtype in ("f16", "bf16") else [f"{operand}:{dtype}"]


def text_of(operation, holds, replaced):
    """The text of a kernel: the lines of its form for which one of the words `holds`, with names replaced."""
    text = "".join(line for words, line in FORMS[operation] if words is None or any(word in holds for word in words))
    for name, value in replaced.items():
        text = text.replace(f"${name}$", value)
    return text


def kernel(name, operation, holds, replaced):
    """Returns the number of a kernel in the recording, to which the kernel is added if it isn't there."""
    entry = {"name": name, "ttir": text_of(operation, holds, {"NAME": name, **replaced}), "options": OPTIONS}
    if entry not in Current.kernels:
        Current.kernels.append(entry)
    return Current.kernels.index(entry)


def elementwise_kernel(operation, a, b, out):
    """Returns the number of the kernel of an operation on elements of types `a` and `b`. `b` is "number" if the second
    operand is a number instead of a tensor."""
    second = ["b:number"] if b == "number" else ["b:tensor", *kinds("b", b)]
    return kernel(PREFIX + "_".join([operation, a, b, out]), operation, [operation, *kinds("a", a), *second, *kinds("out", out)],
                  {"A": a, "B": b, "OUT": out})


def reducing_kernel(operation, a, out, tile):
    rows, columns = tile.split("x")
    return kernel(PREFIX + "_".join([operation, a, out, tile]), operation, [operation, *kinds("a", a), *kinds("out", out)],
                  {"A": a, "OUT": out, "ROWS": rows, "COLUMNS": columns})


def launch(called, number_of_kernel, programs, args, line):
    Current.launch_trace.add_step({"launch": {"kernel": number_of_kernel, "grid": [programs, 1, 1], "args": args,
                                              "num_warps": OPTIONS["num_warps"], "line": line, "framework": called}})


def pointer(tensor):
    view = Current.launch_trace.view(tensor)
    return {"buffer": view["buffer"], "offset": view["offset"], "dtype": view["dtype"]}


def integers(values):
    return [{"i32": value} for value in values]


def merged(sizes, *all_strides):
    """Joins dimensions of tensors. Returns their sizes and strides with as few dimensions as possible, filled up to
    four in front; None if there are more than four."""
    kept = [(size, *strides) for size, *strides in zip(sizes, *all_strides) if size != 1]
    joined = []
    for size, *strides in kept:
        if joined and all(outer == inner * size for outer, inner in zip(joined[-1][1:], strides)):
            joined[-1] = (joined[-1][0] * size, *strides)
        else:
            joined.append((size, *strides))
    if len(joined) > MOST_DIMENSIONS:
        return None
    joined = [(1,) + (0,) * len(all_strides)] * (MOST_DIMENSIONS - len(joined)) + joined
    return [list(column) for column in zip(*joined)]


def buffers_of_kernels(steps):
    """Returns the buffers that the candidate's kernels may have written, and the buffers that PyTorch computed or
    copied from these. The task's inputs are never among them."""
    found = set()
    inputs = {number for number, buffer in enumerate(Current.launch_trace.buffers) if "input" in buffer}
    for step in steps:
        if "copy" in step:
            if step["copy"]["from"]["buffer"] in found:
                found.add(step["copy"]["to"]["buffer"])
        elif "launch" in step:
            args = step["launch"]["args"]
            if step["launch"].get("framework"):
                found.add(args[0]["buffer"])
            else:
                for one in args:
                    found.update(place["buffer"] for place in [one, *one.get("addresses", [])] if "buffer" in place)
        found -= inputs
    return found


def known_number(value):
    """Returns an operand's number: a Python number, or the known contents of a tensor of one element on the CPU; else
    None."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value
    constant = getattr(value, "constant", None)
    if isinstance(value, torch.Tensor) and value.device.type == "cpu" and value.dim() == 0 and constant is not None:
        with _disable_current_modes():
            return constant.item()
    return None


def on_gpu(value):
    return isinstance(value, torch.Tensor) and value.device.type == "cuda"


def supported(*tensors):
    return all(on_gpu(one) and DTYPES.get(one.dtype) in TYPES for one in tensors)


def from_kernel(*tensors):
    found = buffers_of_kernels(Current.launch_trace.steps)
    return any(Current.launch_trace.buffer_of(one) in found for one in tensors)


def carry_out(func, args, kwargs):
    """Carries out an operation that finishes a kernel's result, and records it as a launch. Returns its result; None if it
    is no such operation. The caller refuses it then."""
    if func in EACH:
        return each(func, args, kwargs)
    return reduce(func, args, kwargs) if func in REDUCE else None


def each(func, args, kwargs):
    operation, second, called = EACH[func]
    if kwargs.get("alpha", 1) != 1 or len(args) > 2:
        return None
    a, b = args[0], args[1] if second is None else second
    if known_number(a) is not None and on_gpu(b):
        if operation not in REVERSED:
            return None
        a, b, operation = b, a, REVERSED[operation]
    constant = known_number(b)
    tensors = [a] if constant is not None else [a, b]
    if not supported(*tensors) or not from_kernel(*tensors):
        return None
    out = func(*args, **kwargs)
    if not supported(out):
        return None
    if func._schema.is_mutable:
        out = args[0]
    else:
        Current.launch_trace.add_buffer(out, "temporary")
    layout = merged(out.shape, *(one.expand(out.shape).stride() for one in tensors), out.stride())
    if layout is None:
        Current.launch_trace.refuse("unsupported", f"PyTorch's {called} has operands in more than four dimensions that cannot be joined")
    if out.numel() == 0:
        return out
    sizes, *strides = layout
    number_of_kernel = elementwise_kernel(operation, DTYPES[a.dtype], "number" if constant is not None else DTYPES[b.dtype],
                                          DTYPES[out.dtype])
    first = [{"f32": number(float(constant))}] if constant is not None else [pointer(b)]
    launch(called, number_of_kernel, -(-out.numel() // BLOCK),
           [pointer(out), pointer(a), *first, *integers([out.numel(), *sizes[1:]]),
            *(one for places in reversed(strides[:-1]) for one in integers(places)), *integers(strides[-1])],
           line_of_frame(sys._getframe(1)))
    return out


def reduce(func, args, kwargs):
    operation, divided, called = REDUCE[func]
    source = args[0]
    if not supported(source) or not from_kernel(source) or source.numel() == 0:
        return None
    axes = args[1] if len(args) > 1 else kwargs.get("dim")
    axes = [axes] if isinstance(axes, int) else list(axes or [])
    axes = {axis % max(source.dim(), 1) for axis in axes} or set(range(source.dim()))
    out = func(*args, **kwargs)
    if not supported(out) or not out.is_contiguous():
        return None
    Current.launch_trace.add_buffer(out, "temporary")
    outer = merged(*zip(*[(source.shape[axis], source.stride(axis)) for axis in range(source.dim()) if axis not in axes] or [(1, 0)]))
    inner = merged(*zip(*[(source.shape[axis], source.stride(axis)) for axis in sorted(axes)] or [(1, 0)]))
    if outer is None or inner is None:
        Current.launch_trace.refuse("unsupported", f"PyTorch's {called} is over more than four dimensions that cannot be joined")
    many, count = math.prod(outer[0]), math.prod(inner[0])
    tile = TILES[0] if many < 32 or count >= 1024 else TILES[1]
    number_of_kernel = reducing_kernel(operation, DTYPES[source.dtype], DTYPES[out.dtype], tile)
    launch(called, number_of_kernel, -(-many // int(tile.split("x")[0])),
           [pointer(out), pointer(source), {"f32": number(float(count) if divided else 1.0)},
            *integers([many, *outer[0][1:], count, *inner[0][1:], *outer[1], *inner[1]])], line_of_frame(sys._getframe(1)))
    return out
