"""Judges candidates of the corpus under many secrets, and names those whose verdict changes (README.md)."""

import argparse
import collections
import json
import os
import resource
import subprocess
import sys
import time

EXAM = {
    "variations": ["original", "scale(2)", "reseed", "resize(150%)", "extreme"],  # many of the corpus are in one type alone
    "tiny": True, "compile": "all", "memory_checks": True, "strict": True, "modelled_for": "H200",
    "limits": {"seconds": 20, "memory_bytes": 1 << 30, "total_seconds": 60, "wall_seconds": 300},
}


def candidates_of(programs, folder, only, count):
    rows = subprocess.run([os.path.join(programs, "corpus-rows"), folder], check=True, capture_output=True, text=True).stdout
    found = [row for row in map(json.loads, rows.splitlines()) if only in row["name"] or only in row.get("family", "")]
    if len(found) <= count:
        return found
    return [found[i * len(found) // count] for i in range(count)]


def judged(programs, candidates, secret, sandbox, slots):
    """The verdict of each candidate."""
    request = {"spec": EXAM, "secret": secret, "sandbox": sandbox, "slots": slots,
               "candidates": [{"task": one["task"], "answer": one["answer"]} for one in candidates]}
    run = subprocess.run([os.path.join(programs, "trl-verify"), "--request"], input=json.dumps(request), capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"trl-verify: {run.stderr.strip()}")
    rows = {row["number"]: row for row in map(json.loads, run.stdout.splitlines())}
    return [rows[i] for i in range(len(candidates))]


def said(row):
    if row["correct"]:
        return "right"
    return f"{row['reason']} under {row.get('variation') or row['failed']}: {(row.get('message') or '')[:200]}"


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("programs", help="the folder of trl-verify and corpus-rows")
    options.add_argument("--folder", default="honest")
    options.add_argument("--only", default="", help="a text of the names of candidates")
    options.add_argument("--candidates", type=int, default=100)
    options.add_argument("--secrets", type=int, default=20)
    options.add_argument("--seconds", type=float, default=float("inf"), help="CPU seconds, after which no other secret begins")
    options.add_argument("--slots", type=int, default=1)
    options.add_argument("--no-sandbox", action="store_true")
    given = options.parse_args()
    candidates = candidates_of(given.programs, given.folder, given.only, given.candidates)
    own = os.environ.get("TRL_TEST_SECRET")
    secrets = [own] if own else [os.urandom(32).hex() for _ in range(given.secrets)]
    verdicts, tried, begun = [collections.Counter() for _ in candidates], 0, time.time()
    for secret in secrets:
        if cpu_seconds() > given.seconds:
            break
        rows = judged(given.programs, candidates, secret, not given.no_sandbox, given.slots)
        tried += 1
        for one, row, seen in zip(candidates, rows, verdicts):
            seen[row["correct"]] += 1
            if row["correct"] != (given.folder == "honest"):
                print(f"{one['name']}: {said(row)}; TRL_TEST_SECRET={secret}", flush=True)
    changing = [one["name"] for one, seen in zip(candidates, verdicts) if len(seen) > 1]
    unlike = [one["name"] for one, seen in zip(candidates, verdicts) if seen[given.folder == "honest"] < tried]
    print(f"{len(candidates)} candidates, {tried} secrets, {len(changing)} verdicts that change, "
          f"{len(unlike)} candidates that are ever {'refused' if given.folder == 'honest' else 'accepted'}; "
          f"{cpu_seconds():.0f} s of CPU time, {time.time() - begun:.0f} s")
    sys.exit(bool(unlike))


if __name__ == "__main__":
    main()
