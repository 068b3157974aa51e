"""Compares tasks with PyTorch: static shapes and dtypes, prompts and the f64 reference.

For every task of the standard library's suites, and for random programs over every tensor function: the prompt's module must have
the shape and dtype that the language infers, at the task's own sizes, at larger and at tiny ones, and its values must be those of the
f64 reference. PyTorch also evaluates random programs from their own description, so that a prompt and a reference
with the same mistake are found.

    tasks.py PROBE [--random N] [--accuracy]

--accuracy lists the tasks that PyTorch misses in f32, too: for who writes tasks, no part of the test.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

try:
    import torch
    import torch.nn as nn
    import torch.nn.functional as F
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

import programs
import torch_functions

SIZES = ["original", "resize(150%)", "tiny"]
DTYPES = torch_functions.TYPES
# Tensors are small: two threads take twice the CPU time, waiting for each other.
torch.set_num_threads(1)


def probe(*arguments):
    done = subprocess.run([options.probe, *map(str, arguments)], stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def check(source):
    with tempfile.NamedTemporaryFile("w", suffix=".trl") as file:
        file.write(source)
        file.flush()
        return probe("check", file.name)


def draw_one(form, generator):
    """A tensor as the task says its values; real numbers are f64 that the input's dtype holds."""
    shape, dtype, values = form["shape"], DTYPES[form["dtype"]], form["values"]
    if values == "offsets":
        cuts = torch.randint(int(form["high"]) + 1, shape, generator=generator).sort().values
        cuts[0], cuts[-1] = 0, int(form["high"])
        return cuts.to(dtype)
    if form["integers"]:
        return torch.randint(int(form["low"]), int(form["high"]) + 1, shape, generator=generator, dtype=dtype)
    if values == "range":
        real = form["low"] + (form["high"] - form["low"]) * torch.rand(shape, generator=generator, dtype=torch.float64)
    elif values in ("symmetric", "upper_triangular", "lower_triangular"):
        low, high = (form["low"], form["high"]) if form["low"] < form["high"] else (-1, 1)
        real = low + (high - low) * torch.rand(shape, generator=generator, dtype=torch.float64)
        real = real.triu() + real.triu(1).mT if values == "symmetric" else real.triu() if values == "upper_triangular" else real.tril()
    elif values == "one_hot":
        real = F.one_hot(torch.randint(shape[-1], shape[:-1], generator=generator), shape[-1]).double()
    else:
        real = form["mean"] + form["deviation"] * torch.randn(shape, generator=generator, dtype=torch.float64)
        real = real.abs() if values == "positive" else real
    return real if dtype == torch.float32 else real.to(dtype).double()


def draw(forms, seed):
    generator = torch.Generator().manual_seed(seed)
    return [draw_one(form, generator) for form in forms]


def module(row):
    scope = {"torch": torch, "nn": nn, "F": F}
    exec(row["prompt"], scope)
    return scope["Model"]()


def difference(got, want):
    """The largest difference in units of 1 + |want|; values that aren't finite have to be equal."""
    if got.shape != want.shape:
        return float("inf")
    got, want = got.double(), want.double()
    same = (got == want) | (got.isnan() & want.isnan())
    error = torch.where(same, 0.0, (got - want).abs() / (1 + want.abs()))
    return float(torch.nan_to_num(error, nan=float("inf")).max()) if error.numel() else 0.0


