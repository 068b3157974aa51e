"""Verdicts a second through the service on a GPU, with measured times, and whether they are those of `trl verify`.

    gpu_rate.py CHECKOUT [--trl PROGRAM] [--largest N] [--slots N] [--json FILE]

CHECKOUT is a clone of https://github.com/ScalingIntelligence/KernelBench. The answers of benchmarks/kernelbench and their wrong twins are sent as one batch to
a server with --slots worker slots, and judged by `trl verify` with as many; both by the exam's protocol, with tensors of at most N elements.
"""

import argparse
import json
import os
import pathlib
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "kernelbench"), str(HERE.parents[1] / "serve")]
import answers  # noqa: E402
import beside  # noqa: E402
from server import Server  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--trl", default="trl")
    parser.add_argument("--largest", type=int, default=1 << 20)
    parser.add_argument("--slots", type=int, default=16)
    parser.add_argument("--modelled", action="store_true", help="times are modelled, for a machine without a GPU")
    parser.add_argument("--most", type=int, default=0, help="at most so many answers")
    parser.add_argument("--json", type=pathlib.Path, help="where a line for each answer is written")
    given = parser.parse_args()
    given.checkout, given.measured = given.checkout.resolve(), not given.modelled
    os.environ["TRL"] = given.trl
    asked = []
    for level, number, path in answers.answers():
        if level != "level3":
            asked += [(f"{level}/{number}", text) for text in answers.read(path)]
    asked = asked[:given.most or None]
    levels = sorted({task.split("/")[0] for task, _ in asked})
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "tasks.trl"
        file.write_text(beside.suites_of(levels, given))
        times = ["--kernel-times", "measured"] if given.measured else []
        with Server(str(file), "--slots", str(given.slots), "--deadline", "600", *times) as server:
            asked = [one for one in asked if server.get("/v1/tasks/" + one[0])[1]["can_be_judged"]]
            body = json.dumps({"answers": [{"task": task, "answer": answer} for task, answer in asked]})
            began = time.monotonic()
            status, _, text = server.ask("POST", "/v1/verify", body, timeout=600)
            seconds = time.monotonic() - began
            assert status == 200, text[:500]
            served = {row["index"]: row for row in map(json.loads, text.splitlines())}
    assert sorted(served) == list(range(len(asked))), "an answer has no verdict, or two"
    began = time.monotonic()
    alone = dict(beside.verdicts(asked, levels, given))
    alone_seconds = time.monotonic() - began
    differ = 0
    for at, (task, _) in enumerate(asked):
        ours, theirs = served[at].get("correct"), alone[at]["correct"]
        if ours != theirs:
            differ += 1
            print(f"{task}: {ours} by the service ({served[at].get('reason')}: {str(served[at].get('message'))[:120]}), {theirs} by trl verify ({alone[at]['reason']})")
        if given.json:
            with open(given.json, "a") as lines:
                lines.write(json.dumps({"task": task, "served": served[at], "alone": alone[at]}) + "\n")
    print(f"{len(asked)} answers, {sum(bool(row.get('correct')) for row in served.values())} right, in {seconds:.1f} s: {len(asked) / seconds:.2f} a second through the service, whose slots are warm; "
          f"{alone_seconds:.1f} s by trl verify, which starts them; {differ} verdicts differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
