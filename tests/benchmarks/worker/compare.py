"""Compares trl-worker with transformers and PEFT on the CPU: compare.py WORKER [--threads N] [--repeats N]

Both sides alternate on the same machine, model, prompts and samples; what is printed is the median of each and the ratio
of medians. Figures depend on the machine and on what else runs there, ratios less so. gpu_compare.py does the same on a
GPU.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

os.environ["OMP_WAIT_POLICY"] = "passive"  # it is read when torch is imported

import torch

try:
    import transformers
except ImportError:
    transformers = None
try:
    import peft
except ImportError:
    peft = None

ANSWER, END = 1, 0
OPERATORS = ["relu", "sigmoid", "tanh", "silu", "gelu", "exp", "abs", "square"]


def task(number, first, second):
    return dict(suite="level2", id=number, name=f"{first}_{second}", doc="", dims=[["M", 64], ["N", 256]],
                inputs=[dict(name="x", dtype="f32", shape=["M", "N"])],
                value=dict(op=second, args=[dict(op=first, args=[dict(input="x")])]),
                output=dict(dtype="f32", shape=["M", "N"]), key=f"{second}({first}(x0:f32[d0,d1]))")


ANSWER_TEXT = "\n".join(f"    x{i} = tl.load(x_ptr + offs + {i * 7919 % 1000}, mask=mask, other=0.0)" for i in range(14))


class Worker:
    """Runs stages of trl-worker, each in a process of its own."""

    def __init__(self, program, device="cpu", threads=1):
        self.program, self.device, self.threads = program, device, threads

    def request(self, folder, stage, spec, inputs, output):
        return dict(id=1, stage=stage, spec=spec, inputs={k: str(v) for k, v in inputs.items()},
                    output=str(folder / output), threads=self.threads, device=self.device)

    def run(self, folder, *stage):
        (folder / "request.json").write_text(json.dumps(self.request(folder, *stage)))
        done = subprocess.run([self.program, "--stage", str(folder / "request.json")], stdout=subprocess.PIPE, text=True)
        return summary(json.loads(done.stdout.splitlines()[-1]))


def summary(event):
    assert event["event"] == "done", event
    return event["summary"]


def prepare(worker, folder):
    """Makes a corpus, a tokenizer of 1024 tokens, the random model and the requests. Returns the corpus's rows."""
    (folder / "samples").mkdir()
    rows = [dict(prompt=f"# operators {i}: " + ", ".join(OPERATORS[:i % 8 + 1]) + "\n", answer=ANSWER_TEXT[i % 40:])
            for i in range(64)]
    (folder / "samples" / "samples.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    worker.run(folder, "tokenizer", dict(vocabulary=1024), dict(corpus=folder / "samples"), "tokenizer")
    # One step with learning rate zero keeps the random weights.
    worker.run(folder, "pretrain", dict(architecture=dict(hidden=256, intermediate=640, layers=6, heads=4, kv_heads=2,
                                                          context=2048),
                                        steps=1, batch=1, sequence=64, learning_rate=0.0, seed=0),
               dict(corpus=folder / "samples", tokenizer=folder / "tokenizer"), "model")
    tasks = [task(i, OPERATORS[i % 8], OPERATORS[(i + 1 + i // 8) % 8]) for i in range(16)]
    (folder / "tasks").mkdir()
    (folder / "tasks" / "tasks.json").write_text(json.dumps(tasks))
    return rows


def load(folder, device, dtype):
    return transformers.Qwen2ForCausalLM.from_pretrained(folder / "model", dtype=dtype).to(device)


def tokenized(worker, folder, rows):
    """Returns the sampler's prompts and the documents as tokens, for the other libraries."""
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer" / "tokenizer.json"))
    worker.run(folder, "sample", dict(samples=8, temperature=1.0, max_tokens=1, purpose="prompts", round=0, seed=0),
               dict(model=folder / "model", tasks=folder / "tasks"), "prompts")
    prompts = [tokenizer.encode(json.loads(line)["prompt"]) + [ANSWER]
               for line in (folder / "prompts" / "candidates.jsonl").read_text().splitlines()]
    documents = [(tokenizer.encode(row["prompt"]) + [ANSWER], tokenizer.encode(row["answer"]) + [END]) for row in rows]
    return prompts, documents


def wait(device):
    if device != "cpu":
        torch.cuda.synchronize()


def our_sampling(worker, folder, n, new_tokens):
    summary = worker.run(folder, "sample", dict(samples=8, temperature=1.0, max_tokens=new_tokens, purpose="bench",
                                                round=0, seed=n, precision="bf16"),
                         dict(model=folder / "model", tasks=folder / "tasks"), f"sampled{n}")
    return summary["tokens"] / summary["seconds"]


def their_sampling(model, prompts, new_tokens, batch, device="cpu"):
    longest = max(map(len, prompts))
    tokens = torch.tensor([[END] * (longest - len(p)) + p for p in prompts], device=device)
    mask = torch.tensor([[0] * (longest - len(p)) + [1] * len(p) for p in prompts], device=device)
    begin = time.perf_counter()
    with torch.inference_mode():
        for first in range(0, len(prompts), batch):
            part = slice(first, first + batch)
            out = model.generate(input_ids=tokens[part], attention_mask=mask[part], do_sample=True, temperature=1.0,
                                 max_new_tokens=new_tokens, pad_token_id=END, eos_token_id=-1, top_k=0)
            assert out.shape[1] == longest + new_tokens
    wait(device)
    return len(prompts) * new_tokens / (time.perf_counter() - begin)


def our_training(worker, folder, n, epochs=1):
    summary = worker.run(folder, "finetune",
                         dict(adapter=dict(rank=16, alpha=32, dropout=0.05, targets=["all_linear"]), epochs=epochs, batch=16,
                              learning_rate=2e-4, warmup=0.1, schedule="cosine", weight_decay=0.0, clip=1.0,
                              precision="bf16", seed=n, round=0),
                         dict(model=folder / "model", samples=folder / "samples"), f"trained{n}")
    return summary["tokens"] / summary["seconds"]


def their_training(folder, documents, epochs=1, device="cpu", dtype=torch.float32):
    model = peft.get_peft_model(
        load(folder, device, dtype),
        peft.LoraConfig(r=16, lora_alpha=32, lora_dropout=0.05, task_type="CAUSAL_LM",
                        target_modules=["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]))
    optimiser = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=2e-4)
    model.train()
    begin, total = time.perf_counter(), 0
    for first in list(range(0, len(documents), 16)) * epochs:
        batch = documents[first:first + 16]
        longest = max(len(p) + len(a) for p, a in batch)
        tokens = torch.zeros(len(batch), longest, dtype=torch.long)
        labels = torch.full_like(tokens, -100)
        for row, (prompt, answer) in enumerate(batch):
            size = len(prompt) + len(answer)
            tokens[row, :size] = torch.tensor(prompt + answer)
            labels[row, len(prompt):size] = torch.tensor(answer)
            total += size
        model(input_ids=tokens.to(device), labels=labels.to(device)).loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad()
    wait(device)
    return total / (time.perf_counter() - begin)


def report(what, ours, theirs, peer):
    if not theirs:
        print(f"{what:<10} trl-worker {statistics.median(ours):8.0f} tokens/s   not compared: no {peer} here   "
              f"(runs {', '.join(f'{x:.0f}' for x in ours)})", flush=True)
        return
    a, b = statistics.median(ours), statistics.median(theirs)
    print(f"{what:<10} trl-worker {a:8.0f} tokens/s   {peer} {b:8.0f} tokens/s   ratio {a / b:5.2f}   "
          f"(runs {', '.join(f'{x:.0f}' for x in ours)} against {', '.join(f'{x:.0f}' for x in theirs)})", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("worker")
    arguments.add_argument("--threads", type=int, default=2)
    arguments.add_argument("--repeats", type=int, default=3)
    arguments.add_argument("--new-tokens", type=int, default=256)
    given = arguments.parse_args()
    if transformers is None or peft is None:
        raise SystemExit("compare.py: transformers and peft are needed: pip install -r requirements-test.txt")
    torch.set_num_threads(given.threads)
    worker = Worker(given.worker, threads=given.threads)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        rows = prepare(worker, folder)
        model = load(folder, "cpu", torch.float32)
        print(f"{given.threads} threads, {given.repeats} repeats, {sum(p.numel() for p in model.parameters()) / 1e6:.1f} M "
              f"parameters, f32; sampling 128 answers of up to {given.new_tokens} tokens, transformers in batches of 64")
        prompts, documents = tokenized(worker, folder, rows)
        ours, theirs = [], []
        for n in range(given.repeats):
            ours.append(our_sampling(worker, folder, n, given.new_tokens))
            theirs.append(their_sampling(model, prompts, given.new_tokens, 64))
        report("sampling", ours, theirs, "transformers")

        print(f"training: {len(documents)} documents, {sum(len(p) + len(a) for p, a in documents)} tokens, batch 16, rank 16")
        ours, theirs = [], []
        for n in range(given.repeats):
            ours.append(our_training(worker, folder, n))
            theirs.append(their_training(folder, documents))
        report("training", ours, theirs, "PEFT")


if __name__ == "__main__":
    main()