def references(jobs):
    """Returns the C++ reference's value of each (task, inputs)."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        rows, at = [], 0
        with open(folder / "inputs.bin", "wb") as data:
            for task, inputs in jobs:
                row = {"task": task, "inputs": []}
                for form, tensor in zip(task["inputs"], inputs):
                    row["inputs"].append({"dtype": form["dtype"], "shape": list(tensor.shape), "data": at})
                    exact = tensor.double() if tensor.is_floating_point() else tensor
                    at += data.write(exact.contiguous().numpy().tobytes())
                rows.append(row)
        (folder / "tasks.json").write_text(json.dumps(rows))
        values = probe("evaluate", folder)
        out = (folder / "outputs.bin").read_bytes()
        for value in values:
            if "error" not in value:
                count = max(1, int(torch.tensor(value["shape"]).prod())) if value["shape"] else 1
                flat = torch.frombuffer(bytearray(out[value["data"]:value["data"] + 8 * count]), dtype=torch.float64)
                value["tensor"] = flat.reshape(value["shape"])
        return values


class Tally:
    def __init__(self):
        self.compared = self.wrong = 0
        self.worst = 0.0

    def mismatch(self, name, what):
        self.wrong += 1
        if self.wrong <= 20:
            print(f"MISMATCH {name}: {what}", flush=True)


def allowed(row):
    """The difference that rounding explains: PyTorch rounds where a program converts, and the reference keeps f64."""
    said = [unit for dtype, unit in (("bfloat16", 0.05), ("float16", 0.01), ("float32", 1e-5)) if f"torch.{dtype}" in row["prompt"]]
    return max(said, default=1e-9)


def several(value):
    return list(value) if isinstance(value, (tuple, list)) else [value]


def together(value):
    """Several results one after another, as the reference gives them."""
    return torch.cat([one.double().reshape(-1) for one in value]) if isinstance(value, (tuple, list)) else value


def compare(rows, tally, wanted=None):
    """Compares the values; `wanted(row, inputs, size)` computes one in another way, or returns nothing."""
    for size in SIZES:
        jobs, results = [], []
        for number, row in enumerate(rows):
            name, form = row["task"]["name"], row[size]
            inputs = draw(form["inputs"], number)
            said = [i.to(DTYPES[f["dtype"]]) for i, f in zip(inputs, form["inputs"])]
            if allowed(row) > 1e-9:  # f64 beside what it converts to f32 is an error
                inputs = said
            tally.compared += 1
            try:
                value = module(row).forward(*inputs)
                single = module(row).forward(*said)
            except Exception as error:
                tally.mismatch(name, f"at {size}: the prompt's module: {error}\n{row['prompt']}")
                continue
            for wide, own, said in zip(several(value), several(single), form["outputs"], strict=True):
                if list(wide.shape) != said["shape"] or list(own.shape) != said["shape"]:
                    tally.mismatch(name, f"at {size}: gives {list(wide.shape)}, the language says {said['shape']}")
                if own.dtype != DTYPES[said["dtype"]]:
                    tally.mismatch(name, f"at {size}: gives {own.dtype}, the language says {said['dtype']}")
            jobs.append((row["task"], inputs))
            results.append((row, together(value), inputs))
        for value, (row, want, inputs) in zip(references(jobs), results):
            name = row["task"]["name"]
            if "error" in value:
                tally.mismatch(name, f"at {size}: the reference: {value['error']}")
                continue
            error = difference(value["tensor"], want)
            tally.worst = max(tally.worst, error / allowed(row) * 1e-9)
            if error > allowed(row):
                tally.mismatch(name, f"at {size}: the reference differs by {error:.2e}\n{row['prompt']}")
            if wanted:
                other = together(wanted(row, inputs, size))
                if (error := difference(other, want)) > allowed(row):
                    tally.mismatch(name, f"at {size}: the prompt differs from the program by {error:.2e}\n{row['prompt']}")


def accuracy(rows, name):
    """Compares PyTorch in f32 with f64, in units of the verifier's tolerance: a task that exceeds it would be unfair."""
    for size in SIZES:
        for factor in (1, 2):
            for number, row in enumerate(rows):
                inputs = [i.float() * factor if i.is_floating_point() else i for i in draw(row[size]["inputs"], number)]
                exact = [i.double() if i.is_floating_point() else i for i in inputs]
                start = time.monotonic()
                want = module(row).forward(*exact).double()
                seconds = time.monotonic() - start
                got = module(row).forward(*inputs).double()
                error = ((got - want).abs() / (1e-4 + 1e-4 * want.abs())).max()
                if not want.isfinite().all() or not error < 0.75 or seconds > 1:
                    print(f"{name} {row['task']['name']} at {size} × {factor}: {float(error):.2f} of the tolerance, "
                          f"{seconds:.2f} s")


def random_rows(count):
    """Returns programs over every function, and the functions by name."""
    functions = [f["name"] for f in probe("functions")]
    missing = sorted(set(functions) ^ (set(torch_functions.FUNCTIONS) | {"neg"}))
    assert not missing, f"functions of one side alone: {missing}"
    made = {}
    for i in range(count):
        function = functions[i % len(functions)]
        made[f"{function}_{i}"] = programs.program(i, function)
    rows = []
    names = list(made)
    for start in range(0, count, 100):
        body = "\n".join(made[name].source(name) for name in names[start:start + 100])
        for row in check(f"suite s{start} {{\n{body}\n}}\n"):
            if "message" in row:
                print(f"REFUSED {row['where']}: {row['message']}")
                line = int(row["where"].split(":")[-2])
                print(made[names[start + line - 2]].source("it"))
                sys.exit(1)
            rows.append(row)
    used = set().union(*(p.functions() for p in made.values()))
    assert used >= set(functions), sorted(set(functions) - used)
    return rows, made, len(functions)


def by_program(made):
    def value(row, inputs, size):
        task = row["task"]
        program = made[task["name"]]
        sizes = {"original": program.dims, "tiny": {d: 4 for d in program.dims}}.get(size, programs.resized(program.dims))
        named = {form["name"]: tensor for form, tensor in zip(task["inputs"], inputs)}
        return programs.run(program.body, named, sizes)
    return value


parser = argparse.ArgumentParser()
parser.add_argument("probe")
parser.add_argument("--random", type=int, default=500)
parser.add_argument("--accuracy", action="store_true")
options = parser.parse_args()

failures = 0
library = check("import windtunnel\nimport kernelbench_like\n")
for suite in ("level1", "level2", "pairs", "kb_level1", "kb_level2"):
    rows, tally, start = [r for r in library if r["task"]["suite"] == suite], Tally(), time.monotonic()
    assert rows, suite
    for i in range(0, len(rows), 20):
        compare(rows[i:i + 20], tally)
    if options.accuracy and suite.startswith("kb_"):
        accuracy(rows, suite)
    print(f"{suite}: {len(rows)} tasks, {tally.compared} comparisons, {tally.wrong} mismatches, worst {tally.worst:.1e} "
          f"({time.monotonic() - start:.0f} s)", flush=True)
    failures += tally.wrong
rows, made, count = random_rows(options.random)
tally, start = Tally(), time.monotonic()
for i in range(0, len(rows), 50):
    compare(rows[i:i + 50], tally, by_program(made))
print(f"random: {len(rows)} programs over {count} functions, {tally.compared} comparisons, {tally.wrong} mismatches, "
      f"worst {tally.worst:.1e} ({time.monotonic() - start:.0f} s)")
sys.exit(1 if failures + tally.wrong else 0)
