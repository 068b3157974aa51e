"""An exam over an endpoint whose answers are known, with both protocols.

    served.py CHECKOUT [--trl PROGRAM] [--tasks N | --every] [--samples N] [--largest N] [--measured] [--keep FOLDER]

A server behind OpenAI's API for chats gives hand-written answers of answers/ to KernelBench's tasks. It knows a task by its module's text. Each
reply is, by a seed of task and sample, the right answer, the same in prose and fences, behind reasoning with a draft, its wrong twin, an answer that was cut off,
or words without code. `trl run` evaluates that model on N tasks of levels 1 and 2 (tensors of at most --largest elements, 0 for the files' own sizes; times modelled, or --measured on
a GPU), by its own protocol and by KernelBench's, and each verdict is compared with what was served. Tasks that a trivial answer passes are left out.
With --every the exam is of all tasks of the two levels whose answers can be judged: a task without a hand-written answer in Triton is answered by its own module, called ModelNew,
which computes in PyTorch: KernelBench's evaluation accepts it, and the exam refuses it.
"""

import argparse
import collections
import hashlib
import http.server
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

import answers

KINDS = ("right", "fenced", "reasoned", "twin", "cut_off", "words")
SHARES = (3, 2, 2, 2, 1, 1)
# As `trl audit tasks` finds them.
DEGENERATE = {("level1", 19), ("level1", 20), ("level1", 31), ("level1", 32), ("level2", 9), ("level2", 45), ("level2", 80), ("level2", 93)}


def compact(text):
    """A module's text without its numbers, which differ where a task is shrunk."""
    return re.sub(r"\d+", "#", text)


def module_answer(module):
    """An answer that is the task's own module under the name that answers have."""
    return "```python\n" + re.sub(r"\bModel\b", "ModelNew", module) + "\n```\n"


