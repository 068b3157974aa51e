"""What the recipe at its own counts takes on this machine, by what the rehearsal's stages took: extrapolate.py FOLDER [--trl PROGRAM]

Reads FOLDER/runs/.store, where `trl run rehearsal.trl` kept each stage's seconds, and the stages of the experiment `whole` from `trl plan`. A
rate is the work of all stages of a kind by their seconds: tokens sampled, tokens trained on, answers judged. The whole's work is at most
this: every answer as long as it may be, and every round keeping as many answers as it may. A model with random weights ends few answers, so
its own samples are as long, too; that none of its answers holds code makes judging cheaper than it will be, so --seconds-per-answer may name
what answers with code take (tests/benchmarks/kernelbench prints it).
"""

import argparse
import json
import pathlib
import subprocess
import sys

# What its authors report of a single run, of two tasks: shared by nothing here but its settings.
RECIPE = "its authors report 26 min and 3 usd on 8 A100s of 40 GB, of one seed, fewer tasks and no controls"


def work(kind, spec, summary):
    """Units of work of a finished stage of the rehearsal."""
    if kind == "verify":
        return summary["candidates"]
    return summary["tokens"] if kind in ("sample", "finetune") else 1


def rates(store):
    """Units a second of each kind of stage, from stages that did any work."""
    units, seconds = {}, {}
    for file in sorted(store.glob("stages/*/*/stage.json")):
        stage = json.loads(file.read_text())
        done = work(stage["kind"], stage["spec"], stage["summary"])
        if done and stage["summary"].get("seconds", stage["seconds"]) > 0:
            units[stage["kind"]] = units.get(stage["kind"], 0) + done
            seconds[stage["kind"]] = seconds.get(stage["kind"], 0) + stage["summary"].get("seconds", stage["seconds"])
    return {kind: units[kind] / seconds[kind] for kind in units}, units, seconds


def whole(plan, tokens_of_pair):
    """Units of work of each kind of stage of a plan, at most."""
    stages = {stage["key"]: stage for stage in plan["stages"]}
    tasks = {key: s["spec"].get("count") or len(s["spec"].get("tasks", ())) for key, s in stages.items() if s["kind"] in ("draw", "tasks")}
    answers, total = {}, {}
    for key, stage in stages.items():
        if stage["kind"] == "sample":
            answers[key] = tasks[stage["inputs"]["tasks"]] * stage["spec"]["samples"]
    for stage in stages.values():
        kind, spec, inputs = stage["kind"], stage["spec"], stage["inputs"]
        if kind == "sample":
            units = answers[stage["key"]] * spec["max_tokens"]
        elif kind == "verify":
            units = answers.get(inputs.get("candidates"), 0)
        elif kind == "finetune":
            source = stages[inputs["samples"]]
            if source["kind"] == "select":
                kept = tasks[source["inputs"]["tasks"]] * source["spec"]["keep"]
                longest = stages[source["inputs"]["candidates"]]["spec"].get("max_tokens", 0) if source["inputs"]["candidates"] in stages else 0
                units = kept * longest * spec["epochs"]
            else:
                units = sum(source["spec"]["samples"].values()) * tokens_of_pair * spec["epochs"]
        else:
            units = 1
        total[kind] = total.get(kind, 0) + units
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--trl", default="trl")
    parser.add_argument("--seconds-per-answer", type=float, help="what judging an answer with code takes; default: what the rehearsal's took")
    parser.add_argument("--usd-per-hour", type=float, default=3.0, help="the price of this machine, for the last line (default 3)")
    given = parser.parse_args()
    store = given.folder / "runs" / ".store"
    rate, units, seconds = rates(store)
    for kind in ("sample", "finetune", "verify"):
        if kind not in rate:
            sys.exit(f"extrapolate.py: {store} has no finished stage `{kind}`: first `trl run {given.folder}/rehearsal.trl`")
    if given.seconds_per_answer:
        rate["verify"] = 1 / given.seconds_per_answer
    corpora = [json.loads(file.read_text())["summary"] for file in store.glob("stages/*/*/stage.json")
               if json.loads(file.read_text())["kind"] == "corpus"]
    tokens_of_pair = sum(c["tokens"] for c in corpora) / sum(c["rows"] for c in corpora)
    plan = json.loads(subprocess.run([given.trl, "plan", "rehearsal.trl", "whole", "--json"], cwd=given.folder, check=True,
                                     stdout=subprocess.PIPE).stdout)
    total = whole(plan[0] if isinstance(plan, list) else plan, tokens_of_pair)
    print(f"{'stage':10} {'unit':>8} {'rehearsed':>12} {'seconds':>9} {'a second':>10} {'whole, at most':>15} {'hours':>8}")
    hours = 0
    for kind in ("finetune", "sample", "verify"):
        its = total[kind] / rate[kind] / 3600
        hours += its
        unit = "answer" if kind == "verify" else "token"
        print(f"{kind:10} {unit:>8} {units[kind]:>12,} {seconds[kind]:>9.1f} {rate[kind]:>10,.1f} {total[kind]:>15,.0f} {its:>8.2f}")
    print(f"{'in all':10} {'':>8} {'':>12} {sum(seconds[k] for k in ('finetune', 'sample', 'verify')):>9.1f} {'':>10} {'':>15} {hours:>8.2f}")
    print(f"At {given.usd_per_hour:g} usd an hour these are {hours * given.usd_per_hour:.2f} usd: extrapolated, not measured; three seeds with both controls.")
    print(f"The recipe: {RECIPE}.")


if __name__ == "__main__":
    main()
