"""Runs one experiment again and again, each time with fresh seeds and a store (and so a secret) of its own, and counts the verdicts of
its hypotheses.

    python3 tests/benchmarks/statistics/replicates.py experiments/placebo.trl placebo --count 10 --out /tmp/replicates

Each run is independent of the others, so that the share of them in which a hypothesis is supported is the chance of that verdict. Runs
that are finished in --out are not run again. Prints a table, and writes verdicts.json.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import subprocess
import sys


def run(options, number):
    """One replicate: its hypotheses as hypotheses.json has them, or None where trl failed."""
    folder = pathlib.Path(options.out) / f"{number:03}"
    found = folder / "runs" / options.experiment / "hypotheses.json"
    if not found.exists():
        folder.mkdir(parents=True, exist_ok=True)
        first = options.first_seed + number * options.seeds
        seeds = list(range(first, first + options.seeds))
        command = [options.trl, "run", options.file, options.experiment, "--set", f"{options.experiment}.seeds={seeds}"]
        command += ["--store", str(folder / "store"), "--out", str(folder / "runs"), *options.more]
        with open(folder / "log", "w") as log:
            if subprocess.run(command, stdout=log, stderr=subprocess.STDOUT).returncode != 0:
                return None
    return json.loads(found.read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("experiment")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seeds", type=int, default=3, help="of each run")
    parser.add_argument("--first-seed", type=int, default=1001)
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time")
    parser.add_argument("--out", required=True)
    parser.add_argument("--trl", default="./trl")
    parser.epilog = "What follows -- are further arguments of trl run."
    words = sys.argv[1:]
    split = words.index("--") if "--" in words else len(words)
    options = parser.parse_args(words[:split])
    options.more = words[split + 1 :]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        replicates = list(pool.map(lambda number: run(options, number), range(options.count)))
    done = [replicate for replicate in replicates if replicate is not None]
    verdicts = collections.defaultdict(collections.Counter)
    for replicate in done:
        for hypothesis in replicate:
            verdicts[hypothesis["hypothesis"]][hypothesis["verdict"]] += 1
    print(f"{len(done)} of {options.count} runs of {options.experiment} finished\n")
    names = ["supported", "equivalent", "refuted", "undecided", "inert"]
    print("| hypothesis | " + " | ".join(names) + " | estimates, points |\n|" + "---|" * (len(names) + 2))
    for hypothesis, counts in verdicts.items():
        estimates = sorted(100 * one["estimate"] for r in done for one in r if one["hypothesis"] == hypothesis and one["estimate"] is not None)
        listed = " ".join(f"{estimate:+.1f}" for estimate in estimates)
        print(f"| {hypothesis} | " + " | ".join(str(counts[name]) for name in names) + f" | {listed} |")
    pathlib.Path(options.out).mkdir(parents=True, exist_ok=True)
    pathlib.Path(options.out, "verdicts.json").write_text(json.dumps(done, indent=1) + "\n")
    return 0 if len(done) == options.count else 1


if __name__ == "__main__":
    sys.exit(main())
