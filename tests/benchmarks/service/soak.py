"""Many clients of `trl serve`, a third of whose requests are hostile or malformed, while worker slots are killed.

Every answer has a verdict that is known beforehand and names a line that no other answer of its kind has, so that a verdict that
belongs to another request is seen. At the end the store must have each verdict once, beside its own answer.

  TRL=build/release/bin/trl tests/benchmarks/service/soak.py --requests 10000 --clients 64
"""

import argparse
import contextlib
import http.client
import json
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "serve"))
from candidates import CANDIDATES, TASK
from server import Server

DEADLINE = 30
HOSTILE = ("no JSON", "bad UTF-8", "no task", "unknown task", "too large", "no HTTP", "half a request", "gone", "endless", "exits")
EXPECTED = {"right": None, "wrong values": "wrong_values", "store out of bounds": "out_of_bounds_store", "no Python": "syntax_error"}
LINES = {"no Python": 1, "store out of bounds": 12}


class Client:
    """One client with a connection of its own, which counts what it got."""

    def __init__(self, number, server, requests, findings):
        self.number, self.server, self.requests, self.findings = number, server, requests, findings
        self.random = random.Random(number)
        self.latencies, self.verdicts, self.kinds, self.busy = [], {}, {}, 0
        self.connection = server.connection(120)

    def run(self):
        for request in range(self.requests):
            kind = self.random.choice(HOSTILE) if self.random.random() < 1 / 3 else self.random.choice(list(EXPECTED))
            self.kinds[kind] = self.kinds.get(kind, 0) + 1
            try:
                if kind in EXPECTED:
                    self.judge(kind, request)
                else:
                    getattr(self, kind.replace(" ", "_").replace("-", "_").lower())()
            except (OSError, http.client.HTTPException) as error:
                self.findings.append(f"client {self.number}, {kind}: {type(error).__name__} {error}")
                self.connection.close()

    def post(self, body, deadline=DEADLINE):
        begun = time.monotonic()
        try:
            self.connection.request("POST", "/v1/verify", body)
            reply = self.connection.getresponse()
            text = reply.read()
        except (ConnectionError, http.client.RemoteDisconnected):  # an idle connection that the server closed
            self.connection.close()
            self.connection.request("POST", "/v1/verify", body)
            reply = self.connection.getresponse()
            text = reply.read()
        took = time.monotonic() - begun
        if took > deadline + 1:
            self.findings.append(f"client {self.number}: a deadline of {deadline} s took {took:.1f} s")
        return reply.status, json.loads(text), took

    def judge(self, kind, request):
        lines = self.number * 1000 + request
        answer = "\n" * (lines % 500) + f"# {self.number} {request}\n" + CANDIDATES[kind][1]
        while True:
            status, row, took = self.post(json.dumps({"task": TASK, "answer": answer, "deadline_s": DEADLINE}))
            if status not in (429, 503):
                break
            self.busy += 1
            time.sleep(0.2)
        self.latencies.append(took)
        if status != 200:
            self.findings.append(f"{kind}: status {status}: {row}")
            return
        self.verdicts[row["id"]] = (answer, row["reason"])
        if row["reason"] != EXPECTED[kind]:
            self.findings.append(f"{kind}: {row['reason']} {row['message']}")
        elif kind in LINES and row["line"] != LINES[kind] + 1 + lines % 500:
            self.findings.append(f"{kind}: line {row['line']} instead of {LINES[kind] + 1 + lines % 500}")

    def expect(self, status, body):
        found, row, _ = self.post(body)
        if found != status:
            self.findings.append(f"status {found} instead of {status}: {row}")

    def no_json(self):
        self.expect(400, b'{"task": "level1/1", "answer"')

    def bad_utf_8(self):
        self.expect(400, b'{"task": "level1/1", "answer": "\xff\xc3\x28"}')

    def no_task(self):
        self.expect(400, json.dumps({"answer": "right"}))

    def unknown_task(self):
        self.expect(404, json.dumps({"task": "level1/12345", "answer": "right"}))

    def too_large(self):
        head = b"POST /v1/verify HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n"
        if not self.server.raw(head + b"x" * 50000).startswith(b"HTTP/1.1 413"):
            self.findings.append("a body that is too large isn't refused")

    def no_http(self):
        if not self.server.raw(self.random.randbytes(200) + b"\r\n\r\n").startswith(b"HTTP/1.1 400"):
            self.findings.append("bytes that aren't HTTP aren't refused")

    def half_a_request(self):
        with socket.create_connection(("127.0.0.1", self.server.port)) as peer:
            peer.sendall(b"POST /v1/verify HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")

    def gone(self):
        with contextlib.closing(self.server.connection()) as connection:
            connection.request("POST", "/v1/verify", json.dumps({"task": TASK, "answer": CANDIDATES["right"][1]}))

    def endless(self):
        if self.random.random() < 0.9:  # they take whole seconds of a slot
            return
        answer = "class ModelNew: pass\nwhile True: pass\n"
        status, row, _ = self.post(json.dumps({"task": TASK, "answer": answer, "deadline_s": 2}), 2)
        if status not in (429, 503) and row.get("reason") != "timeout":
            self.findings.append(f"endless: {status} {row.get('reason')}")

    def exits(self):
        answer = f"import os\nos._exit({self.random.randrange(100)})\nclass ModelNew: pass\n"
        status, row, _ = self.post(json.dumps({"task": TASK, "answer": answer}))
        if status not in (429, 503) and (status != 200 or row["correct"]):
            self.findings.append(f"exits: {status} {row}")


