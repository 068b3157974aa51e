"""What HTTP adds to a verdict, and how many verdicts and replies a second there are.

One warm candidate is judged in turn by a worker slot on a pipe and by a server with one slot; both do the same work. Then several
clients ask a server with more slots. With --front the slots are stand-ins that answer at once, so that the front alone is measured.

  TRL=build/release/bin/trl tests/benchmarks/service/latency.py --times 200
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "serve"))
from candidates import CANDIDATES
from server import Server

TASK, ANSWER = CANDIDATES["right"]


class Kept:
    """A client that keeps its connection."""

    def __init__(self, server):
        self.connection = server.connection()

    def __call__(self, body):
        self.connection.request("POST", "/v1/verify", body)
        reply = self.connection.getresponse()
        text = reply.read()
        assert reply.status == 200, text
        return text


class Pipe:
    """A worker slot without a server in front of it."""

    def __init__(self, task, spec):
        program = os.environ.get("TRL_VERIFY") or str(pathlib.Path(os.environ["TRL"]).parent / "trl-verify")
        self.process = subprocess.Popen([program, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.say({"sandbox": True, "measured": False})
        self.request = {"id": "1", "task": task, "own": True, "spec": spec, "secret": "0" * 64, "deadline_s": 57, "publish": True}

    def say(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def __call__(self, answer):
        assert "row" in self.say({**self.request, "answer": answer})


def task_in(server):
    """The task as JSON, from the stage that the server stored at its start."""
    for file in pathlib.Path(server.store).glob("stages/*/*/tasks.json"):
        return next(task for task in json.loads(file.read_text()) if f"{task['suite']}/{task['id']}" == TASK)
    raise AssertionError("the server stored no tasks")


def quantiles(seconds):
    ordered = sorted(1000 * one for one in seconds)
    return ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100]


def timed(call, *arguments):
    begun = time.perf_counter()
    call(*arguments)
    return time.perf_counter() - begun


def throughput(server, clients, times):
    def one(_):
        ask, body = Kept(server), json.dumps({"task": TASK, "answer": ANSWER})
        for _ in range(times):
            ask(body)

    with concurrent.futures.ThreadPoolExecutor(clients) as pool:
        return clients * times / timed(lambda: list(pool.map(one, range(clients))))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--slots", type=int, default=2)
    parser.add_argument("--front", help="a stand-in for trl-verify: build/release/bin/fake-verify")
    options = parser.parse_args()
    if options.front:
        os.environ["TRL_VERIFY"] = options.front
    with Server("--slots", "1") as server:
        spec = server.get("/v1/protocols")[1]["protocols"]["exam"]
        task = task_in(server)
        pipe, ask, body = Pipe(task, spec), Kept(server), json.dumps({"task": TASK, "answer": ANSWER})
        for _ in range(5):
            pipe(ANSWER), ask(body)
        by_pipe, by_http = [], []
        for _ in range(options.times):
            by_pipe.append(timed(pipe, ANSWER))
            by_http.append(timed(ask, body))
        pipe.process.stdin.close()
    (half, most), (half_http, most_http) = quantiles(by_pipe), quantiles(by_http)
    print(f"a warm candidate, {options.times} times: in a slot median {half:.2f} ms, 99 % {most:.2f} ms; "
          f"over HTTP median {half_http:.2f} ms, 99 % {most_http:.2f} ms; difference of medians {half_http - half:.2f} ms")
    with Server("--slots", str(options.slots), "--no-store") as server:
        throughput(server, options.clients, 2)
        print(f"{options.clients} clients, {options.slots} slots: {throughput(server, options.clients, options.times // 4):.1f} verdicts a second")
    return 0


if __name__ == "__main__":
    sys.exit(main())
