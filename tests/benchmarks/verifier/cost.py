"""Compares what a candidate costs in CPU time with two builds of the verifier (README.md)."""

import argparse
import collections
import json
import os
import statistics
import subprocess
import sys

from stability import EXAM, candidates_of

TRAINING = {"variations": ["original"], "compile": "after_values", "modelled_for": "H200",
            "limits": {"seconds": 20, "memory_bytes": 1 << 30, "total_seconds": 60, "wall_seconds": 300}}
SECRETS = ["5ec7e7" + f"{i:02x}" * 29 for i in range(1, 100)]


def judge(home, spec, candidates, secret, sandbox):
    """The CPU seconds of each right candidate by kind of work, by the candidate's number."""
    request = {"spec": spec, "secret": secret, "sandbox": sandbox, "slots": 1,
               "candidates": [{"task": one["task"], "answer": one["answer"]} for one in candidates]}
    run = subprocess.run([os.path.join(home, "bin", "trl-verify"), "--request"], input=json.dumps(request), capture_output=True, text=True,
                         env=os.environ | {"TRL_HOME": home, "OMP_NUM_THREADS": "1"})
    if run.returncode != 0:
        sys.exit(f"{home}: {run.stderr.strip()}")
    rows = map(json.loads, run.stdout.splitlines())
    return {row["number"]: {work: seconds for work, seconds in row["budget"]["cpu_seconds"].items() if work != "limit"}
            for row in rows if row["correct"]}


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("before", help="the home of the build before: a folder with bin/ and verifier/")
    options.add_argument("after", help="the home of the other build, which has corpus-rows in bin/")
    options.add_argument("--folder", default="honest")
    options.add_argument("--candidates", type=int, default=100)
    options.add_argument("--repetitions", type=int, default=5)
    options.add_argument("--no-sandbox", action="store_true")
    given = options.parse_args()
    homes = [os.path.abspath(given.before), os.path.abspath(given.after)]
    os.environ["TRL_HOME"] = homes[1]
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
