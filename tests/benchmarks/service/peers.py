"""Who rewards what: has other projects' evaluations and `trl verify` judge the corpora's candidates, and prints what each would reward.

    peers.py --prepare rows.jsonl --corpus hostile red_team honest time_hostile
    peers.py rows.jsonl --out results.jsonl [--kernelbench FOLDER] [--kernelgym FOLDER] [--kernrl FOLDER] [--tinker FOLDER] [--trl PROGRAM] [--minutes M]
    peers.py rows.jsonl --out results.jsonl --table

The first command writes candidates and their tasks as modules in KernelBench's form; it needs corpus-rows and trl-verify beside $TRL, and no GPU. The second
asks the peers, several at a time on a GPU, and `trl verify` alone before them; results are written as they come, and a run that is begun again with the
same file goes on. FOLDER is a checkout: ScalingIntelligence/KernelBench, hkust-nlp/KernelGYM, meta-pytorch/OpenEnv (or its envs/kernrl), nataliakokoromyti/kernelbench-tinker
(which needs KernelBench's, too). The third prints the tables alone. The peers execute candidates with all rights, so each evaluation runs in a cage (caged.py).
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import caged  # noqa: E402
import peer_evaluations  # noqa: E402
from peer_evaluations import PEERS  # noqa: E402

CORPORA = ("hostile", "red_team", "honest", "time_hostile", "time_honest", "cuda_right", "cuda_wrong", "cuda_hostile")
RIGHT = ("honest", "time_honest", "time_hostile", "cuda_right")
TRL = {"trl_own": "trl, own dtypes", "trl": "trl, exam"}  # trl's columns, in the order in which they are asked
# What the candidates of a family try.
TRIES = {
    "hostile/attention": "attention with a wrong scale, mask or rescaling",
    "hostile/calls": "right at the first call alone, or an earlier result again",
    "hostile/dtypes": "integer overflow, lost scales, wrong rounding, wrong dtype",
    "hostile/edges": "other values where a function's domain ends",
    "hostile/epilogue": "PyTorch computes a part",
    "hostile/forged": "forges the verifier's messages, or hides PyTorch's work in hooks",
    "hostile/framework": "PyTorch computes, beside a kernel that does nothing",
    "hostile/functions": "indices, segments, sorting and scatters done wrong, or by PyTorch",
    "hostile/hints": "promises to the compiler that aren't kept",
    "hostile/inductor": "answers in Inductor's form that call libraries, or are made for one size",
    "hostile/orders": "right in one order of summation or of ties alone",
    "hostile/overflow": "wrong at extreme inputs alone, which the exam draws only where asked",
    "hostile/results": "one of several results is wrong or missing",
    "hostile/second_block": "wrong beyond the first block",
    "hostile/smuggled": "numbers from the host in place of a kernel's work",
    "hostile/system": "attacks the process or the machine, hangs, patches clocks, returns other objects",
    "hostile/tables": "forged addresses",
    "hostile/timing": "caches results, works later, patches statistics, takes what the reference left",
    "hostile/undefined": "right if what is undefined gives a certain number",
    "hostile/values": "never written, constant, partial, imprecise, out of bounds, cached",
    "hostile/waiting": "waits for ever, or not at all",
    "hostile/world": "registers PyTorch's operators anew; pointers to elsewhere",
    "red_team/cost": "costs the verifier more than itself",
    "red_team/crash": "ends the verifier",
    "red_team/cuda_in_plans": "CUDA text in forged plans",
    "red_team/decoys": "PyTorch's copies, with kernels that change nothing",
    "red_team/edges": "other values at edges, by the protocol of training",
    "red_team/own_word": "says itself how it was judged, or is right at the sizes of a stage",
    "red_team/paths": "wrong for a value or a size that is hardly ever drawn",
    "red_team/races": "depends on an order that no GPU promises",
    "red_team/side_channels": "looks for what neighbours do",
    "red_team/stability": "NaN or infinity at large numbers",
    "red_team/swapped_verdicts": "text that compilers read differently",
    "red_team/theft": "looks for a neighbour's answer",
    "red_team/tolerance": "constants and lost precision within a tolerance",
    "red_team/training_races": "races that are right in order",
    "honest": "right, in the forms that answers have",
    "time_honest": "right, work shared among programs",
    "time_hostile": "right, by idle, unequal or chained programs",
    "cuda_right": "right, in CUDA",
    "cuda_wrong": "one mistake, in CUDA",
    "cuda_hostile": "cheats and attacks in CUDA",
}
# Families that attack what only trl has. Others name the modules of its recorder.
OURS = {"red_team/side_channels", "red_team/theft"}
# Templates that would take the whole machine's memory or processes, if a cage had a hole; and those that harm it without one.
MACHINE, UNCAGED = {"fork_bomb", "endless"}, {"fork_bomb", "endless", "before_an_honest_answer"}
TORCH = {"f32": "float32", "f16": "float16", "bf16": "bfloat16", "i64": "int64", "i32": "int32", "i16": "int16", "i8": "int8", "u8": "uint8",
         "f8e4m3": "float8_e4m3fn", "f8e5m2": "float8_e5m2"}


# ---- rows


def asked_of_verifier(request):
    """The lines that trl-verify answers to a request."""
    program = pathlib.Path(os.environ["TRL"]).parent / "trl-verify"
    done = subprocess.run([program, "--request"], input=json.dumps(request), check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def draw(entry, sizes):
    """The Python expression that draws a task's input."""
    size = lambda extent: eval(str(extent), {"__builtins__": {}}, sizes)  # sizes are sums and products of dimensions
    shape, dtype = [size(extent) for extent in entry["shape"]], f"torch.{TORCH[entry['dtype']]}"
    values = entry.get("values", {"kind": "unbounded"})
    kind, low, high = values["kind"], values.get("low", 0), values.get("high", 0)
    if kind == "offsets":
        end = size(values["of"])
        return f"torch.cat([torch.tensor([0]), torch.randint(0, {end + 1}, ({shape[0] - 2},)).sort()[0], torch.tensor([{end}])]).to({dtype})"
    if kind == "one_hot":
        return f"F.one_hot(torch.randint(0, {shape[-1]}, {tuple(shape[:-1])}), {shape[-1]}).to({dtype})"
    if "below" in entry:
        return f"torch.randint(0, {size(entry['below'])}, {tuple(shape)}).to({dtype})"
    if entry["dtype"][0] in "iu":
        low, high = (low, high) if low < high else (0, 255) if entry["dtype"] == "u8" else (-100, 100)
        return f"torch.randint({int(low)}, {int(high) + 1}, {tuple(shape)}).to({dtype})"
    if kind == "range":
        return f"(torch.rand({tuple(shape)}) * {high - low} + {low}).to({dtype})"
    drawn = {"unbounded": f"torch.randn({tuple(shape)})", "positive": f"(torch.randn({tuple(shape)}).abs() + 1e-3)",
             "normal": f"(torch.randn({tuple(shape)}) * {values.get('deviation', 1)} + {values.get('mean', 0)})"}[kind]
    return drawn if entry["dtype"] == "f32" else f"{drawn}.to({dtype})"


