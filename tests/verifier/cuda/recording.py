"""Starts the recorder and trl-kernel-check as the verifier does, and records candidates: for tests and by hand.

usage: recording.py CANDIDATE.py [SHAPE…]     prints the recorder's answer; a shape is 4x8 or 4x8:f16
"""

import json
import os
import subprocess
import sys
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
QUESTION = """
import importlib.util as u, json, os, sys, sysconfig
parents = [os.path.dirname(list(u.find_spec(name).submodule_search_locations)[0]) for name in ("torch", "triton")]
read = [sys.prefix, sys.base_prefix, sys.executable, os.path.realpath(sys.executable), sysconfig.get_path("stdlib"), *parents]
print(json.dumps({"read": read, "path": list(dict.fromkeys(parents))}))
"""


BINARIES = os.environ.get("TRL_BINARIES", os.path.join(ROOT, "build/release/bin"))


class Recording:
    """The recorder in its sandbox, together with trl-kernel-check."""

    def __init__(self, binaries, python):
        found = json.loads(subprocess.run([python, "-s", "-c", QUESTION], check=True, capture_output=True, text=True).stdout)
        command = [os.path.join(binaries, "trl-sandbox"), "--nesting", "--write-tmp", "16777216"]
        folders = [one for one in found["read"] if not one.startswith(("/usr", "/lib"))]
        libraries = [one for one in os.environ.get("LD_LIBRARY_PATH", "").split(":") if one.startswith("/") and os.path.exists(one)]
        recorder = os.path.join(ROOT, "verifier/recorder")
        for one in (*folders, *libraries, recorder, os.path.join(ROOT, "verifier/zygote")):
            command += ["--read", one]
        command += ["--env", "PYTHONPATH=" + ":".join(found["path"])]
        if libraries:
            command += ["--env", "LD_LIBRARY_PATH=" + ":".join(libraries)]
        command += ["--", python, "-B", "-s", os.path.join(recorder, "recorder.py")]
        self.recorder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.checker = subprocess.Popen([os.path.join(binaries, "trl-kernel-check"), "--serve"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        ready, _ = self.hear()
        if not ready["ready"]:
            raise RuntimeError(ready["message"])
        self.number = 0
        self.compile_seconds = 0.0

    @staticmethod
    def say(process, document):
        process.stdin.write(json.dumps(document).encode() + b"\n")
        process.stdin.flush()

    def tell(self, head, body):
        """Sends a message to the recorder: a head, followed by a body (docs/interfaces.md, 4)."""
        self.say(self.recorder, {**head, "bytes": len(body)})
        self.recorder.stdin.write(body)
        self.recorder.stdin.flush()

    def hear(self):
        """Reads a message of the recorder: its head and its body."""
        line = self.recorder.stdout.readline()
        if not line:
            raise RuntimeError("the recorder ended")
        head = json.loads(line)
        return head, self.recorder.stdout.read(head["bytes"])

    def compiled(self, asked):
        begin = time.monotonic()
        self.say(self.checker, {"id": 1, "emit": True, **asked})
        answer = json.loads(self.checker.stdout.readline())
        self.compile_seconds += time.monotonic() - begin
        if answer["ok"]:
            return {name: answer[name] for name in ("object", "kernels", "refused_calls", "device_source")}
        first = next(one for one in answer["findings"] if one["severity"] == "refuse")
        return {"refused": {name: first[name] for name in ("reason", "message", "line")}}

    def record(self, source, shapes, **limits):
        """Returns the recorder's answer. A shape is a list of (sizes, dtype), one for each input."""
        self.number += 1
        labelled = [{"label": "original" if at == 0 else f"shape {at}",
                     "inputs": [{"name": f"x{number}", "dtype": dtype, "shape": list(sizes)}
                                for number, (sizes, dtype) in enumerate(shape)]} for at, shape in enumerate(shapes)]
        self.tell({"id": self.number, "limits": limits}, json.dumps({"source": source, "shapes": labelled}).encode())
        while True:
            head, body = self.hear()
            if not head.get("asks"):
                return {**(json.loads(body) if body else head), "id": head["id"]}
            try:
                made = self.compiled(json.loads(body))
            except (ValueError, KeyError, TypeError):  # the child may send anything as a question
                made = {"refused": {"reason": "unsupported", "message": "this is no question", "line": None}}
            self.tell({}, json.dumps(made).encode())

    def close(self):
        for process in (self.recorder, self.checker):
            process.stdin.close()
            process.wait(10)
            process.stdout.close()


class RecordedCase(unittest.TestCase):
    """Tests that share one Recording."""

    @classmethod
    def setUpClass(cls):
        cls.recording = Recording(BINARIES, os.environ["TRL_PYTHON"])

    @classmethod
    def tearDownClass(cls):
        cls.recording.close()


def main():
    with open(sys.argv[1]) as file:
        source = file.read()
    inputs = []
    for text in sys.argv[2:] or ["4x8"]:
        sizes, _, dtype = text.partition(":")
        inputs.append(([int(one) for one in sizes.split("x") if one], dtype or "f32"))
    recording = Recording(BINARIES, os.environ["TRL_PYTHON"])
    print(json.dumps(recording.record(source, [inputs]), indent=1))
    times = []
    for _ in range(int(os.environ.get("TURNS", "0"))):
        recording.compile_seconds, begin = 0.0, time.monotonic()
        recording.record(source, [inputs])
        times.append((1e3 * (time.monotonic() - begin), 1e3 * recording.compile_seconds))
    if times:
        total, compiling = (sorted(one)[len(times) // 2] for one in zip(*times))
        print(f"text to plan: p50 {total:.1f} ms, of which trl-kernel-check {compiling:.1f} ms")
    recording.close()


if __name__ == "__main__":
    main()
