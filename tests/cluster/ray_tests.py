"""A study on a real Ray cluster of several nodes on this host: the same bytes as on this machine alone, whoever is killed meanwhile.

    ray_tests.py BIN [KILLS [NODES [STUDY]]]     by a Python that has ray; exit status 77 without it

Of KILLS (3) each, in turn, at a moment that is drawn: an actor (SIGKILL), a node (its raylet, SIGKILL; another comes for it), the program between
`trl` and Ray, and `trl` itself, which is started again. Nodes share no file with the head (TRL_CLUSTER_COPIES).
"""
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

try:
    import ray  # noqa: F401
except ImportError:
    print(f"skipped: {sys.executable} has no ray")
    sys.exit(77)
import nodes

HERE = pathlib.Path(__file__).resolve().parent
# Figures that another run may give otherwise: how long something took, and what follows from it.
MEASURED = {"seconds", "spent", "peak_bytes"}
# What stage.json says beside the result: digests of files, which are compared themselves, and the worker's threads.
RECORDED = {"files", "sha256", "threads"}


def without_measured(value):
    if isinstance(value, dict):
        return {name: without_measured(part) for name, part in value.items() if name not in MEASURED | RECORDED}
    return [without_measured(part) for part in value] if isinstance(value, list) else value


def contents(folder):
    """The files of a stage: bytes, and of JSON what isn't measured."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.name in ("stage.json", "verdicts.jsonl"):
            found[path.name] = [without_measured(json.loads(line)) for line in ([path.read_text()] if path.name == "stage.json" else path.read_text().splitlines())]
        elif path.is_file():
            found[str(path.relative_to(folder))] = path.read_bytes()
    return found


def differences(one, other):
    """What two stores have that isn't equal."""
    stages = [{path.parent.name: path.parent for path in (store / "stages").glob("*/*/stage.json")} for store in (one, other)]
    for key in sorted(stages[0].keys() | stages[1].keys()):
        if not all(key in store for store in stages):
            yield f"{key} is in one store alone"
            continue
        first, second = (contents(store[key]) for store in stages)
        yield from (f"{first['stage.json'][0]['slot']}: {name}" for name in sorted(first.keys() | second.keys()) if first.get(name) != second.get(name))


def made_twice(store):
    """The stages that were stored twice, by the store's log."""
    with sqlite3.connect(store / "index.sqlite") as index:
        done = [text for (text,) in index.execute("SELECT text FROM events WHERE text LIKE 'finished: %'")]
    return sorted({slot for slot in done if done.count(slot) > 1})


def processes(mark, *words):
    """The processes with all of these words in their command lines, and `mark`, a folder or an address, in their environments or folders."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            of_run = (folder / "environ").read_bytes().decode(errors="replace") + os.readlink(folder / "cwd")
        except OSError:
            continue
        if mark in of_run and all(word in command for word in words):
            found.append(int(folder.name))
    return found


class Study:
    def __init__(self, binary, folder, address, study):
        self.trl, self.folder, self.address = str(pathlib.Path(binary, "trl")), folder, address
        self.file = folder / pathlib.Path(study).name
        shutil.copy(study, self.file)
        self.environment = os.environ | {"RAY_ADDRESS": address, "TRL_RAY_PYTHON": sys.executable, "TRL_CLUSTER_COPIES": "always", "NO_COLOR": "1"}

    def begin(self, store, *more):
        command = [self.trl, "run", str(self.file), "--store", str(self.folder / store), "--out", str(self.folder / f"{store}-out"), *more]
        return subprocess.Popen(command, env=self.environment, cwd=self.folder, stdout=open(self.folder / f"{store}.log", "ab"), stderr=subprocess.STDOUT)


def kill_one(kind, study, run, cluster):
    """Kills something; says what, or nothing if there was none."""
    if kind == "node":
        cluster.kill(random.randrange(len(cluster.nodes)))
        cluster.add()
        return kind
    found = {"actor": lambda: processes(str(study.folder), "ray::Seat"), "engine": lambda: processes(study.address, "engine.py", "--protocol-fd"), "trl": lambda: [run.pid]}[kind]()
    if not found:
        return None
    try:
        os.kill(random.choice(found), signal.SIGKILL)
    except ProcessLookupError:
        return None
    return kind


def main(binary, kills=3, count=4, study=HERE.parent / "end_to_end/miniature.trl"):
    kills, problems = int(kills), []
    with tempfile.TemporaryDirectory(prefix="trl-ray-") as folder:
        folder = pathlib.Path(folder)
        cluster = nodes.Nodes(str(folder), int(count))
        whole = Study(binary, folder, cluster.address, study)
        begun = time.monotonic()
        assert whole.begin("local").wait() == 0, (folder / "local.log").read_text()
        alone = time.monotonic() - begun
        for store in ("ray", "killed"):
            (folder / store).mkdir()
            shutil.copy(folder / "local/secret", folder / store / "secret")
        begun = time.monotonic()
        assert whole.begin("ray", "--on", "ray").wait() == 0, (folder / "ray.log").read_text() + (folder / "ray/cluster.log").read_text()
        together = time.monotonic() - begun
        print(f"on this machine {alone:.0f} s; on {count} nodes of one core, which share its cores, {together:.0f} s", flush=True)

        random.seed(time.time_ns())
        killed, kinds = [], ["actor", "node", "engine", "trl"]
        if kills:
            begin = lambda: whole.begin("killed", "--on", "ray", "--checkpoint-every", "0")
            run = begin()
            while True:
                time.sleep(random.uniform(1, 12))
                if run.poll() is None:
                    if len(killed) < kills and (kind := kill_one(kinds[len(killed) % 4], whole, run, cluster)):
                        killed.append(kind)
                        print(f"{len(killed)}: killed one: {kind}", flush=True)
                    continue
                if run.returncode not in (0, -signal.SIGKILL):
                    problems.append(f"trl ended with {run.returncode}: " + (folder / "killed.log").read_text()[-2000:])
                    break
                if run.returncode == 0:
                    problems += [f"killed: {one}" for one in differences(folder / "local", folder / "killed")]
                    problems += [f"made twice: {slot}" for slot in made_twice(folder / "killed")]
                    if len(killed) >= kills:
                        break
                    # Too fast for so many: from nothing again.
                    shutil.rmtree(folder / "killed/stages")
                    (folder / "killed/index.sqlite").unlink()
                run = begin()
            print("killed:", ", ".join(f"{killed.count(kind)} × {kind}" for kind in kinds), flush=True)
        for store in ("ray", "killed") if kills else ("ray",):
            problems += [f"{store}: {one}" for one in differences(folder / "local", folder / store)]
            problems += [f"{store}: made twice: {slot}" for slot in made_twice(folder / store)]
            for table in (folder / "local-out").glob("*/*.values.csv"):
                if table.read_bytes() != (folder / f"{store}-out" / table.relative_to(folder / "local-out")).read_bytes():
                    problems.append(f"{store}: {table.name} has other bytes")
        time.sleep(3)
        left = {mark: processes(mark, name) for mark, name in ((str(folder), "trl-"), (cluster.address, "engine.py"), (str(folder), "ray::Seat"))}
        problems += [f"processes are left: {found}" for found in left.values() if found]
        problems += [f"a folder is left: {left}" for left in folder.glob("node*/work/*") if not kills]
        problems += [f"a file is left: {left}" for store in ("ray", "killed") for left in (folder / store).glob("tmp-*")]
        cluster.end()
    print("\n".join(problems) or "the same bytes, every stage made once, no process left")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