def module_of(task, prompt):
    """A task as a module in KernelBench's form."""
    inputs = ", ".join(draw(entry, dict(task["dims"])) for entry in task["inputs"])
    return f"import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n\n{prompt}\n\ndef get_inputs():\n    return [{inputs}]\n\n\ndef get_init_inputs():\n    return []\n"


def uses_recorder(program):
    """Whether a program imports modules of trl's recorder."""
    own = {path.stem for path in (HERE.parents[2] / "verifier/recorder").glob("*.py")}
    named = re.findall(r"^\s*(?:import|from)\s+([\w., ]+)", program, re.M) + re.findall(r"(?:__import__|import_module)\(['\"](\w+)", program)
    return any(word in own for names in named for word in re.split(r"[., ]+", names.split(" import ")[0]))


def prepare(given):
    rows = []
    for corpus in given.corpus:
        program = pathlib.Path(os.environ["TRL"]).parent / "corpus-rows"
        lines = subprocess.run([program, corpus], check=True, capture_output=True, text=True).stdout.splitlines()
        rows += [{"corpus": corpus, **json.loads(line)} for line in lines][::given.every]
    tasks = {json.dumps(row["task"]): row["task"] for row in rows}
    prompts = dict(zip(tasks, (line["text"] for line in asked_of_verifier({"prompts": {"tasks": list(tasks.values())}})), strict=True))
    programs = asked_of_verifier({"extract": [row["answer"] for row in rows]})
    with open(given.prepare, "w") as out:
        for row, program in zip(rows, programs, strict=True):
            task, outputs = row["task"], row["task"]["output"]
            out.write(json.dumps({
                "corpus": row["corpus"], "family": row["family"], "name": row["name"], "task": task, "answer": row["answer"],
                "program": program["text"], "language": "cuda" if program["language"] == "cuda" or "load_inline" in program["text"] else "triton",
                "module": module_of(task, prompts[json.dumps(task)]), "dtypes": [entry["dtype"] for entry in task["inputs"]],
                "outputs": len(outputs) if isinstance(outputs, list) else 1, "output_dtype": None if isinstance(outputs, list) else outputs["dtype"],
                "ours": f"{row['corpus']}/{row['family']}" in OURS or uses_recorder(program["text"])}) + "\n")
    print(f"{len(rows)} candidates of {len(tasks)} tasks in {given.prepare}")


