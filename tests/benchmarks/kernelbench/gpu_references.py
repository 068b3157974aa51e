"""Runs the modules of KernelBench's levels 1 and 2 at their files' own sizes on the GPU: which run, what memory they need, how long they take eager and
compiled, and which answers that compute nothing KernelBench's protocol accepts there.

    gpu_references.py [CHECKOUT] [--levels 1,2] [--only TEXT] [--jobs N] [--json FILE] [--no-trivial] [--seconds N]

CHECKOUT is a clone of https://github.com/ScalingIntelligence/KernelBench; without it, the environment's TRL_KERNELBENCH, whose tasks are beside its
src/. Inputs are drawn on the GPU by the files' own get_inputs. Memory is the most that PyTorch had allocated during a forward pass, inputs and weights
among it. Times are medians of 20 runs with a cold L2 cache, by events, as verification measures them (verifier/baseline): a CUDA graph of the eager
operations, the same called from Python, and a CUDA graph of torch.compile's code. --jobs processes compile first, so that compiling disturbs no
measurement. Trivial answers are those of `trl audit tasks` (verifier/kernelbench/trivial_answers.py), over five draws, or as many as fit into the GPU's memory, at least two.
After --seconds no further task is begun.
"""

import argparse
import contextlib
import gc
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "verifier/kernelbench"), str(ROOT / "verifier/baseline")]
WARMUP, TRIALS = 3, 20


def tasks_of(checkout, levels, only):
    """The files of these levels, in the order of their numbers."""
    for level in levels:
        files = sorted((checkout / "KernelBench" / f"level{level}").glob("*.py"), key=lambda file: int(file.name.split("_")[0]))
        for file in files:
            name = f"level{level}/{file.stem}"
            if only in name:
                yield name, file.read_text()


def module_and_inputs(code):
    """The file's module and inputs on the GPU, by its own functions and with one seed."""
    import torch

    import trivial_answers

    with torch.device("cuda"):
        task = trivial_answers.task_of({"trials": 1, "device": "cuda"}, code, "Model")
        return task.construct().to("cuda"), task.inputs(43)


def release():
    import torch

    gc.collect()
    torch._dynamo.reset()
    torch.cuda.empty_cache()


def warm(tasks):
    """Has torch.compile keep its code of these tasks on disk; what fails is said by the measurement."""
    import torch

    for _, code in tasks:
        with torch.no_grad(), contextlib.suppress(Exception):
            module, inputs = module_and_inputs(code)
            torch.compile(module)(*inputs)
        module = inputs = None
        release()


