"""Has the answers of answers/ and their wrong twins judged by KernelBench's own evaluation and by `trl verify`, and prints both side by side.

    beside.py CHECKOUT [--trl PROGRAM] [--largest N] [--only TEXT] [--part I/N] [--no-twins] [--no-kernelbench] [--no-gpu] [--perf-trials N] [--seconds N]
              [--verdicts FILE] [--json FILE]

CHECKOUT is a clone of https://github.com/ScalingIntelligence/KernelBench. KernelBench evaluates at its files' own sizes on the GPU: five
trials, times by CUDA events. `trl verify` is an exam by this project's protocol and by KernelBench's, with tensors of at most N elements
(`kernelbench(…, largest = N)`), kernel times measured; `--no-kernelbench` leaves KernelBench's evaluation out, and `--no-gpu` is for machines without
one, where times are modelled. So that speed-ups can be compared, KernelBench also times the answers at these smaller sizes. After --seconds it evaluates no more.
`trl verify`'s rows are written to --verdicts as they come; a run that is begun again with the same file judges those alone that it lacks.
KernelBench's clients of language models are replaced by empty modules where they aren't installed, since its evaluation imports them. It has the files'
get_inputs draw on the GPU: of the largest tensors drawing on the CPU takes a minute. Extensions in CUDA are built before, all at once.
"""
import argparse
import hashlib
import json
import os
import pathlib
import statistics
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


def drawing_on_gpu(load):
    """KernelBench's function that reads a task, with a get_inputs that draws on the GPU."""
    import torch

    def loaded(*args, **more):
        module, init, inputs = load(*args, **more)

        def drawn():
            with torch.device("cuda"):
                return inputs()
        return module, init, drawn
    return loaded


