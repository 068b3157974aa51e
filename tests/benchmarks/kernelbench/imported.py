"""Compares an imported row's figures with what KernelBench's own code computes of the same results.

    imported.py CHECKOUT [--trl ./trl] [--seed 1]

Results of several answers to each problem of levels 1 and 2 are drawn: some don't compile, some are wrong, and right ones are as fast as the
references of results/timing/H100_Modal, give or take a factor of two. A problem in twenty has no result. Each level stands as an imported row in a
table of an experiment whose own model gave no answer. analysis.py then compares the figures; the exit status is 1 where any differs.
"""

import argparse
import csv
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import analysis

REFERENCES = "results/timing/H100_Modal/baseline_time_torch.json"


def drawn(references, random_numbers, samples):
    """Results in KernelBench's layout, by problem."""
    results = {}
    for name, time in references.items():
        if random_numbers.random() < 0.05:
            continue
        of_it = results[name.split("_")[0]] = []
        for sample in range(samples):
            compiled = random_numbers.random() < 0.8
            correct = compiled and random_numbers.random() < 0.6
            runtime = time["mean"] / random_numbers.lognormvariate(0, 0.7) if correct else -1.0
            of_it.append({"sample_id": sample, "compiled": compiled, "correctness": correct, "metadata": {}, "runtime": runtime, "runtime_stats": {}})
    return results


def study(checkout, level, samples):
    """A .trl file with the results as a row; tensors are small, since no answer is judged."""
    passes = ", ".join(f"pass_at({k})" for k in range(1, samples + 1))
    return f"""suite tasks {{ source = kernelbench(path("{checkout}"), level = {level}, largest = 4096) }}
model nobody {{ weights = generations(path("nothing")) }}
evaluation exam {{ split = where(tasks, judged), samples = {samples} }}
experiment study {{
  model = nobody, evaluate = exam
  allow(degenerate_task, "no answer is judged"), allow(generations_absent, "nor is one there"), allow(imported_partly, "some problems have no result")
}}
table main {{
  of = study
  rows = cells + imported(path("drawn"), name = "drawn", level = {level}, baseline = path("{checkout / REFERENCES}"))
  columns = [correct, speedup, fast(0.5), fast(0.8), fast(1.0), fast(1.5), {passes}]
}}
"""


def complete(results, names, samples):
    """The results of the exam's problems alone, with wrong ones for those that have none, as the row counts them."""
    wrong = [{"sample_id": sample, "compiled": False, "correctness": False, "runtime": -1.0} for sample in range(samples)]
    return {number: results.get(number, wrong) for number in names}


def compared(arguments, level, samples):
    references = json.loads((arguments.checkout / REFERENCES).read_text())[f"level{level}"]
    results = drawn(references, random.Random(arguments.seed + level), samples)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name in ("drawn", "nothing", f"compared/level{level}"):
            (folder / name).mkdir(parents=True)
        (folder / "nothing" / "level_0_problem_0_sample_0_kernel.py").write_text("")
        (folder / "drawn" / "eval_results.json").write_text(json.dumps(results))
        (folder / "study.trl").write_text(study(arguments.checkout, level, samples))
        done = subprocess.run([arguments.trl, "run", "study.trl"], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stdout + done.stderr)
        table = folder / "runs" / "study"
        exam = {row["task"] for row in csv.DictReader((table / "main.tasks.csv").open())}
        numbers = [name.split("_")[0] for name in references if name.split("_", 1)[1].removesuffix(".py") in exam]
        export = folder / "compared"
        (export / f"level{level}" / "eval_results.json").write_text(json.dumps(complete(results, numbers, samples)))
        (export / "baseline.json").write_text(json.dumps({f"level{level}": references}))
        print(f"level {level}: {len(numbers)} problems, {len(results)} of {len(references)} with results, {samples} answers each")
        return analysis.compare(export, arguments.checkout, table / "main.json", "drawn (imported)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--trl", default="trl")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    arguments.checkout = arguments.checkout.resolve()
    if os.sep in arguments.trl:
        arguments.trl = str(pathlib.Path(arguments.trl).resolve())
    return sum([compared(arguments, level, samples) for level, samples in ((1, 1), (2, 4))]) > 0


if __name__ == "__main__":
    sys.exit(main())
