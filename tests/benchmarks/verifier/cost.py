"""Compares what a candidate costs in CPU time with two builds of the verifier (README.md)."""

import argparse
import collections
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys

from stability import EXAM, candidates_of

TRAINING = {"variations": ["original"], "compile": "after_values", "modelled_for": "H200",
            "limits": {"seconds": 20, "memory_bytes": 1 << 30, "total_seconds": 60, "wall_seconds": 300}}
SECRETS = ["5ec7e7" + f"{i:02x}" * 29 for i in range(1, 100)]


def verdicts(home, spec, candidates, secret, sandbox):
    request = {"spec": spec, "secret": secret, "sandbox": sandbox, "slots": 1,
               "candidates": [{"task": one["task"], "answer": one["answer"]} for one in candidates]}
    run = subprocess.run([os.path.join(home, "bin", "trl-verify"), "--request"], input=json.dumps(request), capture_output=True, text=True,
                         env=os.environ | {"TRL_HOME": home, "OMP_NUM_THREADS": "1"})
    if run.returncode != 0:
        sys.exit(f"{home}: {run.stderr.strip()}")
    return list(map(json.loads, run.stdout.splitlines()))


def judge(home, spec, candidates, secret, sandbox):
    """The CPU seconds of each right candidate by kind of work, by the candidate's number."""
    return {row["number"]: {work: seconds for work, seconds in row["budget"]["cpu_seconds"].items() if work != "limit"}
            for row in verdicts(home, spec, candidates, secret, sandbox) if row["correct"]}


def sampled_in(store):
    """The answers that training sampled in a store, with their tasks and the protocol that judged them. Stages refer to others by key."""
    stages = {}
    for file in sorted(pathlib.Path(store).glob("stages/*/*/stage.json")):
        stage = json.loads(file.read_text())
        stages[stage["key"]] = (stage, file.parent)
    for stage, _ in stages.values():
        if stage["kind"] == "verify" and "/round " in stage["slot"] and stage["spec"]["variations"] == ["original"] and not stage["spec"]["memory_checks"]:
            candidates, tasks = (stages[stage["inputs"][name]][1] for name in ("candidates", "tasks"))
            tasks = json.loads((tasks / "tasks.json").read_text())
            for row in map(json.loads, (candidates / "candidates.jsonl").read_text().splitlines()):
                yield stage["spec"], {"task": tasks[row["task"]], "answer": row["answer"]}


def of_sampled(homes, given):
    """Prints what answers cost that training sampled, right or wrong; what trl-verify itself computes (drawing inputs, f64) as "own"."""
    found = list(sampled_in(given.store))
    if not found:
        sys.exit(f"{given.store} has no stage that judged training's answers without extensions")
    count = min(len(found), given.candidates)
    found = [found[i * len(found) // count] for i in range(count)]
    spec, candidates = found[0][0], [one for _, one in found]
    print(f"{len(candidates)} answers of {given.store}, CPU ms an answer before / after, by work")
    ratios = []
    for secret in SECRETS[:given.repetitions]:
        said, totals = collections.defaultdict(list), []
        for home in homes:
            used = []
            for some in (candidates[:1], candidates):
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                rows = verdicts(home, spec, some, secret, not given.no_sandbox)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                used.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
            works = collections.Counter({"own": used[1] - used[0]})
            for row in rows:
                works.update({work: seconds for work, seconds in row["budget"]["cpu_seconds"].items() if work != "limit"})
            for work in sorted(works):
                said[work].append(f"{1000 * works[work] / len(rows):.1f}")
            said["right"].append(str(sum(row["correct"] for row in rows)))
            totals.append(sum(works.values()))
        ratios.append(totals[1] / totals[0])
        print(", ".join(f"{work} {' / '.join(each)}" for work, each in said.items()), f"  ratio {ratios[-1]:.2f}", flush=True)
    print(f"median ratio {statistics.median(ratios):.2f}")


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("before", help="the home of the build before: a folder with bin/ and verifier/")
    options.add_argument("after", help="the home of the other build, which has corpus-rows in bin/")
    options.add_argument("--folder", default="honest")
    options.add_argument("--candidates", type=int, default=100)
    options.add_argument("--repetitions", type=int, default=5)
    options.add_argument("--store", help="the store of a study, whose training's answers are judged instead of the corpus")
    options.add_argument("--no-sandbox", action="store_true")
    given = options.parse_args()
    homes = [os.path.abspath(given.before), os.path.abspath(given.after)]
    os.environ["TRL_HOME"] = homes[1]
    if given.store:
        of_sampled(homes, given)
        return
    candidates = candidates_of(os.path.join(homes[1], "bin"), given.folder, "", given.candidates)
    print("protocol   right in both   CPU ms a candidate before / after, by work   ratio of all (median; least, most)   of a candidate (median)")
    for name, spec in (("training", TRAINING), ("exam", EXAM)):
        sums, ratios, each, right = ([], []), [], [], 0
        for secret in SECRETS[:given.repetitions]:
            judged = [judge(home, spec, candidates, secret, not given.no_sandbox) for home in homes]
            both = sorted(judged[0].keys() & judged[1].keys())
            right += len(both)
            totals = []
            for rows, into in zip(judged, sums):
                works = collections.Counter()
                for number in both:
                    works.update(rows[number])
                into.append(works)
                totals.append(sum(works.values()))
            ratios.append(totals[1] / totals[0])
            each += [sum(judged[1][number].values()) / sum(judged[0][number].values()) for number in both]
        kinds = sorted(set().union(*sums[0], *sums[1]))
        by_work = ", ".join(f"{kind} " + " / ".join(f"{1000 * sum(one[kind] for one in side) / right:.0f}" for side in sums) for kind in kinds)
        print(f"{name:10} {right:13}   {by_work}   {statistics.median(ratios):.2f} ({min(ratios):.2f}, {max(ratios):.2f})   {statistics.median(each):.2f}", flush=True)


if __name__ == "__main__":
    main()
