#!/usr/bin/env python3
"""A stand-in for trl-worker: it speaks the worker's protocol, and its stages show what a seat of a cluster must do right.

    worker.py --protocol-fd N

`copy` writes every input into its output; `count` counts to spec.steps, a checkpoint after each, and dies after spec.dies of them, or stops after spec.stops;
`verify` writes a row for each candidate, and plans.jsonl; `fail` is an error; `secret` writes which secret it was given.
"""
import hashlib
import json
import os
import pathlib
import signal
import socket
import sys
import threading
import time

channel = socket.socket(fileno=int(sys.argv[sys.argv.index("--protocol-fd") + 1]))
cancelled = set()


def say(request, event, **more):
    channel.sendall(json.dumps({"id": request["id"], "event": event, **more}).encode() + b"\n")


def copy(request):
    for name, folder in request["inputs"].items():
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.is_file():
                target = pathlib.Path(request["output"], name, path.relative_to(folder))
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(path.read_bytes())
        pathlib.Path(request["output"], f"{name}.json").write_text(json.dumps({"of": "/".join(pathlib.Path(folder).parts[-3:])}))
    return {"inputs": len(request["inputs"])}


def count(request):
    folder = pathlib.Path(request["checkpoint"]["folder"])
    folder.mkdir(parents=True, exist_ok=True)
    kept, steps = folder / "training.safetensors", request["spec"]["steps"]
    done = int(kept.read_text()) if kept.exists() else 0
    if done:
        say(request, "resumed", done=done, total=steps)
    while done < steps:
        if request["id"] in cancelled:
            return None
        time.sleep(request["spec"].get("seconds", 0))
        done += 1
        (folder / "new").write_text(str(done))
        os.replace(folder / "new", kept)
        say(request, "progress", done=done, total=steps, unit="steps")
        if done == request["spec"].get("dies"):
            print("the last words", flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
        if done == request["spec"].get("stops"):
            os.kill(os.getpid(), signal.SIGSTOP)
    pathlib.Path(request["output"], "sum").write_text(str(sum(range(steps + 1))))
    return {"steps": steps}


def verify(request):
    rows = [json.loads(line) for line in pathlib.Path(request["inputs"]["candidates"], "candidates.jsonl").read_text().splitlines()]
    first, verdicts, plans = {}, "", {}
    for number, row in enumerate(rows):
        time.sleep(request["spec"].get("seconds", 0))
        if request["id"] in cancelled:
            return None
        verdict = hashlib.sha256((request["secret"] + row["answer"]).encode()).hexdigest()
        verdicts += json.dumps({"task": row["task"], "sample": row["sample"], "verdict": verdict}) + "\n"
        plans.setdefault(first.setdefault((row["task"], row["answer"]), number), []).append(number)
        say(request, "progress", done=number + 1, total=len(rows), unit="candidates")
    pathlib.Path(request["output"], "verdicts.jsonl").write_text(verdicts)
    pathlib.Path(request["output"], "plans.jsonl").write_text("".join(
        json.dumps({"rows": same, "task": rows[number]["task"], "seal": rows[number]["answer"]}, separators=(",", ":")) + "\n" for number, same in plans.items()))
    return {"candidates": len(rows), "seconds": 0.0, "spent": {"record": 1.5}}


def secret(request):
    pathlib.Path(request["output"], "secret").write_text(request["secret"])
    return {}


def fail(request):
    say(request, "error", message="there is no such thing", help="say another")


stages = {"copy": copy, "count": count, "verify": verify, "secret": secret, "fail": fail}


def carry_out(request):
    summary = stages[request["stage"]](request)
    if request["id"] in cancelled:
        say(request, "error", message="cancelled", help="", cancelled=True)
    elif summary is not None:
        say(request, "done", summary=summary, made_on={"device": "cpu"})


for line in channel.makefile("rb"):
    message = json.loads(line)
    if message.get("cancel"):
        cancelled.add(message["id"])
    elif message.get("shutdown"):
        break
    else:
        threading.Thread(target=carry_out, args=(message,), daemon=True).start()
