"""Runs generated answers, and compares them with their prompts executed in f64.

    answer-samples suites 3 | check_answers.py [--device cuda] [--every N] [--verbose]

On a machine without a GPU, Triton's interpreter runs the kernels at small sizes (it needs NumPy < 2.4).
Prints one line a kind of flaw: how many answers were right at each variation. Exit status 1 when an honest answer,
or one whose flaw only costs speed, was wrong somewhere.
"""
import argparse
import collections
import json
import os
import sys
import tempfile

parser = argparse.ArgumentParser()
parser.add_argument("--device", default="cpu")
parser.add_argument("--every", type=int, default=1, help="check every Nth answer")
parser.add_argument("--part", default="0/1", help="i/n: the ith of n processes")
parser.add_argument("--verbose", action="store_true")
options = parser.parse_args()
if options.device == "cpu":
    os.environ["TRITON_INTERPRET"] = "1"

import torch
import torch.nn as nn
import torch.nn.functional as F

SLOW_ONLY = ("", "tiny_blocks", "extra_pass", "needless_copy")
SMALL = {"M": 32, "N": 64, "K": 64}
ODD = {"M": 19, "N": 41, "K": 37}
DTYPES = {"f32": torch.float32, "f16": torch.float16}
VARIATIONS = [("original", 1, 1.0, "f32"), ("scale(2)", 1, 2.0, "f32"), ("resize", 1.5, 1.0, "f32"),
              ("cast(f16)", 1, 1.0, "f16"), ("tiny", 0, 1.0, "f32")]


def sizes(task, factor):
    whole = dict(task["dims"])
    if options.device == "cpu":
        whole = SMALL if factor != 1.5 else ODD
    elif factor == 1.5:
        whole = {name: int(size * 1.5) // 2 * 2 + 1 for name, size in whole.items()}
    return {name: 4 if factor == 0 else size for name, size in whole.items()}


def load(source, name):
    """Triton reads a kernel's source from its file."""
    with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as file:
        file.write(source)
    scope = {"torch": torch, "nn": nn, "F": F}
    exec(compile(source, file.name, "exec"), scope)
    return scope[name]


def check(row, number):
    """The names of the variations at which the answer is right, and what went wrong at the first other."""
    right, wrong = [], None
    reference = load(row["prompt"], "Model")()
    try:
        candidate = load(row["answer"], "ModelNew")()
    except Exception as error:
        return right, f"load: {type(error).__name__}: {error}"
    for label, factor, scale, dtype in VARIATIONS:
        at = sizes(row["task"], factor)
        generator = torch.Generator().manual_seed(number)
        inputs = [(scale * torch.randn([at[e] if isinstance(e, str) else e for e in i["shape"]], generator=generator,
                                       dtype=torch.float64)).to(DTYPES[dtype]) for i in row["task"]["inputs"]]
        want = reference.forward(*[i.double() for i in inputs])
        tolerance = 1e-4 if dtype == "f32" else 1e-2
        try:
            got = candidate.forward(*[i.to(options.device) for i in inputs]).cpu()
            if got.shape != want.shape or got.dtype != DTYPES[dtype]:
                raise ValueError(f"{got.shape} {got.dtype} instead of {want.shape}")
            error = ((got.double() - want).abs() / (tolerance + tolerance * want.abs())).max().item()
            if not error <= 1:
                raise ValueError(f"{error:.3g} times the tolerance")
            right.append(label)
        except Exception as problem:
            wrong = wrong or f"{label}: {type(problem).__name__}: {str(problem).strip().splitlines()[-1:]}"
            if "CUDA" in str(problem):
                print("the device is lost", file=sys.stderr)
                break
    return right, wrong


counts = collections.defaultdict(collections.Counter)
failures = 0
part, parts = map(int, options.part.split("/"))
for number, text in enumerate(sys.stdin):
    if number % options.every or number // options.every % parts != part:
        continue
    row = json.loads(text)
    right, wrong = check(row, number)
    counts[row["flaw"]]["answers"] += 1
    counts[row["flaw"]].update(right)
    if len(right) < len(VARIATIONS) and row["flaw"] in SLOW_ONLY:
        failures += 1
        print(f"WRONG {row['flaw']} {row['task']['name']} (row {number}): {wrong}", flush=True)
    elif options.verbose:
        print(f"{row['flaw']} {row['task']['name']} (row {number}): {right} {wrong}", flush=True)
for flaw, counter in sorted(counts.items()):
    print(f"{flaw or 'honest':15}", " ".join(f"{name}={counter[name]}" for name in ["answers"] + [v[0] for v in VARIATIONS]))
sys.exit(1 if failures else 0)
