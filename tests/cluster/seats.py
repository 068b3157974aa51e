"""The program between `trl` and Ray with its seats, as `trl` has them, for tests and benchmarks."""
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile


class Run:
    """An engine and its seats, as `trl` has them."""

    def __init__(self, root, folder, address, environment, programs=None, silence=30):
        """`programs`: the folder of real ones; without it a stand-in for trl-worker is copied into `folder`/bin."""
        self.folder = pathlib.Path(folder)
        self.bin = pathlib.Path(programs or self.folder / "bin")
        if not self.bin.exists():
            self.bin.mkdir()
            shutil.copy(pathlib.Path(__file__).with_name("worker.py"), self.bin / "trl-worker")
            self.sandbox("exit 0")
        self.ours, theirs = socket.socketpair()
        self.process = subprocess.Popen(
            [sys.executable, "-B", str(pathlib.Path(root, "runtime/cluster/engine.py")), "--protocol-fd", str(theirs.fileno())], pass_fds=[theirs.fileno()],
            env=os.environ | {"TRL_CLUSTER_COPIES": "always"} | environment)
        theirs.close()
        self.say({"address": address, "bin": str(self.bin), "worker": "trl-worker", "programs": ["trl-worker", "trl-sandbox"], "home": os.environ.get("TRL_HOME", ""), "python": os.environ.get("TRL_PYTHON", ""),
                  "libraries": "", "token": str(self.folder / "token"), "silence_s": silence})
        self.lines = self.ours.makefile("rb")
        self.welcome = json.loads(self.lines.readline())
        self.seats, self.asked = [], 0

    def sandbox(self, script):
        (self.bin / "trl-sandbox").write_text(f"#!/bin/sh\n{script}\n")
        (self.bin / "trl-sandbox").chmod(0o755)

    def say(self, message):
        self.ours.sendall(json.dumps(message).encode() + b"\n")

    def examined(self):
        self.say({"examine": True})
        return json.loads(self.lines.readline())["nodes"]

    def seat(self, **needs):
        ours, theirs = socket.socketpair()
        socket.send_fds(self.ours, [b"s"], [theirs.fileno()])
        theirs.close()
        ours.sendall(json.dumps({"needs": {"CPU": 1, "GPU": 0} | needs}).encode() + b"\n")
        self.seats.append((ours, ours.makefile("rb")))
        return len(self.seats) - 1

    def begin(self, stage, seat=0, **more):
        self.asked += 1
        output = pathlib.Path(tempfile.mkdtemp(prefix="output-", dir=self.folder))
        request = {"id": self.asked, "stage": stage, "spec": {}, "inputs": {}, "output": str(output), "secret": "5ec7e7", "sandbox": True, "threads": 1, "device": "cpu"}
        self.seats[seat][0].sendall(json.dumps(request | more).encode() + b"\n")
        return output

    def events(self, seat=0):
        """The events of a stage to its last."""
        events = []
        while not events or events[-1]["event"] not in ("done", "error", "gone"):
            events.append(json.loads(self.seats[seat][1].readline()))
        return events

    def carry_out(self, stage, **more):
        output = self.begin(stage, **more)
        return output, self.events()

    def close(self):
        for channel, lines in self.seats:
            lines.close()
            channel.close()
        self.lines.close()
        self.ours.close()
        return self.process.wait(30)