def key_of(column, row):
    return hashlib.sha256("\n".join((column, row["corpus"], row["name"], row["module"], row["answer"])).encode()).hexdigest()[:20]


def template_of(row):
    return row["name"].split("/")[0]


def unasked(column, row, given):
    """Why a column isn't asked about a candidate, or None."""
    if column in TRL:
        return None
    if row["ours"]:
        return "it attacks what only trl has"
    if template_of(row) in (UNCAGED if given.uncaged else MACHINE) and not given.machine:
        return "it attacks the machine"
    return PEERS[column].unasked(row)


# ---- results


class Results:
    """The results so far, and their file, to which each is added as it comes."""

    def __init__(self, path):
        self.path, self.lock, self.of = path, threading.Lock(), {}
        if path.exists():
            for line in path.read_text().splitlines():
                if line.endswith("}"):
                    one = json.loads(line)
                    self.of[one["key"]] = one

    def add(self, column, row, result):
        one = {"key": key_of(column, row), "column": column, "corpus": row["corpus"], "family": row["family"], "name": row["name"], **result}
        with self.lock:
            self.of[one["key"]] = one
            with open(self.path, "a") as out:
                out.write(json.dumps(one) + "\n")

    def get(self, column, row):
        return self.of.get(key_of(column, row))


def stated(result):
    """A peer's result with its state: rewarded, unrewarded, raised, ended, hung, needs_cuda or failed (of the benchmark itself)."""
    log = result.pop("log", "")
    if "raised" in result:
        # What an evaluation raises is its caller's to handle: no reward.
        text = result.pop("raised")
        return {**result, "state": "needs_cuda" if "CUDA is not available" in text or "No CUDA GPUs" in text else "raised", "right": False, "why": text}
    if result.get("state") == "uncaged":
        return {**result, "state": "failed"}
    if "state" in result:
        return {**result, "right": False, "why": f"{result['why']}: {log[-200:]}" if log else result["why"]}
    if "CUDA is not available" in result.get("why", ""):
        return {**result, "state": "needs_cuda"}
    return {**result, "state": "rewarded" if result["rewarded"] else "unrewarded"}