def rss(pid):
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmRSS"))


def slots_of(server):
    return [int(pid) for pid in subprocess.run(["pgrep", "-P", str(server.process.pid)], capture_output=True, text=True).stdout.split()]


def watch(server, seconds, over, memory, killed):
    """Kills a slot at random times, and measures the memory of the server and its slots each second."""
    chance = random.Random(1)
    next_kill = time.monotonic() + seconds
    while not over.wait(1):
        with contextlib.suppress(OSError, StopIteration):
            slots = slots_of(server)
            memory.append((rss(server.process.pid), max([rss(pid) for pid in slots], default=0)))
            if seconds and time.monotonic() > next_kill and slots:
                os.kill(chance.choice(slots), signal.SIGKILL)
                killed.append(1)
                next_kill = time.monotonic() + chance.uniform(0.5, 1.5) * seconds


def check_store(server, clients, findings):
    """Compares what is stored with what clients got. Clients that went away have verdicts that nobody got."""
    answers, reasons = {}, {}
    for file in pathlib.Path(server.store).glob("stages/*/*/stage.json"):
        stage = json.loads(file.read_text())
        if stage["kind"] == "served":
            for number, line in enumerate((file.parent / "candidates.jsonl").read_text().splitlines()):
                answers[f"{stage['key'][:10]}.{number + 1}"] = json.loads(line)["answer"]
        if stage["kind"] == "verify":
            for number, line in enumerate((file.parent / "verdicts.jsonl").read_text().splitlines()):
                reasons[f"{stage['inputs']['candidates'][:10]}.{number + 1}"] = json.loads(line)["reason"]
    given = 0
    for client in clients:
        for name, (answer, reason) in client.verdicts.items():
            given += 1
            if answers.get(name) != answer or reasons.get(name, "") != reason:
                findings.append(f"the store's {name} is another verdict: {reasons.get(name)}")
    if len({name for client in clients for name in client.verdicts}) != given:
        findings.append("an ID was given twice")
    return len(answers)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=10000)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--slots", type=int, default=2)
    parser.add_argument("--kill", type=float, default=10, help="seconds between two kills of a slot on average; 0: none")
    options = parser.parse_args()
    findings, memory, killed, over = [], [], [], threading.Event()
    with Server("--slots", str(options.slots)) as server:
        begun = time.monotonic()
        clients = [Client(number, server, options.requests // options.clients, findings) for number in range(options.clients)]
        threads = [threading.Thread(target=client.run) for client in clients]
        watcher = threading.Thread(target=watch, args=(server, options.kill, over, memory, killed))
        for thread in [watcher, *threads]:
            thread.start()
        for thread in threads:
            thread.join()
        seconds = time.monotonic() - begun
        over.set()
        watcher.join()
        restarts, alive = server.metric("trl_slot_restarts_total"), server.get("/healthz")[0] == 200
        status, log = server.end()
        stored = check_store(server, clients, findings)
    latencies = sorted(one for client in clients for one in client.latencies)
    kinds = {kind: sum(client.kinds.get(kind, 0) for client in clients) for kind in (*EXPECTED, *HOSTILE)}
    sent, judged = sum(kinds.values()), len(latencies)
    print(f"{sent} requests of {options.clients} clients in {seconds:.0f} s, {sent / seconds:.1f} a second; {options.slots} slots, "
          f"killed {len(killed)} times, restarted {restarts:.0f} times")
    print(", ".join(f"{kind} {count}" for kind, count in kinds.items()))
    print(f"{judged} verdicts; {sum(client.busy for client in clients)} times busy; {stored} stored; latency with the queue: "
          f"median {latencies[judged // 2]:.2f} s, 99 % {latencies[judged * 99 // 100]:.2f} s, most {latencies[-1]:.2f} s")
    third = max(1, len(memory) // 3)
    means = [[sum(one[place] for one in part) / max(1, len(part)) for part in (memory[:third], memory[third:-third], memory[-third:])]
             for place in (0, 1)]
    print("memory in the first, second and last third: server {:.0f}, {:.0f}, {:.0f} MB; largest slot {:.0f}, {:.0f}, {:.0f} MB".format(
        *means[0], *means[1]))
    if status != 0 or not alive:
        findings.append(f"the server ended with {status}: {log}")
    for finding in findings[:20]:
        print("FINDING:", finding)
    print(f"{len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
