"""What several GPUs of one host give: ranks.py [WORKER] [--ranks 1 2 4 8] [--size 7B|tiny] [--device cuda|cpu] [--folder FOLDER]

The real trl-worker carries out the same three stages with each number of processes, one a GPU, by a randomly initialised model: a rollout of 64
prompts with 10 answers of 512 tokens, optimiser steps of 16 documents of 1,024 tokens, and a policy-gradient step of 640 answers of 500 tokens behind
prompts of 100. The table has tokens a second, the ratio to the first number of ranks, and digests of what is stored, which must not differ. Its first
line is what exchanging and gathering a step's gradients costs by itself. By default the numbers are those of 1, 2, 4 and 8 that this machine has GPUs for.
"""
import argparse
import contextlib
import hashlib
import json
import os
import pathlib
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "rehearsal"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "worker"))
import compare
from prepare import SIZES
from programs import default_program
from random_model import head_of, shapes_of

END = 2000  # a token that the tokenizer lacks, so that no answer ends before its limit
ADAPTER = dict(rank=16, alpha=32, dropout=0.05, targets=["all_linear"])


def write_model(folder, size, worker, device):
    """A model with the sizes of Qwen2.5's and a tokenizer of single bytes, so that a text has as many tokens as characters."""
    (folder / "samples").mkdir()
    (folder / "samples" / "samples.jsonl").write_text('{"prompt": "a", "answer": "a"}\n')
    compare.Worker(worker).run(folder, "tokenizer", dict(vocabulary=258), dict(corpus=folder / "samples"), "model")
    tokenizer = folder / "model" / "tokenizer.json"
    # Without the embedded model's mark the prompt's form is plain text, which config.json's end token ends.
    tokenizer.write_text(tokenizer.read_text().replace("<|answer|>", "<|unused|>"))
    config = dict(SIZES[size], model_type="qwen2", hidden_act="silu", rope_theta=1e6, max_position_embeddings=16384, rms_norm_eps=1e-6, eos_token_id=END,
                  torch_dtype="bfloat16")
    (folder / "model" / "config.json").write_text(json.dumps(config))
    shapes = shapes_of(config)
    head, size_of_all = head_of(shapes)
    torch.manual_seed(1)
    with open(folder / "model" / "model.safetensors", "wb") as out:
        out.write(head)
        for name, shape in shapes.items():
            norm = name.endswith("norm.weight")
            values = torch.empty(shape, dtype=torch.bfloat16, device=device).normal_(1.0 if norm else 0.0, 0.02)
            out.write(values.cpu().view(torch.uint8).numpy().data)
    if device != "cpu":
        torch.cuda.empty_cache()
    return size_of_all