def kernelbench_server(checkout, perf_trials):
    """Reads lines {"task", "answer", "backend", "build"} and writes what KernelBench says of each, in a process of its own: it executes the answers."""
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
    evaluation.load_original_model_and_inputs = drawing_on_gpu(evaluation.load_original_model_and_inputs)
    out.write("ready\n")
    out.flush()
    for line in sys.stdin:
        asked = json.loads(line)
        began = time.monotonic()
        try:
            found = evaluation.eval_kernel_against_ref(
                asked["task"], asked["answer"], num_correct_trials=5, num_perf_trials=perf_trials, measure_performance=True, build_dir=asked["build"],
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

    def __init__(self, checkout, perf_trials, builds):
        self.command = [sys.executable, __file__, str(checkout), "--serve", "--perf-trials", str(perf_trials)]
        self.process, self.builds = None, pathlib.Path(builds)

    def build_of(self, row):
        """Where an answer's extension is built: a folder of its own, since twins have the same names."""
        folder = self.builds / f"{row['level']}_{row['id']}_{row['kind']}"
        folder.mkdir(exist_ok=True)
        return str(folder)

    def build(self, rows):
        """Builds the extensions of all answers in CUDA at once; what doesn't build is said when it is judged."""
        builders = []
        for row in rows:
            if row["backend"] == "cuda":
                folder = self.build_of(row)
                file = pathlib.Path(folder) / "answer.py"
                file.write_text(row["answer"])
                builders.append(subprocess.Popen([sys.executable, str(file)], env={**os.environ, "TORCH_EXTENSIONS_DIR": folder, "MAX_JOBS": "2"},
                                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        for builder in builders:
            builder.wait()

    def judge(self, row, task):
        if self.process is None or self.process.poll() is not None:
            self.errors = tempfile.TemporaryFile("w+")
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True)
            if self.process.stdout.readline() != "ready\n":
                self.errors.seek(0)
                sys.exit("KernelBench's evaluation doesn't start:\n" + self.errors.read()[-2000:])
        self.process.stdin.write(json.dumps({"task": task, "answer": row["answer"], "backend": row["backend"], "build": self.build_of(row)}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"correct": False, "us": None, "reference_us": None, "why": "its process ended", "seconds": 0}


def levels_of(rows):
    return sorted({row["level"] for row in rows})


def suites_of(levels, arguments):
    """The declarations of these levels in a .trl file, with tensors of at most `largest` elements."""
    largest = f", largest = {arguments.largest}" if arguments.largest else ""
    return "".join(f'suite {level} {{ source = kernelbench(path("{arguments.checkout}"), level = {level[-1]}{largest}) }}\n' for level in levels)


def verdicts(asked, levels, arguments):
    """Yields what `trl verify` says of answers, [(task, answer)…], with their places in `asked`, as it comes."""
    with tempfile.TemporaryDirectory() as folder:
        suites, file = pathlib.Path(folder) / "tasks.trl", pathlib.Path(folder) / "rows.jsonl"
        suites.write_text(suites_of(levels, arguments))
        file.write_text("".join(json.dumps({"task": task, "answer": answer}) + "\n" for task, answer in asked))
        command = [arguments.trl, "verify", "--rows", str(file), "--suite-file", str(suites), "--kernelbench", "--json"]
        if arguments.measured:
            command += ["--kernel-times", "measured"]
        with tempfile.TemporaryFile("w+") as errors, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as process:
            count = 0
            for line in process.stdout:
                if line.startswith("{"):
                    verdict = json.loads(line)
                    yield int(verdict["candidate"].rsplit(":", 1)[1]) - 1, verdict
                    count += 1
            process.wait()
            if count != len(asked):
                errors.seek(0)
                sys.exit(f"trl verify gave {count} verdicts of {len(asked)}:\n{errors.read()[-3000:]}")


def our_verdicts(rows, arguments):
    """What `trl verify` says of each row, in their order, and the seconds that this took."""
    found = known_verdicts(arguments)
    left = [row for row in rows if digest_of(row) not in found]
    began = time.monotonic()
    for at, verdict in verdicts([(f"{row['level']}/{row['id']}", row["answer"]) for row in left], levels_of(rows), arguments) if left else ():
        row = left[at]
        found[digest_of(row)] = verdict
        print(f"{time.monotonic() - began:6.0f} s  {row['level']}/{row['name']} {row['kind']}: {'right' if verdict['correct'] else verdict['reason']}",
              file=sys.stderr, flush=True)
        if arguments.verdicts:
            with open(arguments.verdicts, "a") as kept:
                kept.write(json.dumps({"of": digest_of(row), "verdict": verdict}) + "\n")
    return [found[digest_of(row)] for row in rows], time.monotonic() - began


def digest_of(row):
    return hashlib.sha256(f"{row['level']}/{row['id']}\n{row['answer']}".encode()).hexdigest()


def known_verdicts(arguments):
    """The verdicts that an earlier run has left in --verdicts, by answer."""
    if not arguments.verdicts or not arguments.verdicts.exists():
        return {}
    lines = [line for line in arguments.verdicts.read_text().splitlines() if line.endswith("}")]
    return {one["of"]: one["verdict"] for one in map(json.loads, lines)}


def seconds_of(verdict):
    """The seconds that a verdict took, those apart in which it waited for the GPU that another answer had."""
    spent = verdict.get("budget") or {"wall_seconds": {}, "uncounted_seconds": {}}
    return sum(seconds for part in (spent["wall_seconds"], spent["uncounted_seconds"]) for work, seconds in part.items() if work not in ("limit", "wait"))


def smaller_tasks(rows, arguments):
    """The files' texts with tensors of at most `largest` elements, by level and number, as `trl` rewrites them."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "texts.trl"
        levels = levels_of(rows)
        file.write_text(suites_of(levels, arguments) +
                        'model none { weights = endpoint("http://localhost:1/v1", name = "none") }\n'
                        f'evaluation all {{ split = {" + ".join(f"where({level}, judged)" for level in levels)} }}\n'
                        'experiment texts { allow(degenerate_task, "nobody is examined"), model = none, evaluate = all }\n')
        planned = subprocess.run([arguments.trl, "plan", str(file), "texts", "--json"], capture_output=True, text=True, check=False)
        if planned.returncode != 0:
            sys.exit(f"trl plan fails:\n{planned.stdout[-2000:]}{planned.stderr[-2000:]}")
        plan = json.loads(planned.stdout)
        stages = (plan[0] if isinstance(plan, list) else plan)["stages"]
        return {(task["suite"], task["id"]): task["module"]["code"] for stage in stages if stage["kind"] == "tasks" for task in stage["spec"]["tasks"]}


def mark(value):
    return "–" if value is None else "right" if value else "wrong"


def speed_up(theirs):
    return theirs["reference_us"] / theirs["us"] if theirs and theirs["us"] and theirs["reference_us"] else None


def judge(rows, kernelbench, arguments):
    began = time.monotonic()
    ours, our_seconds = our_verdicts(rows, arguments)
    texts = smaller_tasks(rows, arguments) if arguments.largest and not arguments.no_kernelbench else {}
    if not arguments.no_kernelbench:
        kernelbench.build(rows)
        print(f"trl took {our_seconds:.0f} s; all is ready after {time.monotonic() - began:.0f} s", flush=True)
    print(f"{'task':50} {'':6} {'KernelBench':>11} {'its protocol here':>17} {'trl':>6} {'speed-up: KB':>12} {'KB, smaller':>11} {'trl':>6}  why wrong here")
    counts, seconds, lines, pairs = {}, 0.0, [], []
    for row, verdict in zip(rows, ours):
        asked = not arguments.no_kernelbench and time.monotonic() - began < arguments.seconds
        theirs = kernelbench.judge(row, row["task"]) if asked else None
        smaller = theirs if asked and row["kind"] == "answer" else None
        if smaller and texts:
            smaller = kernelbench.judge(row, texts[row["level"], row["id"]])
        seconds += theirs["seconds"] if theirs else 0
        other = verdict.get("kernelbench")
        said = (theirs["correct"] if theirs else None, other["correct"] if other else None, verdict["correct"])
        counts[row["kind"], said] = counts.get((row["kind"], said), 0) + 1
        here = verdict["speedup"] if verdict["correct"] else None
        if here and speed_up(smaller):
            pairs.append((smaller, verdict))
        show = lambda value: "" if value is None else f"{value:.2f}"
        why = "" if verdict["correct"] else f"{verdict['reason']}: {verdict['message'] or ''}"[:70]
        print(f"{row['level'] + '/' + row['name']:50.50} {row['kind']:6} {mark(said[0]):>11} {mark(said[1]):>17} {mark(said[2]):>6} {show(speed_up(theirs)):>12} "
              f"{show(speed_up(smaller)):>11} {show(here):>6}  {why}", flush=True)
        lines.append({**{k: row[k] for k in ("level", "id", "name", "kind", "backend")}, "kernelbench": theirs, "kernelbench_smaller": smaller,
                      "its_protocol_here": other, "trl": {k: verdict.get(k) for k in ("correct", "reason", "message", "speedup", "time_us", "launched_us", "reference_us", "failed", "budget")}})
        if arguments.json:
            arguments.json.write_text("".join(json.dumps(line) + "\n" for line in lines))
    print()
    for (kind, said), count in sorted(counts.items(), key=str):
        print(f"{count:4} {kind + ('s' if count > 1 else ''):8} KernelBench {mark(said[0])}, its protocol here {mark(said[1])}, trl {mark(said[2])}")
    compare_times(pairs)
    each = sorted(seconds_of(verdict) for verdict in ours)
    print(f"seconds: trl {our_seconds:.0f} (all variations, both protocols; an answer {statistics.median(each):.1f}, the slowest tenth more than "
          f"{each[len(each) * 9 // 10]:.1f}), KernelBench {seconds:.0f}")


def compare_times(pairs):
    """Prints how far the times of right answers and of their references are from KernelBench's, and their ratios."""
    if not pairs:
        return
    print(f"speed-ups of {len(pairs)} right answers at equal sizes, geometric means: KernelBench's {statistics.geometric_mean(speed_up(theirs) for theirs, _ in pairs):.2f}, "
          f"trl's {statistics.geometric_mean(ours['speedup'] for _, ours in pairs):.2f}")
    slow = [(theirs, ours) for theirs, ours in pairs if theirs["us"] > 50 and theirs["reference_us"] > 50]
    for what, ratio in (("answer's time", lambda theirs, ours: ours["time_us"] / theirs["us"]),
                        ("reference's time", lambda theirs, ours: ours["reference_us"] / theirs["reference_us"]),
                        ("speed-up", lambda theirs, ours: ours["speedup"] / speed_up(theirs))):
        ratios = sorted(ratio(*pair) for pair in slow)
        if ratios:
            print(f"{what}, trl's over KernelBench's, of {len(ratios)} above 50 us: median {statistics.median(ratios):.3f}, from {ratios[0]:.2f} to {ratios[-1]:.2f}; "
                  f"{sum(0.95 <= one <= 1.05 for one in ratios)} within 5 %")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--trl", default="trl")
    parser.add_argument("--largest", type=int, default=1 << 20, help="elements of a tensor; 0: the files' own sizes")
    parser.add_argument("--only", default="", help="answers whose level/name holds this text, or one of several with commas between")
    parser.add_argument("--most", type=int, default=0, help="at most so many answers, spread over all")
    parser.add_argument("--part", default="1/1", metavar="I/N", help="the I-th of N equal parts of the answers")
    parser.add_argument("--no-twins", action="store_true")
    parser.add_argument("--no-kernelbench", action="store_true")
    parser.add_argument("--no-gpu", action="store_true", help="judge on the CPU alone, and leave KernelBench's evaluation out")
    parser.add_argument("--verdicts", type=pathlib.Path, help="where trl's rows are kept as they come, and read from again")
    parser.add_argument("--perf-trials", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=1e9, help="after which KernelBench evaluates no more")
    parser.add_argument("--json", type=pathlib.Path, help="where a line for each answer is written")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        return kernelbench_server(arguments.checkout, arguments.perf_trials)
    rows = []
    arguments.checkout = arguments.checkout.resolve()
    arguments.no_kernelbench |= arguments.no_gpu
    arguments.measured = not arguments.no_gpu
    found = [one for one in answers.answers() if any(text in f"{one[0]}/{one[2].name}" for text in arguments.only.split(","))]
    part, parts = map(int, arguments.part.split("/"))
    found = found[part - 1::parts]
    if arguments.most and len(found) > arguments.most:
        found = [found[i * len(found) // arguments.most] for i in range(arguments.most)]
    for level, number, path in found:
        text, twin = answers.read(path)
        task = (arguments.checkout / "KernelBench" / level / path.name).read_text()
        for kind, answer in (("answer", text), ("twin", twin))[:1 if arguments.no_twins else 2]:
            rows.append({"level": level, "id": number, "name": path.stem, "kind": kind, "answer": answer, "task": task, "backend": answers.language(text)})
    with tempfile.TemporaryDirectory() as builds:
        judge(rows, KernelBench(arguments.checkout, arguments.perf_trials, builds), arguments)


if __name__ == "__main__":
    main()
