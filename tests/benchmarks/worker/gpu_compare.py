"""Compares trl-worker with transformers and PEFT on a GPU: gpu_compare.py [WORKER] [--repeats N]

Model, samples and batches are compare.py's, in bf16. One worker serves all stages, as under `trl`; each side runs once
before it is measured, then they alternate. What is printed is the median of each and the ratio of medians.
"""
import argparse
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile

import compare
import torch

NEW_TOKENS, EPOCHS = 256, 10


class Serving(compare.Worker):
    """Runs all stages in one process, by the worker's protocol."""

    def __init__(self, program, device):
        super().__init__(program, device)
        ours, its = socket.socketpair()
        with its:
            self.process = subprocess.Popen([program, "--protocol-fd", str(its.fileno())], pass_fds=[its.fileno()])
        self.events = ours.makefile("rw")
        ours.close()

    def run(self, folder, *stage):
        self.events.write(json.dumps(self.request(folder, *stage)) + "\n")
        self.events.flush()
        for line in self.events:
            event = json.loads(line)
            if event["event"] in ("done", "error"):
                return compare.summary(event)
        sys.exit(f"gpu_compare.py: {self.program} ended with status {self.process.wait()}")

    def close(self):
        self.events.close()
        self.process.wait(10)


def default_worker():
    root = pathlib.Path(__file__).resolve().parents[3]
    home = os.environ.get("TRL_HOME", root)
    found = [f for f in (pathlib.Path(home) / "bin/trl-worker", root / "build/release/bin/trl-worker") if f.exists()]
    return str(found[0]) if found else sys.exit("gpu_compare.py: no trl-worker found: name it as the argument")


def alternate(repeats, ours, theirs):
    """Returns the figures of each after a run that isn't counted; `theirs` may be None."""
    ours(0)
    if theirs:
        theirs()
    a, b = [], []
    for n in range(repeats):
        a.append(ours(n + 1))
        if theirs:
            b.append(theirs())
    return a, b


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("worker", nargs="?")
    arguments.add_argument("--repeats", type=int, default=3)
    arguments.add_argument("--device", default="cuda", help=argparse.SUPPRESS)
    given = arguments.parse_args()
    device, dtype = given.device, torch.bfloat16
    if device == "cuda" and not torch.cuda.is_available():
        sys.exit("gpu_compare.py: torch finds no usable NVIDIA GPU here; compare.py measures on the CPU")
    worker = Serving(given.worker or default_worker(), device)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rows = compare.prepare(worker, folder)
        prompts, documents, model = [], [], None
        if compare.transformers:
            prompts, documents = compare.tokenized(worker, folder, rows)
            model = compare.load(folder, device, dtype)
        print(f"{torch.cuda.get_device_name() if device == 'cuda' else device}, torch {torch.__version__}, "
              f"{given.repeats} repeats, 4.4 M parameters, bf16", flush=True)
        print(f"sampling 128 answers of up to {NEW_TOKENS} tokens in one batch", flush=True)
        compare.report("sampling", *alternate(
            given.repeats, lambda n: compare.our_sampling(worker, folder, n, NEW_TOKENS),
            model and (lambda: compare.their_sampling(model, prompts, NEW_TOKENS, 128, device))), "transformers")
        print(f"training on {len(rows)} documents for {EPOCHS} epochs, batch 16, rank 16", flush=True)
        compare.report("training", *alternate(
            given.repeats, lambda n: compare.our_training(worker, folder, n, EPOCHS),
            model and compare.peft and (lambda: compare.their_training(folder, documents, EPOCHS, device, dtype))), "PEFT")
    worker.close()


if __name__ == "__main__":
    main()