def write_inputs(folder):
    letters = "abcdefghijklmnopqrstuvwxyz "

    def text(count, seed):
        return "".join(letters[(seed * 7919 + i * i * 31 + i) % 27] for i in range(count))

    def rows(name, documents, prompt, answer, weight):
        (folder / name).mkdir()
        (folder / name / "samples.jsonl").write_text("".join(
            json.dumps(dict(prompt=text(prompt, n), answer=text(answer, n + 1000), weight=weight(n))) + "\n" for n in range(documents)))

    # A document has as many rows as tokens but one: 25 + 999 + the end token.
    rows("documents", 16, 25, 999, lambda n: 1.0)
    rows("answers", 640, 100, 500, lambda n: (n % 10 - 4.5) / 4.5)
    tasks = [compare.task(i, compare.OPERATORS[i % 8], compare.OPERATORS[(i + 1 + i // 8) % 8]) for i in range(64)]
    for i, task in enumerate(tasks):
        task["dims"] = [["M", 64], ["N", 256 + i]]
    (folder / "tasks").mkdir()
    (folder / "tasks" / "tasks.json").write_text(json.dumps(tasks))


def environment_of(rank):
    """That of a process which sees one GPU alone."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    return dict(os.environ, CUDA_VISIBLE_DEVICES=visible.split(",")[rank] if visible else str(rank))


class Workers:
    """The processes of a group, each with a GPU of its own."""

    def __init__(self, program, size, device):
        self.device, self.processes, self.channels = device, [], []
        for rank in range(size):
            ours, its = socket.socketpair()
            with its:
                self.processes.append(subprocess.Popen([program, "--protocol-fd", str(its.fileno())], pass_fds=[its.fileno()],
                                                       env=environment_of(rank)))
            self.channels.append(ours.makefile("rw"))
            ours.close()

    def run(self, folder, name, stage, spec, inputs):
        """Carries out a stage. Returns its summary, and when rank 0 told of what: (seconds, event)."""
        size = len(self.channels)
        meeting = pathlib.Path(tempfile.mkdtemp(dir=folder))
        for rank, events in enumerate(self.channels):
            request = dict(id=1, stage=stage, spec=spec, inputs={k: str(v) for k, v in inputs.items()}, threads=1, device=self.device,
                           output=str(folder / f"{name} of {size}, {rank}"))
            if size > 1:
                request["group"] = dict(rank=rank, size=size, meeting=str(meeting))
            events.write(json.dumps(request) + "\n")
            events.flush()
        told = [[] for _ in self.channels]

        def listen(rank):
            for line in self.channels[rank]:
                event = json.loads(line)
                told[rank].append((time.perf_counter(), event))
                if event["event"] in ("done", "error"):
                    return

        threads = [threading.Thread(target=listen, args=(rank,)) for rank in range(size)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for rank, events in enumerate(told):
            if not events or events[-1][1]["event"] != "done":
                sys.exit(f"ranks.py: {stage}, rank {rank} of {size}: {events[-1][1] if events else 'the worker has ended'}")
        return told[0][-1][1]["summary"], told[0]

    def close(self):
        for events in self.channels:
            events.close()
        for process in self.processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)


def digest(folder, name, size, file):
    return hashlib.sha256((folder / f"{name} of {size}, 0" / file).read_bytes()).hexdigest()[:16]


def times_of(told, name):
    """When each metric of this name arrived."""
    return [when for when, event in told if event["event"] == "metric" and event["name"] == name]


def rollout(workers, folder, small):
    spec = dict(samples=10, temperature=1.0, max_tokens=16 if small else 512, purpose="train", round=0, seed=1, precision="bf16", scores=True)
    inputs = dict(model=folder / "model", tasks=folder / "tasks")
    summary, told = workers.run(folder, "rollout", "sample", spec, inputs)
    # From the first answers' beginning to the last candidate: loading isn't part of it, the drift's measure at the end is.
    progress = [when for when, event in told if event["event"] == "progress"]
    return summary["tokens"] / (told[-1][0] - progress[0]), "candidates.jsonl"


def finetuning(batch, epochs, seed):
    return dict(adapter=ADAPTER, epochs=epochs, batch=batch, learning_rate=1e-4, warmup=0.1, schedule="cosine", weight_decay=0.0, clip=1.0,
                precision="bf16", seed=seed, round=0)


def training(workers, folder, small):
    inputs = dict(model=folder / "model", samples=folder / "documents")
    together = 8 if workers.device == "cuda" else 1  # optimiser steps of which a worker tells at once
    _, told = workers.run(folder, "training", "finetune", finetuning(16, 3 * together, 1), inputs)
    arrived = sorted(set(times_of(told, "tokens_per_second")))  # one for each group of steps that are told together
    steps = [(b - a) / together for a, b in zip(arrived, arrived[1:])]
    return 16 * 1024 / statistics.median(steps), "adapter_model.safetensors"


def policy(workers, folder, small):
    spec = dict(finetuning(640, 1, 2), objective=dict(loss="clipped_ratio", clip_low=0.2, clip_high=0.2, mean_over="answers", kl=0.01))
    inputs = dict(model=folder / "model", samples=folder / "answers")
    _, told = workers.run(folder, "policy", "finetune", spec, inputs)
    begin = next(when for when, event in told if event["event"] == "progress")
    return 640 * 600 / (times_of(told, "loss")[-1] - begin), "adapter_model.safetensors"


def bandwidth(sizes, device):
    program = default_program("train_benchmark")
    for size in sizes:
        with tempfile.TemporaryDirectory() as meeting:
            started = []
            for rank in range(size):
                started.append(subprocess.Popen([program, "group", str(rank), str(size), meeting, device], stdout=subprocess.PIPE, text=True,
                                                env=environment_of(rank)))
            lines = [process.communicate()[0] for process in started]
        for line in filter(lambda line: line.startswith("{"), lines[0].splitlines()):  # NCCL may print others
            found = json.loads(line)
            print(f"exchange and gather of {found['bytes'] / 1e6:.0f} MB, {size} ranks: {found['seconds'] * 1e3:.2f} ms, "
                  f"{found['sent_gigabytes_per_second']:.1f} GB/s sent by each", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("worker", nargs="?")
    arguments.add_argument("--ranks", type=int, nargs="+")
    arguments.add_argument("--size", choices=SIZES, default="7B")
    arguments.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    arguments.add_argument("--folder", type=pathlib.Path, help="where the model's 15 GB go (default: /dev/shm if it has the room)")
    given = arguments.parse_args()
    if given.device == "cuda" and not torch.cuda.is_available():
        sys.exit("ranks.py: torch finds no usable NVIDIA GPU here; --device cpu --size tiny tries the script")
    sizes = given.ranks or [n for n in (1, 2, 4, 8) if n <= (2 if given.device == "cpu" else torch.cuda.device_count())]
    worker = given.worker or default_program("trl-worker")
    memory = pathlib.Path("/dev/shm")
    inside = given.folder or (memory if memory.is_dir() and shutil.disk_usage(memory).free > 25e9 else None)
    small = given.size == "tiny"
    name = torch.cuda.get_device_name() if given.device == "cuda" else "CPU"
    print(f"{name}, torch {torch.__version__}, {given.size}, rank 16, {' and '.join(map(str, sizes))} ranks", flush=True)
    with tempfile.TemporaryDirectory(dir=inside) as made:
        folder = pathlib.Path(made)
        begin = time.perf_counter()
        size_of = write_model(folder, given.size, worker, given.device)
        write_inputs(folder)
        print(f"the model of {size_of / 1e9:.1f} GB in {made} took {time.perf_counter() - begin:.0f} s", flush=True)
        bandwidth([n for n in sizes if n > 1], given.device)
        work = {f"rollout, 64 x 10 x {16 if small else 512}": rollout, "step, 16 x 1,024": training, "policy gradient, 640 x 600": policy}
        print(f"{'work':<32}{'ranks':>6}{'tokens/s':>14}{'ratio':>8}{'stage, s':>10}  SHA-256 of what is stored", flush=True)
        first, stored, differing = {}, {}, False
        for size in sizes:
            workers = Workers(worker, size, given.device)
            for what, run in work.items():
                begin = time.perf_counter()
                rate, file = run(workers, folder, small)
                seconds = time.perf_counter() - begin
                found = digest(folder, run.__name__, size, file)
                differing |= stored.setdefault(what, found) != found
                ratio = rate / first.setdefault(what, rate)
                print(f"{what:<32}{size:>6}{rate:>14,.0f}{ratio:>8.2f}{seconds:>10.1f}  {found}", flush=True)
            workers.close()
    if differing:
        sys.exit("ranks.py: what is stored depends on the number of ranks")


if __name__ == "__main__":
    main()