class Known:
    """What is answered, and what was."""

    def __init__(self, checkout, count, every):
        self.by_module, self.tasks, self.modules = {}, [], {}
        triton = [one for one in answers.answers() if answers.language(one[2].read_text()) == "triton" and one[:2] not in DEGENERATE]
        for level in ("level1", "level2"):
            some = [one for one in triton if one[0] == level]
            if every:
                written = {number: path for _, number, path in some}
                some = sorted((level, int(path.name.split("_")[0]), written.get(int(path.name.split("_")[0])))
                              for path in (checkout / "KernelBench" / level).glob("*.py"))
            step = 1 if every else max(1, len(some) // (count // 2))
            for _, number, path in some[::step][:None if every else count // 2]:
                module = next((checkout / "KernelBench" / level).glob(f"{number}_*.py")).read_text()
                self.by_module[self.head(module)] = (level, number, path)
                self.modules[level, number] = module
                self.tasks.append((level, number))
        self.served, self.lock = collections.Counter(), threading.Lock()
        self.kinds = collections.defaultdict(list)

    @staticmethod
    def head(module):
        return compact(re.findall(r"^class Model\(nn.Module\):.*?(?=^\S|\Z)", module, re.M | re.S)[-1].strip())

    def reply(self, prompt):
        level, number, path = self.by_module[self.head(prompt)]
        with self.lock:
            sample = self.served[level, number]
            self.served[level, number] += 1
        if path is None:
            with self.lock:
                self.kinds[level, number].append("module")
            return module_answer(self.modules[level, number]), "module"
        draw = int(hashlib.sha256(f"{level}/{number}/{sample}".encode()).hexdigest(), 16) % sum(SHARES)
        kind = next(kind for kind, end in zip(KINDS, [sum(SHARES[:i + 1]) for i in range(len(SHARES))]) if draw < end)
        with self.lock:
            self.kinds[level, number].append(kind)
        text, twin = answers.read(path)
        fenced = f"Here is the kernel:\n```python\n{text}```\nIt should be fast."
        return {"right": text, "fenced": fenced, "reasoned": f"<think>\nA draft:\n```python\n{twin}```\nNo.\n</think>\n```python\n{text}```\n",
                "twin": f"```python\n{twin}```\n", "cut_off": text[:int(0.6 * len(text))], "words": "I can't write that kernel."}[kind], kind


def serve(known):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            text, kind = known.reply(asked["messages"][-1]["content"])
            body = json.dumps({
                "id": "served", "object": "chat.completion", "model": asked["model"],
                "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "length" if kind == "cut_off" else "stop"}],
                "usage": {"prompt_tokens": len(asked["messages"][-1]["content"]) // 4, "completion_tokens": len(text) // 4}}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def study(port, checkout, known, given):
    def these(suite, level):
        return " + ".join(f"{suite}[{number}]" for its, number in known.tasks if its == level)

    largest = f", largest = {given.largest}" if given.largest else ""
    split = "where(single, judged) + where(fused, judged)" if given.every else f'{these("single", "level1")} + {these("fused", "level2")}'
    passes = "pass_at(1)" if given.samples == 1 else f"pass_at(1), pass_at({given.samples})"
    allowed = 'allow(degenerate_task, "whatever is asked, the tasks are those of two levels"), ' if given.every else ""
    return f"""suite single {{ source = kernelbench(path("{checkout}"), level = 1{largest}) }}
suite fused  {{ source = kernelbench(path("{checkout}"), level = 2{largest}) }}
model served {{
  weights = endpoint("http://127.0.0.1:{port}/v1", name = "hand-written", concurrency = 4, price_in = 3 usd, price_out = 15 usd)
  prompt  = one_shot
}}
evaluation exam {{
  split = {split}, samples = {given.samples}, also_by = kernelbench
}}
experiment exam_over_an_endpoint {{ {allowed}model = served, evaluate = exam }}
table main {{ of = exam_over_an_endpoint, rows = cells + suites, columns = [valid, correct, {passes}, fast(1.0), kernelbench, survives, usd] }}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--trl", default=str(answers.HERE.parents[2] / "trl"))
    parser.add_argument("--tasks", type=int, default=20)
    parser.add_argument("--samples", type=int, default=10)
    parser.add_argument("--every", action="store_true", help="all tasks of levels 1 and 2 whose answers can be judged")
    parser.add_argument("--largest", type=int, default=4096, help="elements of a tensor; 0: the files' own sizes")
    parser.add_argument("--measured", action="store_true", help="times are measured on the GPU")
    parser.add_argument("--keep", type=pathlib.Path, help="where the study is written; by default a folder that is removed")
    given = parser.parse_args()
    checkout = given.checkout.resolve()
    known = Known(checkout, given.tasks, given.every)
    port = serve(known)
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.keep or pathlib.Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "study.trl").write_text(study(port, checkout, known, given))
        begun = time.time()
        done = subprocess.run([os.path.abspath(given.trl), "run", "study.trl", *(["--kernel-times", "measured"] if given.measured else [])], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        print(done.stdout[done.stdout.find("| row"):] if done.returncode == 0 else done.stdout)
        if done.returncode:
            return 1
        print(f"{len(known.kinds)} tasks x {given.samples} samples in {time.time() - begun:.0f} s")
        served = collections.Counter(kind for kinds in known.kinds.values() for kind in kinds)
        print("served: " + ", ".join(f"{served[kind]} {kind}" for kind in (*KINDS, "module") if served[kind]))
        store = folder / "runs" / ".store" / "stages"
        stages = {one["kind"]: (file.parent, one) for file in store.glob("*/*/stage.json") for one in [json.loads(file.read_text())]}
        tasks = json.loads((stages["tasks"][0] / "tasks.json").read_text())
        verdicts = [json.loads(line) for line in (stages["verify"][0] / "verdicts.jsonl").read_text().splitlines()]
        told = [json.loads(line) for line in (stages["ask"][0] / "candidates.jsonl").read_text().splitlines()]
        wrong = 0
        # A sample's kind is found again by its text, since replies come in any order.
        for candidate, verdict in zip(told, verdicts):
            task = tasks[candidate["task"]]
            level = "level1" if task["suite"] == "single" else "level2"
            path = next((p for its, number, p in answers.answers() if (its, number) == (level, task["id"])), None)
            right = path is not None and answers.read(path)[0].strip() in candidate["answer"] and "I can't" not in candidate["answer"]
            if verdict["correct"] != right:
                wrong += 1
                print(f"{level}/{task['id']} sample {candidate['sample']}: served {'right' if right else 'wrong'}, found {verdict['correct']}: {verdict['reason']}: {str(verdict['message'])[:90]}")
        print(f"{len(verdicts) - wrong} of {len(verdicts)} verdicts are what was served")
        return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