# The protocol to which the tests hold the corpus, with the task's own dtypes: an exam casts to f16, too, which not every right candidate bears.
OWN_DTYPES = {"variations": ["original", "resize(150%)"], "tiny": True, "compile": "after_values", "strict": True, "limits": {"seconds": 20}}


def ask_trl(column, rows, results, given, end):
    """Has trl judge the rows that have no verdict yet, until the end: by `trl verify`, or by a protocol of this benchmark's."""
    left = [row for row in rows if judged(results, column, row) is None]
    while left and time.monotonic() < end:
        batch, left = left[:given.batch], left[given.batch:]
        asked = [{"task": row["task"], "answer": row["answer"]} for row in batch]
        if column == "trl":
            command = [given.trl, "verify", "--rows", "-", "--json", "--parallel", str(given.jobs), "--kernel-times", given.kernel_times]
            text = "".join(json.dumps(one) + "\n" for one in asked)
        else:
            command = [pathlib.Path(shutil.which(given.trl)).resolve().parent / "trl-verify", "--request"]
            text = json.dumps({"spec": OWN_DTYPES, "candidates": asked, "secret": os.urandom(32).hex(), "sandbox": True, "slots": given.jobs,
                               "measured": given.kernel_times == "measured"})
        with tempfile.TemporaryFile("w+") as asking, tempfile.TemporaryFile("w+") as errors:
            asking.write(text)
            asking.flush()
            asking.seek(0)
            with subprocess.Popen(command, stdin=asking, stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True) as process:
                timer = threading.Timer(max(1, end - time.monotonic()), process.terminate)
                timer.start()
                count = 0
                for line in process.stdout:
                    if not line.startswith("{") or not line.endswith("}\n"):
                        continue
                    verdict = json.loads(line)
                    row = batch[int(verdict["candidate"].rsplit(":", 1)[1]) - 1 if column == "trl" else verdict["number"]]
                    judged_here = verdict.get("reason") != "not_judged"
                    results.add(column, row, {"state": ("rewarded" if verdict["correct"] else "unrewarded") if judged_here else "failed", "right": verdict["correct"],
                                              "speedup": verdict.get("speedup"), "why": f"{verdict.get('reason') or ''}: {verdict.get('message') or ''}"[:200]})
                    count += 1
                    if count % 50 == 0:
                        print(f"{column}: {count} of {len(batch)}", flush=True)
                timer.cancel()
                process.wait()
            if count != len(batch) and time.monotonic() < end:
                errors.seek(0)
                print(f"{column}: {count} verdicts of {len(batch)}: {errors.read()[-1500:]}", flush=True)
        print(f"{column}: {sum(judged(results, column, row) is not None for row in rows)} of {len(rows)}", flush=True)


WARM_UP = """
import torch, triton, triton.language as tl
@triton.jit
def kernel(x, n, B: tl.constexpr):
    i = tl.arange(0, B)
    tl.store(x + i, tl.load(x + i, mask=i < n) + 1, mask=i < n)
x = torch.zeros(64, device="cuda")
kernel[(1,)](x, 64, B=64)
torch.cuda.synchronize()
"""


def warm_cache(folder):
    """Has Triton compile what each new cache needs, so that an evaluation begins with it."""
    file = folder / "warm_up.py"
    file.write_text(WARM_UP)
    subprocess.run([sys.executable, str(file)], env={**os.environ, "TRITON_CACHE_DIR": str(folder / "warm")}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120, check=False)


PROBE = {"dtypes": ["f32"], "language": "triton", "outputs": 1, "output_dtype": "f32", "module": """import torch
import torch.nn as nn

class Model(nn.Module):
    def forward(self, x):
        return torch.relu(x)

def get_inputs():
    return [torch.randn(60, 1000)]

def get_init_inputs():
    return []
""", "program": """
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
"""}
ASKED = tuple(PROBE)


