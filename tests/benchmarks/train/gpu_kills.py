"""Kills processes of runs on several GPUs: gpu_kills.py [TRL] [--kills N] [--stops N] [--kinds rank leader all stop] [--model SIZE] [--within SECONDS] [--seed N] [--gpus N] [--cpu] [--no-sandbox]

The real `trl run` trains a randomly initialised model on all GPUs, or N of them, and samples an exam from it. At random moments, which the seed determines, kill -9 ends one rank
that isn't the leader, the leader (rank 0), or trl with all of its processes, N times each; after that the run goes on by itself or is started again. SIGSTOP
stops one rank, which trl must name within a minute. Whatever happened, each stored file and each table must have the bytes of an undisturbed run, and no process may
be left. Results are printed as they come, a table at the end; the exit status is 1 if anything is missing or differs. --cpu tries all this without a GPU: two
processes on the CPU, between which and trl a relay of this script stands.
"""
import argparse
import array
import collections
import contextlib
import ctypes
import hashlib
import json
import math
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from programs import default_program
from random_model import head_of, shapes_of

# hidden, intermediate, layers, heads, heads of keys: Qwen2.5's sizes, and one for CPUs. The vocabulary is the embedded model's.
SIZES = {"tiny": (64, 160, 2, 4, 2), "0.5B": (896, 4864, 24, 14, 2), "1.5B": (1536, 8960, 28, 12, 2), "7B": (3584, 18944, 28, 28, 4)}
STUDY = """
import windtunnel
model base {{ weights = path("model"), precision = bf16 }}
lora writer {{ rank = 16, alpha = 32, dropout = 5%, targets = all_linear }}
split held_out = windtunnel.level1[55..60]
train imitate : sft {{
  data = windtunnel.corpus(level1 = 40, level2 = 0, flawed = 50%, exclude = held_out)
  epochs = {epochs}, batch = 8, learning_rate = 1e-4, warmup = 10%, schedule = cosine
}}
evaluation exam {{ split = held_out, samples = {samples}, temperature = 1, max_tokens = {tokens} }}
experiment study {{ model = base, adapter = writer, train = imitate, evaluate = exam }}
table main {{ of = study, rows = cells, columns = [valid, compiled, correct] }}
"""
RANK, LEADER, ALL, STOP = "one rank", "the leader", "all", "SIGSTOP"
KINDS = {"rank": RANK, "leader": LEADER, "all": ALL, "stop": STOP}
# Of a rank: trl gives up a stage that has crashed five times.
KILLS_OF_A_RUN = {RANK: 5, LEADER: 5, ALL: 10}
NAMED_WITHIN = 60
TOGETHER = {"finetune", "sample"}  # the stages of this study that several processes carry out together


def relay(program):
    """Stands between trl and a worker on the CPU: to the one it is a worker with a GPU, to the other trl with --device cpu."""
    with socket.socket(fileno=int(sys.argv[sys.argv.index("--protocol-fd") + 1])) as towards_trl:
        ours, its = socket.socketpair()
        die_with_us = ctypes.CDLL(None, use_errno=True).prctl
        worker = subprocess.Popen([program, "--protocol-fd", str(its.fileno())], pass_fds=[its.fileno()],
                                  preexec_fn=lambda: die_with_us(1, signal.SIGKILL))
        its.close()

        def answers():
            while sent := ours.recv(1 << 16):
                towards_trl.sendall(sent)
            # As the worker ended, so do we.
            status = worker.wait()
            if status < 0:
                os.kill(os.getpid(), -status)
            os._exit(status)

        threading.Thread(target=answers, daemon=True).start()
        for line in towards_trl.makefile("rb"):
            request = json.loads(line)
            if "device" in request:
                request["device"] = "cpu"
            ours.sendall(json.dumps(request).encode() + b"\n")
        ours.shutdown(socket.SHUT_WR)
        worker.wait()


