"""Verification of a study's exam answers on several nodes of one core each, beside one worker with as many threads; both on this host.

    verification.py ROOT BIN STORE [NODES]     by a Python that has ray; STORE is of a finished study; TRL_HOME and TRL_PYTHON as for trl

Takes the distinct candidates of all exam stages in the store as one stage. Processes are started by a stage of a few candidates first. The rows of both must be equal but for their seconds.
"""
import collections
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

ROOT, BIN, STORE = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])
COUNT = int(sys.argv[4]) if len(sys.argv) > 4 else 4
sys.path.insert(0, str(ROOT / "tests/cluster"))
import nodes  # noqa: E402
from seats import Run  # noqa: E402

FEW = 2  # candidates for each node, to start processes with


def exam_of(store):
    """The spec of most exam stages, their tasks, and their distinct candidates."""
    folders = {path.parent.name: path.parent for path in store.glob("stages/*/*/stage.json")}
    stages = [json.loads((folder / "stage.json").read_text()) for folder in folders.values()]
    exams = collections.defaultdict(list)
    for stage in stages:
        if stage["kind"] == "verify" and stage["spec"].get("strict"):
            exams[json.dumps(stage["spec"], sort_keys=True)].append(stage)
    spec, of_spec = max(exams.items(), key=lambda entry: len(entry[1]))
    tasks, candidates = {}, {}
    for stage in of_spec:
        there = json.loads((folders[stage["inputs"]["tasks"]] / "tasks.json").read_text())
        for line in (folders[stage["inputs"]["candidates"]] / "candidates.jsonl").read_text().splitlines():
            row = json.loads(line)
            task = there[row["task"]]
            number = list(tasks).index(task["key"]) if task["key"] in tasks else len(tasks)
            tasks.setdefault(task["key"], task)
            candidates.setdefault((number, row["answer"]), row | {"task": number, "sample": len(candidates)})
    return json.loads(spec), list(tasks.values()), list(candidates.values())


def rows_of(output):
    return [{name: value for name, value in json.loads(line).items() if name not in ("seconds", "spent")} for line in (output / "verdicts.jsonl").read_text().splitlines()]


def alone(folder, inputs, few, spec):
    """One worker with a thread for each node."""
    ours, theirs = socket.socketpair()
    worker = subprocess.Popen([BIN / "trl-worker", "--protocol-fd", str(theirs.fileno())], pass_fds=[theirs.fileno()], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    theirs.close()
    lines = ours.makefile("rb")
    for number, (secret, given) in enumerate((("b" * 64, few), ("a" * 64, inputs))):
        output = folder / f"alone-{number}"
        begun = time.monotonic()
        ours.sendall(json.dumps({"id": number, "stage": "verify", "spec": spec, "inputs": given, "output": str(output), "secret": secret, "sandbox": True, "threads": COUNT, "device": "cpu"}).encode() + b"\n")
        while (event := json.loads(lines.readline()))["event"] not in ("done", "error"):
            pass
        assert event["event"] == "done", event
    worker.kill()
    return output, time.monotonic() - begun


def together(folder, inputs, few, spec):
    """A seat on each node."""
    cluster = nodes.Nodes(str(folder), COUNT, 1)
    run = Run(ROOT, folder, cluster.address, {}, BIN)
    for _ in range(COUNT):
        run.seat()
    for number, (secret, given) in enumerate((("b" * 64, few), ("a" * 64, inputs))):
        meeting = folder / f"meeting-{number}"
        meeting.mkdir()
        begun = time.monotonic()
        outputs = [run.begin("verify", seat=rank, spec=spec, inputs=given, secret=secret, group={"rank": rank, "size": COUNT, "meeting": str(meeting)}) for rank in range(COUNT)]
        ends = [run.events(rank)[-1] for rank in range(COUNT)]
        seconds = time.monotonic() - begun
        assert {event["event"] for event in ends} == {"done"}, ends
    run.close()
    cluster.end()
    return outputs[0], seconds


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        spec, tasks, candidates = exam_of(STORE)
        for name, rows in (("candidates", candidates), ("few", candidates[:: max(1, len(candidates) // (FEW * COUNT))])):
            (folder / name).mkdir()
            (folder / name / "candidates.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        (folder / "tasks").mkdir()
        (folder / "tasks/tasks.json").write_text(json.dumps(tasks))
        inputs, few = ({"candidates": str(folder / name), "tasks": str(folder / "tasks")} for name in ("candidates", "few"))
        one, seconds_alone = alone(folder, inputs, few, spec)
        other, seconds_together = together(folder, inputs, few, spec)
        assert rows_of(one) == rows_of(other), "the rows differ"
        assert (one / "plans.jsonl").read_bytes() == (other / "plans.jsonl").read_bytes(), "the plans differ"
        print(f"{len(candidates)} candidates of {len(tasks)} tasks on {os.cpu_count()} cores: {seconds_alone:.1f} s by one worker of {COUNT} threads, "
              f"{seconds_together:.1f} s by {COUNT} nodes of one core: {seconds_alone / seconds_together:.2f} ×; the same bytes but for seconds")


if __name__ == "__main__":
    main()