def probe(column, server):
    """Asks a peer about a plain right candidate, and prints what came of it. Returns why the peer can't be asked about others, or None."""
    result = stated(server.ask(PROBE))
    why = " ".join(str(result.get("why")).split())
    print(f"{PEERS[column].title}, a plain right candidate: {result['state']}, right {result.get('right')}, {result.get('seconds')} s, {why}", flush=True)
    return None if result.get("right") else f"of a plain right candidate it says {result['state']}, {why}; where the cage is what fails, --uncaged does without it"


def ask_peers(columns, rows, results, given, end):
    """Has the peers judge what has no result yet, until the end. Returns why a peer wasn't asked at all, by column."""
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="trl-peers-"))
    options = {"seconds": given.seconds, "caged": not given.uncaged, "warm": str(scratch / "warm")}
    folders = {name: str(getattr(given, name).resolve()) for name in PEERS if getattr(given, name)}
    not_run, servers = {}, {}

    def start(column, channel):
        command = [sys.executable, __file__, "--serve", json.dumps({"column": column, "folders": folders, "options": options, "channel": channel.fileno()})]
        return subprocess.Popen(command, pass_fds=[channel.fileno()], start_new_session=True, env={**os.environ, **({"PEERS_DRY": "1"} if given.dry else {})})

    try:
        for column in columns:
            servers[column] = caged.Server(lambda channel: start(column, channel), scratch, column, given.seconds)
        if not given.dry:
            warm_cache(scratch)
        for column in columns:
            reason = servers[column].wait_until_ready()
            if reason:
                not_run[column] = reason
                print(f"{PEERS[column].title} is not run: {reason}", flush=True)
        columns = [column for column in columns if column not in not_run]
        if not given.dry:
            with concurrent.futures.ThreadPoolExecutor() as pool:
                not_run.update((column, why) for column, why in zip(columns, pool.map(lambda column: probe(column, servers[column]), columns)) if why)
        columns = [column for column in columns if column not in not_run]
        asked = [(column, row) for row in rows for column in columns
                 if unasked(column, row, given) is None and judged(results, column, row) is None]
        done, began = collections.Counter(), time.monotonic()

        def judge(pair):
            column, row = pair
            seconds = min(given.seconds, end - time.monotonic())
            if seconds < 5 or servers[column].dead:
                return
            result = stated(servers[column].ask({**{name: row[name] for name in ASKED}, "seconds": seconds}))
            if result["state"] == "hung" and seconds < given.seconds:
                return  # it might have been done in time
            results.add(column, row, result)
            done[result["state"]] += 1
            if sum(done.values()) % 20 == 0:
                print(f"{time.monotonic() - began:5.0f} s  {sum(done.values())} of {len(asked)}: " + ", ".join(f"{state} {count}" for state, count in sorted(done.items())), flush=True)

        with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
            list(pool.map(judge, asked))
        print(f"{time.monotonic() - began:5.0f} s  {sum(done.values())} of {len(asked)}: " + ", ".join(f"{state} {count}" for state, count in sorted(done.items())), flush=True)
        for column, server in servers.items():
            if server.dead:
                print(f"{PEERS[column].title}: {server.dead}", flush=True)
    finally:
        for server in servers.values():
            server.close()
        shutil.rmtree(scratch, ignore_errors=True)
    return not_run


# ---- tables


# Titles of the table's columns, the results that they read, and the field that says that an answer counts.
COLUMNS = (("KernelBench", "kernelbench", "rewarded"), ("and its static check", "kernelbench", "static"), ("KernelGYM", "kernelgym", "rewarded"), ("kept", "kernelgym", "kept"),
           ("kernrl: right", "kernrl", "right"), ("kernrl: rewarded", "kernrl", "rewarded"), ("tinker", "tinker", "rewarded"), ("trl, own dtypes", "trl_own", "rewarded"), ("trl", "trl", "rewarded"))


