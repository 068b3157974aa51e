"""Has the answers of answers/ and their wrong twins judged by KernelBench's own evaluation and by `trl verify`, and prints both side by side.

    beside.py CHECKOUT [--trl PROGRAM] [--largest N] [--only TEXT] [--no-twins] [--no-kernelbench] [--perf-trials N] [--json FILE]

CHECKOUT is a clone of https://github.com/ScalingIntelligence/KernelBench. KernelBench evaluates at its files' own sizes on the GPU: five
trials, times by CUDA events. `trl verify` is an exam by this project's protocol and by KernelBench's, with tensors of at most N elements
(`kernelbench(…, largest = N)`), kernel times measured; without a GPU, `--no-kernelbench` leaves KernelBench's evaluation out and times are modelled.
KernelBench's clients of language models are replaced by empty modules where they aren't installed, since its evaluation imports them.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import types

import answers

STUBS = {"requests": [], "dotenv": ["load_dotenv"], "openai": ["OpenAI"], "litellm": ["completion"], "together": ["Together"], "tqdm": ["tqdm"]}


class Record:
    """Stands for pydantic's BaseModel, of which KernelBench's evaluation uses fields with defaults."""

    def __init__(self, **given):
        for name in getattr(type(self), "__annotations__", {}):
            setattr(self, name, given.get(name, getattr(type(self), name, None)))


def kernelbench_server(checkout, perf_trials):
    """Reads lines {"task", "answer", "backend"} and writes what KernelBench says of each, in a process of its own: it executes the answers."""
    sys.path.insert(0, str(checkout / "src"))
    for name, members in STUBS.items():
        try:
            __import__(name)
        except ImportError:
            module = types.ModuleType(name)
            for member in members:
                setattr(module, member, lambda *args, **more: None)
            sys.modules[name] = module
    try:
        import pydantic  # noqa: F401
    except ImportError:
        sys.modules["pydantic"] = types.ModuleType("pydantic")
        sys.modules["pydantic"].BaseModel = Record
    out = sys.stdout
    sys.stdout = sys.stderr
    import torch
    from kernelbench import eval as evaluation
    out.write("ready\n")
    out.flush()
    for line in sys.stdin:
        asked = json.loads(line)
        began = time.monotonic()
        try:
            with tempfile.TemporaryDirectory() as build:
                found = evaluation.eval_kernel_against_ref(
                    asked["task"], asked["answer"], num_correct_trials=5, num_perf_trials=perf_trials, measure_performance=True, build_dir=build,
                    device=torch.device("cuda:0"), backend=asked["backend"], precision=torch.float32)
            said = {"correct": bool(found and found.correctness), "us": 1e3 * found.runtime if found and found.runtime > 0 else None,
                    "reference_us": 1e3 * found.ref_runtime if found and getattr(found, "ref_runtime", -1) > 0 else None,
                    "why": "" if found and found.correctness else str(getattr(found, "metadata", ""))[:300]}
        except Exception as error:
            said = {"correct": False, "us": None, "reference_us": None, "why": f"{type(error).__name__}: {error}"[:300]}
        torch.cuda.empty_cache()
        out.write(json.dumps({**said, "seconds": round(time.monotonic() - began, 2)}) + "\n")
        out.flush()


class KernelBench:
    """KernelBench's evaluation in a process, which is started again where an answer ends it."""

    def __init__(self, checkout, perf_trials):
        self.command = [sys.executable, __file__, str(checkout), "--serve", "--perf-trials", str(perf_trials)]
        self.process = None

    def judge(self, task, answer, backend):
        if self.process is None or self.process.poll() is not None:
            self.errors = tempfile.TemporaryFile("w+")
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True)
            if self.process.stdout.readline() != "ready\n":
                self.errors.seek(0)
                sys.exit("KernelBench's evaluation doesn't start:\n" + self.errors.read()[-2000:])
        self.process.stdin.write(json.dumps({"task": task, "answer": answer, "backend": backend}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"correct": False, "us": None, "reference_us": None, "why": "its process ended", "seconds": 0}


def our_verdicts(rows, arguments):
    """What `trl verify` says of each row, in their order; rows of tasks that it can't judge are taken out of `rows`, and named."""
    while True:
        said, seconds, unjudged = our_verdicts_or_task(rows, arguments)
        if unjudged is None:
            return said, seconds
        print(f"{unjudged} isn't judged: its task isn't typed")
        rows[:] = [row for row in rows if f"{row['level']}/{row['id']}" != unjudged]


def our_verdicts_or_task(rows, arguments):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        suites = folder / "tasks.trl"
        suites.write_text("".join(f'suite {level} {{ source = kernelbench(path("{arguments.checkout}"), level = {level[-1]}, largest = {arguments.largest}) }}\n'
                                  for level in sorted({row["level"] for row in rows})))
        file = folder / "rows.jsonl"
        file.write_text("".join(json.dumps({"task": f"{row['level']}/{row['id']}", "answer": row["answer"]}) + "\n" for row in rows))
        command = [arguments.trl, "verify", "--rows", str(file), "--suite-file", str(suites), "--kernelbench", "--json"]
        if not arguments.no_kernelbench:
            command += ["--kernel-times", "measured"]
        began = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if elsewhere := re.search(r"answers to the task (level\d/\d+) can't be judged", done.stderr):
            return [], 0.0, elsewhere[1]
        said = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        if len(said) != len(rows):
            sys.exit(f"trl verify gave {len(said)} verdicts of {len(rows)}:\n{done.stderr[-3000:]}")
        said.sort(key=lambda one: one.get("number", 0))
        return said, time.monotonic() - began, None


def mark(value):
    return "–" if value is None else "right" if value else "wrong"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--trl", default="trl")
    parser.add_argument("--largest", type=int, default=1 << 20)
    parser.add_argument("--only", default="", help="answers whose level/name holds this text")
    parser.add_argument("--most", type=int, default=0, help="at most so many answers, spread over all")
    parser.add_argument("--no-twins", action="store_true")
    parser.add_argument("--no-kernelbench", action="store_true")
    parser.add_argument("--perf-trials", type=int, default=20)
    parser.add_argument("--json", type=pathlib.Path, help="where a line for each answer is written")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        return kernelbench_server(arguments.checkout, arguments.perf_trials)
    rows = []
    found = [one for one in answers.answers() if arguments.only in f"{one[0]}/{one[2].name}"]
    if arguments.most and len(found) > arguments.most:
        found = [found[i * len(found) // arguments.most] for i in range(arguments.most)]
    for level, number, path in found:
        text, twin = answers.read(path)
        task = (arguments.checkout / "KernelBench" / level / path.name).read_text()
        for kind, answer in (("answer", text), ("twin", twin))[:1 if arguments.no_twins else 2]:
            rows.append({"level": level, "id": number, "name": path.stem, "kind": kind, "answer": answer, "task": task, "backend": answers.language(text)})
    ours, our_seconds = our_verdicts(rows, arguments)
    kernelbench = KernelBench(arguments.checkout, arguments.perf_trials)
    print(f"{'task':58} {'':6} {'KernelBench':>11} {'its protocol here':>17} {'trl':>6} {'speed-up there':>14} {'here':>6}  why wrong here")
    counts, seconds = {}, 0.0
    lines = []
    for row, verdict in zip(rows, ours):
        theirs = None if arguments.no_kernelbench else kernelbench.judge(row["task"], row["answer"], row["backend"])
        seconds += theirs["seconds"] if theirs else 0
        other = verdict.get("kernelbench")
        said = (theirs["correct"] if theirs else None, other["correct"] if other else None, verdict["correct"])
        counts[row["kind"], said] = counts.get((row["kind"], said), 0) + 1
        there = theirs["reference_us"] / theirs["us"] if theirs and theirs["us"] and theirs["reference_us"] else None
        here = verdict["speedup"] if verdict["correct"] else None
        show = lambda value: "" if value is None else f"{value:.2f}"
        why = "" if verdict["correct"] else f"{verdict['reason']}: {verdict['message'] or ''}"[:70]
        print(f"{row['level'] + '/' + row['name']:58.58} {row['kind']:6} {mark(said[0]):>11} {mark(said[1]):>17} {mark(said[2]):>6} {show(there):>14} {show(here):>6}  {why}", flush=True)
        lines.append({**{k: row[k] for k in ("level", "id", "name", "kind", "backend")}, "kernelbench": theirs, "its_protocol_here": other, "trl": {
            k: verdict.get(k) for k in ("correct", "reason", "message", "speedup", "time_us", "reference_us", "failed")}})
        if arguments.json:
            arguments.json.write_text("".join(json.dumps(line) + "\n" for line in lines))
    print()
    for (kind, said), count in sorted(counts.items(), key=str):
        print(f"{count:4} {kind + ('s' if count > 1 else ''):8} KernelBench {mark(said[0])}, its protocol here {mark(said[1])}, trl {mark(said[2])}")
    print(f"seconds: trl {our_seconds:.0f} (all variations, both protocols), KernelBench {seconds:.0f}")


if __name__ == "__main__":
    main()
