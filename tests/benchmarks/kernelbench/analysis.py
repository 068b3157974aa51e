"""Compares the figures of an exam with those that KernelBench's own code computes of the same answers.

    analysis.py EXPORT CHECKOUT TABLE [--row ROW]

EXPORT is a folder that `trl export kernelbench` wrote, CHECKOUT a clone of https://github.com/ScalingIntelligence/KernelBench, of which
src/kernelbench/score.py and the pass@k of scripts/eval_from_generations.py are used, and TABLE a table of the report as JSON (runs/NAME/main.json).
Every column fast(p), pass_at(k), correct and speedup is compared; the status is 1 if one differs by more than 1e-9, relatively.

KernelBench's analysis takes the first sample of each problem; here all samples are given to its functions, as the exam counts all.
"""

import argparse
import ast
import importlib.util
import json
import math
import pathlib
import re
import sys

import numpy as np


def module_at(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def function_of(path, name):
    """One function of a script that imports what isn't needed for it."""
    tree = ast.parse(path.read_text())
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name]
    scope = {"np": np}
    exec(compile(ast.Module(found, []), str(path), "exec"), scope)
    return scope[name]


def compare(export, checkout, table, name=None):
    """Prints each figure of a table's row beside KernelBench's of the same results; returns how many differ."""
    score = module_at(checkout / "src" / "kernelbench" / "score.py")
    pass_at_k = function_of(checkout / "scripts" / "eval_from_generations.py", "calc_pass_at_k")
    baseline = json.loads((export / "baseline.json").read_text())
    correct, reference, times, counts = [], [], [], []
    for level in sorted(baseline):
        means = {name.split("_")[0]: one["mean"] for name, one in baseline[level].items()}
        for problem, results in json.loads((export / level / "eval_results.json").read_text()).items():
            counts.append((len(results), sum(one["correctness"] and one["compiled"] for one in results)))
            for one in results:
                correct.append(one["correctness"])
                times.append(one["runtime"])
                reference.append(means.get(problem, math.nan))
    correct, reference, times = np.array(correct), np.array(reference), np.array(times)
    rows = json.loads(table.read_text())["rows"]
    row = next(r for r in rows if name in (None, r["row"]))
    differ = 0
    print(f"{'column':14} {'KernelBench':>12} {'trl':>12}")
    for column, figure in row["figures"].items():
        fast, passed = re.fullmatch(r"fast\((.*)\)", column), re.fullmatch(r"pass_at\((\d+)\)", column)
        if fast:
            theirs = score.fastp(correct, reference, times, len(correct), float(fast[1]))
        elif passed:
            theirs = np.mean([pass_at_k(n, c, int(passed[1])) for n, c in counts])
        elif column == "speedup":
            theirs = score.geometric_mean_speed_ratio_correct_only(correct, reference, times, len(correct))
        elif column == "correct":
            theirs = correct.mean()
        else:
            continue
        ours = figure["value"]
        same = math.isclose(theirs, ours if ours is not None else 0, rel_tol=1e-9)
        differ += not same
        print(f"{column:14} {theirs:12.6f} {ours:12.6f}{'' if same else '  differs'}")
    return differ

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("export", type=pathlib.Path)
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("table", type=pathlib.Path)
    parser.add_argument("--row", help="the table's row; by default its first")
    given = parser.parse_args()
    return compare(given.export, given.checkout, given.table, given.row) > 0


if __name__ == "__main__":
    sys.exit(main())
