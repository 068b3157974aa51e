"""Has answers that others published to KernelBench's tasks judged by `trl verify`, and prints by class of reason how many are refused.

    published.py FOLDER… --kernelbench CHECKOUT [--trl PROGRAM] [--largest N] [--measured] [--only TEXT] [--part I/N] [--json FILE]

CHECKOUT is a clone of https://github.com/ScalingIntelligence/KernelBench, and each FOLDER one of a repository with answers. An answer is, wherever it lies in a FOLDER,
- a line of a *.json or *.jsonl file with `level_id`, `task_id` and `custom_code` (deepreinforce-ai/CUDA-L1, optimized_cuda_code/h100.json),
- a file solutions/NAME.py, where a file data.json beside it has entries {"file": NAME} under names such as `Level 1: 9_Tall_skinny_matrix_multiplication_`
  (anneouyang/KernelBenchLeaderboard, docs/assets),
- a Python file that defines ModelNew and has the name of a task's file (adityakotha03/tritonLLM, output/). Where a table results/*.csv has the columns `Problem` and
  `Correctness`, and its name is the end of the answer's folder, the answers that the table calls correct count alone.
Equal answers to one task count once, and those to tasks that aren't typed are counted and not judged. Answers without a GPU end as `needs_gpu` where only their values are left to judge.
"""
import argparse
import csv
import json
import pathlib
import re
import sys

import beside

# Classes of refusals: (what they have in common, whether docs/verify.md or THREAT_MODEL.md states it as a policy or no build takes it, a pattern of "reason: message"). The first that fits counts.
CLASSES = [
    ("PyTorch or a library would compute", True, r"framework_compute|cublas|cudnn|cutlass"),
    ("launches no kernel of its own", True, r"^no_kernel"),
    ("defines no ModelNew, or names functions that aren't there", True, r"^missing_(model|function): (the answer|\S+ is named)"),
    ("device code that NVRTC refuses", True, r"^compile_error: (?!<|identifier \"(?!__))"),
    ("two PYBIND11_MODULEs, or launches in a source for C++'s compiler", True, r"PYBIND11_MODULE is there twice|kernel call to non-global function"),
    ("reads values of tensors", True, r"data_dependent"),
    ("streams, events, graphs of its own", True, r"streams|current stream|CUDAGraph|captur"),
    ("inline assembly, clusters, cooperative launches", True, r"inline assembly|asm|clusters|cooperative|cluster launch"),
    ("asks the system for something", True, r"forbidden|processes"),
    ("keeps or returns values of another call", True, r"second call|as if it were the one before"),
    ("a null pointer", False, r"null pointer"),
    ("flags and options of load_inline", False, r"^option: (extra_|load)"),
    ("launch options of Triton", False, r"^option"),
    ("parameters of other names or shapes", False, r"wrong_parameters"),
    ("arguments of the module or of forward", False, r"wrong_arguments"),
    ("parameters with contents that aren't known", False, r"random or computed on the CPU|contents come from the CPU|not allocated on the GPU|tensor on the CPU"),
    ("names of C++ and CUDA that aren't known", False, r"unknown_name|undeclared|no member|unknown type|file not found|not available here|no template named|no matching|not supported"),
    ("works at some sizes only", False, r"own_size_only"),
]
OWN_KERNEL = re.compile(r"__global__|triton\.jit|@jit\b")


def rows_of_json(path):
    """Yields (level, number, answer) of a file of JSON or of lines of JSON."""
    text = path.read_text(errors="replace")
    if (path.parent / "solutions").is_dir():
        for title, entries in json.loads(text).items() if path.name == "data.json" else []:
            level, number = re.match(r"Level (\d): (\d+)_", title).groups()
            for entry in entries:
                yield int(level), int(number), (path.parent / "solutions" / f"{entry['file']}.py").read_text(errors="replace")
        return
    for entry in (json.loads(line) for line in text.splitlines() if line.startswith("{")):
        if isinstance(entry.get("custom_code"), str):
            yield int(entry["level_id"]), int(entry["task_id"]), entry["custom_code"]


def said_correct(folder):
    """What tables of a folder say of answers: {the table's name: names of the tasks with a correct answer}."""
    said = {}
    for path in sorted(folder.rglob("results/*.csv")):
        with path.open(newline="") as file:
            lines = list(csv.DictReader(file))
        if lines and {"Problem", "Correctness"} <= lines[0].keys():
            said[path.stem] = {(line.get("Level"), line["Problem"]) for line in lines if line["Correctness"] == "True"}
    return said


def found(folder, names):
    """Yields (level, number, answer) of all answers in a folder; `names` has the tasks of the checkout, {file's stem: [(level, number)]}."""
    said = said_correct(folder)
    for path in sorted(folder.rglob("*.json*")):
        try:
            yield from rows_of_json(path)
        except (ValueError, KeyError, TypeError):
            continue
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text(errors="replace")
        tasks = names.get(path.stem, names.get(path.stem + "_", []))
        if not tasks or not re.search(r"^class ModelNew\b", text, re.MULTILINE):
            continue
        parts = [part for part in path.parent.parts if not re.fullmatch(r"level\d", part)]
        table = next((said[name] for name in said if "_".join(parts).endswith(name)), None)
        named = [task for task in tasks if f"level{task[0]}" in path.parts] or tasks
        if len(named) == 1 and (table is None or any((level, one) in table for level in (None, f"level{named[0][0]}") for one in (path.stem, path.stem + "_"))):
            yield *named[0], text