def warm_in_processes(options):
    command = [sys.executable, __file__, str(options.checkout), "--levels", options.levels, "--only", options.only, "--jobs", str(options.jobs)]
    workers = [subprocess.Popen([*command, "--warm", str(number)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for number in range(options.jobs)]
    for worker in workers:
        worker.wait()


def measured(code, clock):
    """What one task takes: bytes and microseconds."""
    import torch

    import baseline

    said = {}
    module, inputs = module_and_inputs(code)
    said["inputs_bytes"] = sum(v.numel() * v.element_size() for v in inputs if isinstance(v, torch.Tensor))
    torch.cuda.reset_peak_memory_stats()
    module(*inputs)
    torch.cuda.synchronize()
    said["bytes"] = torch.cuda.max_memory_allocated() - clock.flush.numel()
    said["python_us"] = statistics.median(clock.time(lambda: module(*inputs), WARMUP, TRIALS))
    for name, call in (("graph_us", module), ("compiled_us", torch.compile(module))):
        graph = baseline.graph_or_none(lambda call=call: call(*inputs))
        said[name] = statistics.median(clock.time(graph.replay, WARMUP, TRIALS)) if graph else None
        graph = None
        torch.cuda.empty_cache()
    return said


def accepted(code, inputs_bytes):
    """The trivial answers that KernelBench's protocol accepts at the file's own sizes."""
    import torch

    import trivial_answers

    free = torch.cuda.mem_get_info()[0]
    # A draw is kept with its output; a comparison takes a few more tensors of its size.
    draws = max(2, min(5, int(free / (3 * inputs_bytes + 1)) - 4))
    request = {"trials": draws, "most_bytes": 1 << 40, "device": "cuda"}
    with torch.device("cuda"):
        said = trivial_answers.trivial(request, code, "Model")
    return {"draws": draws, "accepts": said["accepts"], "shares": said["shares"]}


def gib(count):
    return f"{count / 2**30:.1f}"


def summary(rows):
    ran = [row for row in rows if "bytes" in row]
    print()
    print(f"{len(ran)} of {len(rows)} run at their own sizes; the largest needs {gib(max(row['bytes'] for row in ran))} GiB ({max(ran, key=lambda r: r['bytes'])['task']})")
    for most in (16, 40, 80):
        print(f"  {sum(row['bytes'] > most << 30 for row in ran)} need more than {most} GiB")
    both = [row for row in ran if row.get("graph_us") and row.get("compiled_us")]
    for level in sorted({row["task"].split("/")[0] for row in both}):
        ratios = sorted(row["graph_us"] / row["compiled_us"] for row in both if row["task"].startswith(level))
        print(f"{level}: eager / compiled, geometric mean of {len(ratios)}: {statistics.geometric_mean(ratios):.2f} (from {ratios[0]:.2f} to {ratios[-1]:.2f}; "
              f"compiled is slower for {sum(r < 0.98 for r in ratios)})")
    tried = [row for row in rows if "accepts" in row]
    kinds = {}
    for row in tried:
        for one in row["accepts"]:
            kind = "an operand as zeros" if one.endswith(" as zeros") else "a copy of an input" if one.startswith("copy of") else one
            kinds.setdefault(kind, set()).add(row["task"].split("_")[0])
    print(f"trivial answers were tried on {len(tried)}; of {sum(bool(row['accepts']) for row in tried)} one is accepted:")
    for kind, which in sorted(kinds.items()):
        print(f"  {kind}: {', '.join(sorted(which, key=lambda t: (t[:6], int(t[7:]))))}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=pathlib.Path, nargs="?")
    parser.add_argument("--levels", default="1,2")
    parser.add_argument("--only", default="", help="tasks whose level/name holds this text")
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--json", type=pathlib.Path, help="where a line for each task is written")
    parser.add_argument("--no-trivial", action="store_true")
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--warm", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.checkout is None:
        package = os.environ.get("TRL_KERNELBENCH")
        if package is None:
            print("gpu_references: no checkout of KernelBench was named, so its modules aren't run")
            return
        options.checkout = pathlib.Path(package).resolve().parent
    tasks = list(tasks_of(options.checkout, options.levels.split(","), options.only))
    if not tasks:
        sys.exit(f"gpu_references.py: {options.checkout} has no such tasks; it has to be a clone of KernelBench")
    if options.warm is not None:
        return warm(tasks[options.warm::options.jobs])
    began = time.monotonic()
    if options.jobs:
        warm_in_processes(options)
        print(f"compiled in {time.monotonic() - began:.0f} s", flush=True)
    import torch

    import baseline

    clock = baseline.Clock()
    rows = []
    print(f"{'task':50} {'GiB':>6} {'eager us':>10} {'from Python':>11} {'compiled':>10}  accepted")
    with torch.no_grad():
        for name, code in tasks:
            if time.monotonic() - began > options.seconds:
                print(f"the time is over: {len(tasks) - len(rows)} tasks weren't tried")
                break
            row = {"task": name}
            try:
                row |= measured(code, clock)
                release()
                if not options.no_trivial:
                    row |= accepted(code, row["inputs_bytes"])
            except Exception as error:
                row["why"] = f"{type(error).__name__}: {str(error)[:200]}"
            release()
            rows.append(row)
            show = lambda value: "–" if value is None else f"{value:.1f}"
            print(f"{name[:50]:50} {gib(row.get('bytes', 0)):>6} {show(row.get('graph_us')):>10} {show(row.get('python_us')):>11} "
                  f"{show(row.get('compiled_us')):>10}  {', '.join(row.get('accepts', []))}{row.get('why', '')}", flush=True)
            if options.json:
                options.json.write_text("".join(json.dumps(row) + "\n" for row in rows))
    summary(rows)


if __name__ == "__main__":
    main()