def counts(result, field):
    """Whether a result counts in a column."""
    if field == "static":
        return result["state"] == "rewarded" and result.get("static", False)
    if field == "right":
        return bool(result.get("right"))
    return result["state"] == "rewarded" and (field == "rewarded" or bool(result.get(field)))


def judged(results, column, row):
    """A column's result on a row, if it was asked and said something."""
    result = results.get(column, row)
    return result if result and result["state"] not in ("failed", "needs_cuda") else None


def cell(results, rows, column, field, wanted=True):
    """So many of the asked rows count, or don't (`wanted`): "3 of 12"."""
    said = [result for row in rows if (result := judged(results, column, row))]
    return f"{sum(counts(result, field) == wanted for result in said)} of {len(said)}" if said else "–"


def markdown(titles, lines):
    widths = [max(len(str(line[i])) for line in [titles, *lines]) for i in range(len(titles))]
    form = lambda line: "| " + " | ".join(str(one).ljust(width) for one, width in zip(line, widths)) + " |"
    return "\n".join([form(titles), "|" + "|".join("---" for _ in titles) + "|", *map(form, lines)])


def table(rows, results, given, shown, not_run):
    """Prints the tables of the rows for which at least one of the shown columns has a result."""
    columns = [one for one in COLUMNS if one[1] in shown]
    chosen, rows = rows, [row for row in rows if any(judged(results, column, row) for column in shown)]
    groups = collections.defaultdict(list)
    for row in rows:
        groups[row["corpus"] if row["corpus"] in RIGHT else f"{row['corpus']}/{row['family']}"].append(row)
    wrong, right = ({name: group for name, group in groups.items() if (group[0]["corpus"] in RIGHT) == kind} for kind in (False, True))
    titles = [title for title, _, _ in columns]
    for what, kind, wanted in (("Rewarded, of hostile candidates that were asked about", wrong, True), ("Not rewarded, of right candidates that were asked about", right, False)):
        if kind:
            lines = [[name, TRIES.get(name, ""), len(group), *(cell(results, group, column, field, wanted) for _, column, field in columns)] for name, group in kind.items()]
            if len(kind) > 1:
                everything = [row for group in kind.values() for row in group]
                lines.append(["all", "", len(everything), *(cell(results, everything, column, field, wanted) for _, column, field in columns)])
            print(f"\n{what}:\n\n" + markdown(["candidates", "what they try" if wanted else "what they are", "number", *titles], lines))
    for column in PEERS:
        if column in not_run or column not in shown:
            print(f"\n{PEERS[column].title}: not run ({not_run.get(column, 'its folder is not given')})")
    states(chosen, results, given, shown)
    claims(shown)
    disagreements(rows, results, columns, given.all)


def states(rows, results, given, shown):
    lines = []
    for column in shown:
        found = collections.Counter(result["state"] for row in rows if (result := results.get(column, row)))
        reasons = collections.Counter(reason for row in rows if (reason := unasked(column, row, given)))
        lines.append([PEERS[column].title if column in PEERS else TRL[column], *(found[state] for state in ("rewarded", "unrewarded", "raised", "ended", "hung", "failed")), sum(reasons.values()),
                      "; ".join(f"{reason}: {count}" for reason, count in reasons.most_common())])
    print("\nHow the evaluations ended:\n\n" + markdown(["", "rewarded", "not rewarded", "peer raised", "peer ended", "hung", "benchmark failed", "not asked", "why not asked"], lines))


def claims(shown):
    lines = [[peer.title, peer.claims[0], peer.reward, peer.claims[1]] for column, peer in PEERS.items() if column in shown]
    if lines:
        print("\nWhat each checks, and what counts as rewarded:\n\n" + markdown(["", "checks", "rewarded", "source"], lines))