def judged_tasks(levels, arguments):
    """The tasks of these levels that `trl verify` can judge, as (level, number)."""
    return {(int(suite[-1]), number) for suite, number in beside.smaller_tasks([{"level": f"level{level}"} for level in levels], arguments)}


def class_of(verdict):
    """(what an answer's verdict has in common with others, whether that is a stated policy or the answer's mistake: "right", "policy", "refused", "wrong").

    An answer that KernelBench's own protocol refuses as well is wrong: of another task's arguments, say, as those to earlier versions of the benchmark."""
    if verdict["correct"] or verdict["reason"] == "needs_gpu":
        return ("right" if verdict["correct"] else "needs a GPU"), "right"
    if (verdict.get("kernelbench") or {}).get("correct") is False:
        return f"{verdict['reason']}, by KernelBench's protocol too", "wrong"
    text = f"{verdict['reason']}: {verdict['message'] or ''}"
    for name, policy, pattern in CLASSES:
        if re.search(pattern, text):
            return name, "policy" if policy else "refused"
    early = verdict["failed"] in ("syntax", "compile")
    return verdict["reason"] + (f" ({verdict['failed']})" if verdict["failed"] else ""), "refused" if early else "wrong"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--kernelbench", dest="checkout", type=pathlib.Path, required=True)
    parser.add_argument("--trl", default="trl")
    parser.add_argument("--largest", type=int, default=4096, help="elements of a tensor; 0: the files' own sizes")
    parser.add_argument("--measured", action="store_true", help="judge on the GPU, with measured times")
    parser.add_argument("--only", default="", help="answers whose text or task (level1/7) holds this text")
    parser.add_argument("--part", default="1/1", metavar="I/N", help="the I-th of N equal parts of the answers")
    parser.add_argument("--json", type=pathlib.Path, help="where a line for each answer is written")
    arguments = parser.parse_args()
    arguments.checkout = arguments.checkout.resolve()
    names = {}
    for path in sorted(arguments.checkout.glob("KernelBench/level*/*.py")):
        names.setdefault(path.stem, []).append((int(path.parent.name[5:]), int(path.name.split("_")[0])))
    every = list(dict.fromkeys(one for folder in arguments.folders for one in found(folder, names)))
    every = [one for one in every if arguments.only in one[2] or arguments.only == f"level{one[0]}/{one[1]}"]
    part, parts = map(int, arguments.part.split("/"))
    every = every[part - 1::parts]
    typed = judged_tasks(sorted({level for level, _, _ in every}), arguments)
    rows = [one for one in every if one[:2] in typed]
    print(f"{len(every)} answers; {len(every) - len(rows)} are to tasks that aren't typed", flush=True)
    counts, examples, column, lines = {}, {}, {}, []
    asked = [(f"level{level}/{number}", answer) for level, number, answer in rows]
    for at, verdict in beside.verdicts(asked, sorted({f"level{level}" for level, _, _ in rows}), arguments):
        level, number, answer = rows[at]
        own = OWN_KERNEL.search(answer) is not None
        name, kind = class_of(verdict) if own else ("no kernel of its own", "without")
        counts[kind, name] = counts.get((kind, name), 0) + 1
        examples.setdefault((kind, name), f"level{level}/{number}: {verdict['reason']}: {verdict['message']}" if not verdict["correct"] else f"level{level}/{number}")
        other = verdict.get("kernelbench")
        said = ("right" if other["correct"] else "wrong") if other and other["correct"] is not None else "not asked"
        column[own, said] = column.get((own, said), 0) + 1
        lines.append({"level": level, "id": number, "own_kernel": own, "kind": kind, "class": name, "answer": answer,
                      **{key: verdict.get(key) for key in ("correct", "failed", "reason", "message", "line", "kernelbench")}})
        if sys.stderr.isatty() or len(lines) % 50 == 0:
            print(f"{len(lines)} of {len(rows)}", file=sys.stderr, flush=True)
        if arguments.json:
            arguments.json.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with_kernel = sum(line["own_kernel"] for line in lines)
    titles = {"right": "right, or only their values are left to judge on a GPU", "wrong": "wrong", "policy": "refused by a stated policy", "refused": "refused for something else"}
    for kind, title in titles.items():
        of_kind = sorted(((count, name) for (one, name), count in counts.items() if one == kind), reverse=True)
        print(f"\n{sum(count for count, _ in of_kind)} of {with_kernel} with kernels of their own: {title}")
        for count, name in of_kind:
            print(f"{count:6}  {name:50}  {examples[kind, name][:150]!r}")
    print(f"\n{len(lines) - with_kernel} hold no kernel of their own")
    for own, title in ((True, "with kernels of their own"), (False, "without")):
        print(f"KernelBench's protocol here, {title}: " + ", ".join(f"{count} {said}" for (one, said), count in sorted(column.items()) if one == own))


if __name__ == "__main__":
    main()
