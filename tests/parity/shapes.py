"""Tests on ill-formed programs that the checker refuses what PyTorch refuses, and accepts what it accepts.

Random programs with one change are checked, and run by PyTorch at sizes that are different primes, and at tiny sizes. (They run with
data, since PyTorch's functions for tensors without data omit checks that its kernels make.) A program is sound when it runs at all
of these sizes and no size is 0.

    shapes.py PROBE [--programs N]
"""
import argparse
import collections
import json
import subprocess
import sys
import tempfile
import warnings

try:
    import torch
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import mutations
import programs
from torch_functions import TYPES as DTYPES

warnings.filterwarnings("ignore")
torch.set_num_threads(1)

# Messages of checks in which the language is stricter than PyTorch on purpose, since such programs are
# usually mistakes.
STRICTER = {
    "a loss compares tensors of one shape": "PyTorch broadcasts, and warns that this is likely a mistake",
    "one for each": "PyTorch broadcasts a weight or bias of size 1",
    ", not 1 ": "PyTorch's squeeze leaves an axis alone that isn't 1",
    "the list of axes is empty": "PyTorch takes no axes for all of them",
    "the last ones": "F.layer_norm has the last axes alone; this file's own writing of it takes others",
    "with the last axes": "F.rms_norm, too",
    "[batch, …, sequence, features]": "PyTorch's attention goes without a batch",
    "they have as many axes": "PyTorch's attention broadcasts batches on some paths",
    "is larger than x": "PyTorch's masked_fill broadcasts x to its mask",
    "one slope for each channel": "PyTorch takes a slope without axes",
    "it is a vector of places along the axis": "PyTorch's index_select takes an index without axes, too",
    "it is a matrix [out, in]": "PyTorch's linear takes a vector of weights, too",
    "a tensor of one number has none": "PyTorch gives a tensor of no axes an axis 0 and -1 here and there",
    "nothing says what": "a size in an attribute has to be found from the inputs",
    "the inputs' shapes don't say what": "a dimension's size has to be found from the inputs",
    "which have two dtypes": "PyTorch promotes dtypes in its own way; the language has them said",
    "which is no integer": "PyTorch makes floats of integers beside a real number",
    "nothing says that the values of": "an index of computed integers is checked by nobody before it runs",
    "offsets are a vector": "PyTorch takes a matrix of offsets, for several axes",
    "nothing says that offsets": "PyTorch takes any integers for offsets",
    "sums of products don't fit": "PyTorch's products of 8 bits overflow in silence",
    "it takes floats": "PyTorch makes floats of integers and conditions",
    "it takes numbers": "PyTorch counts conditions as numbers",
    "integers are padded with 0": "PyTorch pads integers with any number",
    "already": "PyTorch's to of the same dtype does nothing",
    "which may be 0": "integers divided by 0 have no value",
}


def largest(entry, shape, sizes):
    """The input's largest values, since an index that is out of range then fails."""
    values, dtype = str(entry.get("below") or ""), DTYPES[entry["dtype"]]
    if values.startswith("offsets("):
        rows = programs.size_of(values[len("offsets("):-1], sizes)
        return torch.linspace(0, rows, shape[0]).to(dtype)
    if ".." in values:
        value = float(values.split("..")[1])
    elif dtype.is_floating_point or not values:
        value = 0.5
    else:
        value = programs.size_of(values, sizes) - 1
    return torch.full(shape, value).to(dtype)


def sound(program):
    """Returns why PyTorch refuses the program at one of the sizes, or nothing when it accepts it at all of them."""
    dims = program.dims
    for sizes in (dims, {d: 4 for d in dims}):
        try:
            inputs = {}
            for entry in program.inputs:
                shape = [programs.size_of(e, sizes) for e in entry["shape"]]
                inputs[entry["name"]] = largest(entry, shape, sizes)
            out = programs.run(program.body, inputs, sizes)
        except Exception as error:
            return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
        if any(one.numel() == 0 for one in (out if isinstance(out, (tuple, list)) else [out])):
            return "a size is 0"
    return None


def refusals(sources):
    """Returns the checker's first message about each program, or nothing."""
    text = "suite s {\n" + "\n".join(sources) + "\n}\n"
    with tempfile.NamedTemporaryFile("w", suffix=".trl") as file:
        file.write(text)
        file.flush()
        done = subprocess.run([options.probe, "check", file.name], stdout=subprocess.PIPE, text=True, check=True)
    out = [None] * len(sources)
    for line in done.stdout.splitlines():
        row = json.loads(line)
        if "message" in row:
            at = int(row["where"].split(":")[-2]) - 2
            out[at] = out[at] or row["message"] + " / " + " / ".join(row["notes"])
    return out


parser = argparse.ArgumentParser()
parser.add_argument("probe")
parser.add_argument("--programs", type=int, default=1000)
parser.add_argument("--verbose", action="store_true")
options = parser.parse_args()

functions = [json.loads(line)["name"] for line in
             subprocess.run([options.probe, "functions"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()]
made = []
for i in range(options.programs):
    made.append(mutations.mutated(programs.program(i, functions[i % len(functions)]), i))
counts, stricter, failures = collections.Counter(), collections.Counter(), []
for start in range(0, len(made), 100):
    batch = made[start:start + 100]
    said = refusals([p.source(f"t{i}") for i, p in enumerate(batch)])
    for program, message in zip(batch, said):
        torch_says = sound(program)
        if (message is None) == (torch_says is None):
            counts["both take it" if message is None else "both refuse it"] += 1
            continue
        reason = next((r for r in STRICTER if message and r in message), None)
        if reason:
            stricter[reason] += 1
            continue
        counts["the checker alone refuses it" if message else "PyTorch alone refuses it"] += 1
        failures.append((program, message, torch_says))
for program, message, torch_says in failures[:40 if not options.verbose else None]:
    print("DISAGREEMENT", program.source("t").strip(), "\n  checker:", message, "\n  PyTorch:", torch_says)
print(f"{len(made)} changed programs:", ", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
print("stricter on purpose:", ", ".join(f"{n} × {what}" for what, n in sorted(stricter.items())) or "none")
sys.exit(1 if failures else 0)