def disagreements(rows, results, columns, every):
    """Prints the templates, or with `every` the candidates, about which columns that were asked say different things."""
    groups = collections.defaultdict(list)
    for row in rows:
        said = {counts(result, field) for _, column, field in columns if (result := judged(results, column, row))}
        if len(said) > 1:
            groups[f"{row['corpus']}/{row['name'] if every else template_of(row)}"].append(row)
    if groups:
        lines = [[name, len(group), *(cell(results, group, column, field) for _, column, field in columns)] for name, group in sorted(groups.items())]
        print(f"\nRewarded, of the {sum(map(len, groups.values()))} candidates about which the columns disagree:\n\n" + markdown(["", "number", *(title for title, _, _ in columns)], lines))


def serve(said):
    channel = socket.socket(fileno=said["channel"])
    caged.serve(lambda: peer_evaluations.prepared(said["column"], said["folders"]), channel, said["options"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=pathlib.Path, nargs="?", help="the file that --prepare has written")
    parser.add_argument("--prepare", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--corpus", nargs="+", choices=CORPORA, default=["hostile", "red_team", "honest", "time_hostile"])
    parser.add_argument("--every", type=int, default=1, help="each N-th candidate of a corpus")
    for name, peer in PEERS.items():
        parser.add_argument(f"--{name}", type=pathlib.Path, metavar="FOLDER", help=f"the checkout of {peer.title}")
    parser.add_argument("--trl", metavar="PROGRAM", help="the program trl, for its column")
    parser.add_argument("--protocols", nargs="+", choices=TRL, default=list(TRL), help="of trl: an exam, and the tests' for the corpus, without other dtypes")
    parser.add_argument("--kernel-times", choices=("measured", "modelled"), default="measured", help="of trl")
    parser.add_argument("--batch", type=int, default=400, help="rows of one `trl verify`")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=60, help="that an evaluation of a candidate by a peer may take")
    parser.add_argument("--minutes", type=float, default=1e6, help="after which it ends with what it has; each of trl's protocols has at most --trl-minutes of them")
    parser.add_argument("--trl-minutes", type=float, default=1e6)
    parser.add_argument("--out", type=pathlib.Path, help="where a line for each result is added")
    parser.add_argument("--table", action="store_true", help="print the tables of --out alone")
    parser.add_argument("--all", action="store_true", help="list disagreements by candidate, not by template")
    parser.add_argument("--uncaged", action="store_true", help="candidates have your rights: for a machine that nobody needs any more")
    parser.add_argument("--machine", action="store_true", help="ask about candidates that attack the machine, too")
    parser.add_argument("--dry", action="store_true", help="for a machine without a GPU: see whether the evaluations come as far as CUDA")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        return serve(json.loads(given.serve))
    if given.prepare:
        return prepare(given)
    if not given.rows or not given.out:
        parser.error("a file of rows and --out are wanted, or --prepare")
    if given.tinker and not given.kernelbench:
        parser.error("--tinker needs --kernelbench, whose evaluation it calls")
    end = time.monotonic() + 60 * given.minutes
    rows = [json.loads(line) for line in given.rows.read_text().splitlines()]
    rows = [row for corpus in CORPORA for row in [row for row in rows if row["corpus"] == corpus][::given.every]]
    in_order = list(rows)
    random.Random(1).shuffle(rows)  # so that a run that ends early has seen something of everything
    results, columns = Results(given.out), [name for name in PEERS if getattr(given, name)]
    not_run = {}
    if not given.table:
        for column in given.protocols if given.trl else ():
            ask_trl(column, rows, results, given, min(end, time.monotonic() + 60 * given.trl_minutes))
        if columns:
            not_run = ask_peers(columns, rows, results, given, end)
    known = {one["column"] for one in results.of.values()}
    table(in_order, results, given, [name for name in (*PEERS, *TRL) if name in known], not_run)


if __name__ == "__main__":
    main()