def pretend_gpus(folder, count, worker):
    """The environment of a machine with so many GPUs, on which workers use the CPU."""
    (folder / "bin").mkdir()
    lines = "".join(f"echo 'GPU {i}: NVIDIA H200 (UUID: GPU-{i})'\n" for i in range(count))
    scripts = {"nvidia-smi": f"#!/bin/sh\n{lines}", "worker": f"#!/bin/sh\nexec {sys.executable} {pathlib.Path(__file__).resolve()} --relay {worker} \"$@\"\n"}
    for name, text in scripts.items():
        (folder / "bin" / name).write_text(text)
        (folder / "bin" / name).chmod(0o755)
    return dict(PATH=f"{folder / 'bin'}:{os.environ['PATH']}", TRL_WORKER=str(folder / "bin/worker"), OMP_NUM_THREADS="1",
                TRL_GPU_LOCKS=str(folder / "locks"))


def write_model(folder, size, home):
    """A model with the embedded one's tokenizer, whose weights are random."""
    hidden, inner, layers, heads, kv_heads = SIZES[size]
    embedded = home / "stdlib/windtunnel"
    folder.mkdir()
    shutil.copy(embedded / "tokenizer.json", folder)
    config = json.loads((embedded / "config.json").read_text())
    config.update(hidden_size=hidden, intermediate_size=inner, num_hidden_layers=layers, num_attention_heads=heads, num_key_value_heads=kv_heads,
                  torch_dtype="bfloat16", tie_word_embeddings=True)
    config.pop("head_dim", None)
    config.pop("layer_types", None)
    (folder / "config.json").write_text(json.dumps(config))
    shapes = shapes_of(config)
    head, size_of_all = head_of(shapes)
    draws = random.Random(1)
    # The upper half of a float's bits is its bfloat16.
    normal = array.array("H", array.array("f", (draws.gauss(0, 0.02) for _ in range(1 << 18))).tobytes())[1::2].tobytes()
    ones = array.array("H", [0x3F80]).tobytes()
    with open(folder / "model.safetensors", "wb") as out:
        out.write(head)
        for name, shape in shapes.items():
            left = 2 * math.prod(shape)
            if name.endswith("norm.weight"):
                out.write(ones * (left // 2))
                continue
            while left > 0:
                begin = 2 * draws.randrange(len(normal) // 4)
                piece = normal[begin:begin + min(left, len(normal) // 2)]
                out.write(piece)
                left -= len(piece)
    return size_of_all


def read_of(process, what):
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{process}/{what}").read_bytes()
    return b""


def children_of_all():
    """The processes of this machine, by their parents."""
    children = collections.defaultdict(list)
    for entry in os.scandir("/proc"):
        if entry.name.isdigit() and (stat := read_of(entry.name, "stat")):
            fields = stat[stat.rindex(b")") + 2:].split()
            if fields[0] not in b"ZX":
                children[int(fields[1])].append(int(entry.name))
    return children


def descendants(process, children=None):
    children = children or children_of_all()
    return [one for child in children[process] for one in (child, *descendants(child, children))]


def alive(process):
    stat = read_of(process, "stat")
    return bool(stat) and stat[stat.rindex(b")") + 2:].split()[0] not in b"ZX"


def end(processes, how=signal.SIGKILL):
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, how)


class Run:
    """One study in a store of its own; trl is started again as often as it takes."""

    def __init__(self, bench, name, gpus):
        self.bench, self.gpus, self.name = bench, gpus, name
        self.store, self.out, self.log = (bench.folder / name / part for part in ("store", "out", "log"))
        self.store.mkdir(parents=True)
        self.started = self.read = 0
        for file in bench.prepared:
            to = self.store / file.relative_to(bench.like)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, to)
        self.start()

    def start(self):
        self.started += 1
        self.read = self.log.stat().st_size if self.log.exists() else 0
        with open(self.log, "ab") as log:
            command = [self.bench.trl, "run", "study.trl", "--store", str(self.store), "--out", str(self.out), "--gpus", str(len(self.gpus)),
                       "--checkpoint-every", "0" if self.bench.given.cpu else "1", *(["--no-sandbox"] if self.bench.given.no_sandbox else [])]
            self.process = subprocess.Popen(command, cwd=self.bench.folder, stdout=log, stderr=log,
                                            env=dict(self.bench.environment, CUDA_VISIBLE_DEVICES=",".join(self.gpus)))

    def ended(self):
        return self.process.poll() is not None

    def ranks(self):
        """The processes of the group, by rank: the log into which each writes has the number of its GPU among those of the run, but for the first's."""
        found = {}
        for process in children_of_all()[self.process.pid]:
            with contextlib.suppress(OSError):
                if log := re.search(r"/worker(?:-\d+)?(?:\.(\d+))?\.log$", os.readlink(f"/proc/{process}/fd/1")):
                    found[int(log[1] or 0)] = process
        found = {rank: found[rank] for rank in range(len(self.gpus)) if rank in found}
        return found

    def running(self):
        """The kind of the stage that runs, and how much of it is done."""
        for file in (self.store / "running").glob("*.json"):
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                told = json.loads(file.read_text())
                if told["process"] == self.process.pid:
                    return told["stage"].rsplit("/", 1)[-1].split(" ")[0], told["done"] or 0, told["all"] or 0
        return "", 0, 0

    def said(self):
        """What the last trl that was started has printed, without the line breaks within sentences."""
        return " ".join(self.log.read_bytes()[self.read:].decode(errors="replace").split())

    def files(self):
        """The SHA-256 of each stored file and each table. What stage.json has besides are seconds."""
        found = {}
        for stage in self.store.glob("stages/*/*/stage.json"):
            slot = json.loads(stage.read_text())["slot"]
            for file in stage.parent.iterdir():
                if file.name != "stage.json":
                    found[f"{slot}: {file.name}"] = hashlib.sha256(file.read_bytes()).hexdigest()
        for file in self.out.glob("*/*.csv"):
            found[f"table {file.name}"] = hashlib.sha256(file.read_bytes()).hexdigest()
        return found

    def finish(self):
        """Waits for the end, and starts trl again where it gave up. Returns what is wrong."""
        while self.process.wait() != 0:
            if self.started > 60:
                return [f"trl can't go on: …{self.said()[-600:]}"]
            self.start()
        found, expected = self.files(), self.bench.expected
        return [f"{self.name}: {name} {'is missing' if name not in found else 'is new' if name not in expected else 'differs'}"
                for name in sorted(found.keys() | expected.keys()) if found.get(name) != expected.get(name)]


class Row:
    """What happened at the kills of one kind."""

    def __init__(self):
        self.kills = self.itself = self.again = self.same = 0
        self.seconds = []


class Bench:
    def __init__(self, given, folder, gpus, environment):
        self.given, self.folder, self.gpus, self.environment = given, folder, gpus, environment
        self.trl, self.draws, self.kinds = given.trl, random.Random(given.seed), [KINDS[kind] for kind in given.kinds]
        self.prepared, self.like, self.expected = [], None, {}
        self.begun, self.wrong = time.monotonic(), []
        self.rows = {kind: Row() for kind in (RANK, LEADER, ALL, STOP)}
        self.steps, self.lasts = 0, {}
        self.runs = 0

    def left(self):
        return self.given.within - (time.monotonic() - self.begun)

    def undisturbed(self):
        """Makes what is expected, and sees how long it takes by a group. A single GPU stores the same."""
        begun = time.monotonic()
        run = Run(self, "first", self.gpus)
        if run.process.wait():
            sys.exit(f"gpu_kills.py: the undisturbed run fails: {run.said()[-2000:]}")
        self.like, self.expected = run.store, run.files()
        print(f"first run: {time.monotonic() - begun:.1f} s; adapter {self.digest('adapter_model.safetensors')}, answers {self.digest('candidates.jsonl')}",
              flush=True)
        # What isn't disturbed needn't be made in each run: the tasks, the corpus, and the exam of the model as it was. What is left is done by all GPUs together.
        for stage in run.store.glob("stages/*/*/stage.json"):
            told = json.loads(stage.read_text())
            if told["kind"] not in {*TOGETHER, "verify"} or not told["slot"].startswith("imitate/"):
                self.prepared += list(stage.parent.iterdir())
        self.prepared += [run.store / name for name in ("secret", "file_digests.json") if (run.store / name).exists()]
        begun = time.monotonic()
        run, times = Run(self, "undisturbed", self.gpus), collections.defaultdict(list)
        while not run.ended():
            kind, done, of = run.running()
            if kind in TOGETHER and len(run.ranks()) == len(self.gpus):
                if kind == "finetune":
                    self.steps = max(self.steps, of)
                times[kind].append(time.monotonic())
                if done == 0:
                    times[f"{kind} before its first part"].append(time.monotonic())
            time.sleep(0.005)
        self.lasts = {what: seen[-1] - seen[0] for what, seen in times.items()}
        self.wrong += run.finish()
        if not TOGETHER <= self.lasts.keys() or self.steps < 2 or len(self.gpus) > 1 and "finetune on GPUs " not in run.said():
            sys.exit(f"gpu_kills.py: the stages that are killed weren't seen: {self.steps} steps, {self.lasts}: {run.said()[-1000:]}")
        seconds = ", ".join(f"{what} {seconds:.2f} s" for what, seconds in self.lasts.items())
        print(f"undisturbed, by {len(self.gpus)} processes: {time.monotonic() - begun:.1f} s, {self.steps} steps; {seconds}", flush=True)
        if len(self.gpus) == 1:
            return
        begun = time.monotonic()
        self.wrong += Run(self, "alone", self.gpus[:1]).finish()
        print(f"one of the GPUs alone: {time.monotonic() - begun:.1f} s; {'; '.join(self.wrong) or 'all have the same bytes'}", flush=True)

    def digest(self, file):
        return next((digest[:16] for name, digest in self.expected.items() if name.endswith(": " + file)), "none")

    def moments(self, count):
        """When to act: so far in a stage, in the order in which they come, and so many seconds later. A quarter of them is before anything is done."""
        found = []
        for _ in range(count):
            # Sampling tells of its first answers late, so that its moments are of time alone.
            if self.draws.random() < 1 / 3:
                found.append(("sample", 0, self.draws.random() * self.lasts["sample"]))
            elif self.draws.random() < 1 / 4:
                found.append(("finetune", 0, self.draws.random() * self.lasts.get("finetune before its first part", 0)))
            else:
                found.append(("finetune", 1 + self.draws.randrange(self.steps - 1), self.draws.random() * 0.1))
        return sorted(found)

    def await_moment(self, run, moment):
        """Waits for a moment. Returns the ranks then, none if the run has ended before."""
        kind, done, later = moment
        order = ("finetune", "sample")
        while not run.ended():
            now, so_far, _ = run.running()
            if now in order and (now == kind and so_far >= done or order.index(now) > order.index(kind)):
                if len(ranks := run.ranks()) == len(self.gpus):
                    time.sleep(later)
                    if not run.ended() and run.running()[0] in order and run.ranks() == ranks:
                        return ranks
            time.sleep(0.005)
        return {}

    def kill(self, kind, wanted):
        """Kills in one run, up to so many times."""
        self.runs += 1
        run, begun, count, itself, row = Run(self, f"run {self.runs}", self.gpus), time.monotonic(), 0, 0, self.rows[kind]
        reached = 0  # the steps that were done at the kill before
        for moment in self.moments(wanted):
            if kind != ALL and moment[0] == "finetune" and reached:
                # trl gives up a stage that crashes again before it got further: the next run would go on, and does for the kind "all".
                moment = ("finetune", max(moment[1], reached + 1), moment[2])
            ranks = self.await_moment(run, moment)
            if not ranks and run.process.returncode:  # it gave up after the kill before
                itself -= 1
                run.start()
                ranks = self.await_moment(run, moment)
            if not ranks:
                break
            count += 1
            stage, done, _ = run.running()
            reached = max(reached, done if stage == "finetune" else 0)
            trl = run.process.pid
            whole = [trl, *descendants(trl)]
            if kind == ALL:
                self.draws.shuffle(whole)
                end(whole)
                run.process.wait()
                self.expect_none_left(whole)
                run.start()
                continue
            victim = ranks[0 if kind == LEADER else self.draws.randrange(1, len(ranks))]
            end([victim, *descendants(victim)])
            itself += 1
            # All ranks are started anew.
            while not run.ended() and set(run.ranks().values()) & set(ranks.values()):
                time.sleep(0.005)
        restarts = run.started
        wrong = run.finish()
        if run.started > restarts:
            itself -= run.started - restarts
        row.kills += count
        row.itself += itself
        row.again += count - itself
        row.same += 0 if wrong else count
        if count:
            row.seconds += [(time.monotonic() - begun) / count] * count
        self.wrong += wrong
        self.tell(kind, run, wrong, f"{count} kills, {itself} times gone on by itself")

    def stop(self):
        """Stops one rank by SIGSTOP."""
        self.runs += 1
        run, begun, row = Run(self, f"run {self.runs}", self.gpus), time.monotonic(), self.rows[STOP]
        ranks = self.await_moment(run, ("finetune", self.draws.randrange(self.steps // 2), 0))
        if not ranks:
            self.wrong.append(f"the run ended before a rank was stopped: {run.said()[-300:]}")
            return
        rank = self.draws.randrange(min(1, len(ranks) - 1), len(ranks))
        victims = [ranks[rank], *descendants(ranks[rank])]
        end(victims, signal.SIGSTOP)
        stopped = time.monotonic()
        name = f"(process {ranks[rank]}) hasn't answered"
        while name not in run.said() and not run.ended() and time.monotonic() < stopped + 2 * NAMED_WITHIN:
            time.sleep(0.05)
        named = time.monotonic() - stopped
        if name not in run.said() or named > NAMED_WITHIN:
            self.wrong.append(f"SIGSTOP of rank {rank} wasn't named within {NAMED_WITHIN} s: {run.said()[-300:]}")
        row.kills += 1
        itself = run.started
        wrong = run.finish()
        self.expect_none_left(victims)
        row.itself += run.started == itself
        row.again += run.started > itself
        row.same += not wrong
        row.seconds.append(time.monotonic() - begun)
        self.wrong += wrong
        said = run.said()
        self.tell(STOP, run, wrong, f"named after {named:.1f} s: “{said[max(0, said.find(name) - 20):][:120]}”")

    def expect_none_left(self, processes):
        deadline = time.monotonic() + 10
        while left := [process for process in processes if alive(process)]:
            if time.monotonic() > deadline:
                self.wrong.append(f"processes {left} were left")
                end(left)
                return
            time.sleep(0.01)

    def tell(self, kind, run, wrong, what):
        if not wrong:
            shutil.rmtree(run.store.parent)
        print(f"{time.monotonic() - self.begun:6.1f} s  {kind}: {what}, trl started {run.started} times, {'; '.join(wrong) or 'the same bytes'}", flush=True)

    def table(self):
        """Prints the table. Returns whether all is as it must be."""
        print(f"{'kind':<12}{'wanted':>8}{'kills':>8}{'gone on':>9}{'run again':>11}{'same bytes':>12}{'seconds each':>14}{'longest':>9}")
        whole = not self.wrong
        for kind, row in self.rows.items():
            if kind not in self.kinds:
                continue
            wanted = self.given.stops if kind == STOP else self.given.kills
            whole &= row.same == row.kills >= wanted
            each, longest = (f"{statistics.mean(row.seconds):.1f}", f"{max(row.seconds):.1f}") if row.seconds else ("–", "–")
            print(f"{kind:<12}{wanted:>8}{row.kills:>8}{row.itself:>9}{row.again:>11}{row.same:>12}{each:>14}{longest:>9}")
        for what in self.wrong:
            print(f"wrong: {what}")
        return whole

    def all(self):
        self.undisturbed()
        longest = 0.0
        for _ in range(self.given.stops if STOP in self.kinds else 0):
            self.stop()
        # In turns, so that each kind has its share of the time.
        while wanted := {kind: self.given.kills - self.rows[kind].kills for kind in (RANK, LEADER, ALL) if kind in self.kinds and self.rows[kind].kills < self.given.kills}:
            for kind, count in wanted.items():
                if self.left() < longest:
                    print(f"gpu_kills.py: the {self.given.within} seconds are over", flush=True)
                    return
                begun = time.monotonic()
                self.kill(kind, min(count, KILLS_OF_A_RUN[kind]))
                longest = max(longest, time.monotonic() - begun)


def command():
    """The command trl. A package has a script of that name, which finds torch's libraries."""
    packaged = pathlib.Path(__file__).resolve().parents[3] / "trl"
    return str(packaged) if (packaged.parent / "bin/trl").exists() else default_program("trl")


def gpus_here():
    """The entries of CUDA_VISIBLE_DEVICES, or the numbers of all GPUs."""
    if visible := os.environ.get("CUDA_VISIBLE_DEVICES"):
        return visible.split(",")
    with contextlib.suppress(FileNotFoundError):
        listed = subprocess.run(["nvidia-smi", "--list-gpus"], capture_output=True, text=True).stdout
        return [str(i) for i in range(sum(line.startswith("GPU ") for line in listed.splitlines()))]
    return []


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("trl", nargs="?", help="the command trl (default: the one of the package or of the build folder)")
    arguments.add_argument("--kills", type=int, default=20, help="of each kind (default: 20)")
    arguments.add_argument("--stops", type=int, default=1, help="how often a rank is stopped (default: 1)")
    arguments.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS), help="what is done (default: everything)")
    arguments.add_argument("--model", choices=SIZES)
    arguments.add_argument("--epochs", type=int, help="of 5 steps each")
    arguments.add_argument("--within", type=int, default=540, help="seconds after which no run begins (default: 540)")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--gpus", type=int, help="how many of them (default: all)")
    arguments.add_argument("--cpu", action="store_true")
    arguments.add_argument("--no-sandbox", action="store_true", help="as of trl run, for machines that allow none")
    given = arguments.parse_args()
    if given.epochs is None:
        given.epochs = 8 if given.cpu else 24
    size = given.model or ("tiny" if given.cpu else "0.5B")
    given.trl = given.trl or command()
    gpus = (["0", "1"] if given.cpu else gpus_here())[:given.gpus]
    if len(gpus) < (given.gpus or 2):
        print(f"gpu_kills.py: {len(gpus)} GPUs here, and a group takes two; --gpus 1 disturbs stages on one GPU, --cpu tries the script")
        return
    if len(gpus) == 1:
        given.kinds = [kind for kind in given.kinds if kind != "rank"]
    memory = pathlib.Path("/dev/shm")
    room = memory if not given.cpu and memory.is_dir() and shutil.disk_usage(memory).free > 40e9 else None
    with tempfile.TemporaryDirectory(dir=room) as made:
        folder = pathlib.Path(made)
        environment = dict(os.environ)
        if given.cpu:
            environment.update(pretend_gpus(folder, len(gpus), os.environ.get("TRL_WORKER") or default_program("trl-worker")))
        begun = time.monotonic()
        home = pathlib.Path(os.environ.get("TRL_HOME", pathlib.Path(__file__).resolve().parents[3]))
        bytes_of = write_model(folder / "model", size, home)
        (folder / "study.trl").write_text(STUDY.format(epochs=given.epochs, tokens=192 if given.cpu else 256, samples=1 if given.cpu else 4))
        print(f"{len(gpus)} {'processes on the CPU' if given.cpu else 'GPUs'}, a model of {size} ({bytes_of / 1e6:.0f} MB, written in "
              f"{time.monotonic() - begun:.1f} s), seed {given.seed}", flush=True)
        bench = Bench(given, folder, gpus, environment)
        try:
            bench.all()
        finally:
            whole = bench.table()
        if not whole:
            if bench.wrong:
                kept = pathlib.Path(tempfile.mkdtemp(prefix="gpu_kills."))
                for log in folder.glob("run*/log"):
                    shutil.copy(log, kept / f"{log.parent.name}.log")
                print(f"the logs are in {kept}")
            sys.exit(1)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--relay"]:
        relay(sys.argv[2])
    else:
        main()
