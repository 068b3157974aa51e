"""Compares the verdicts of the service's worker slots with those of `trl verify`, over the corpora of candidates.

Slots are asked as the server asks them (trl-verify --serve), since the corpora's tasks are none of a server's. Both draw inputs from one
secret. Costs and the record of the machine aren't compared.

  TRL=build/release/bin/trl tests/benchmarks/service/corpora.py --every 4 honest hostile
"""

import argparse
import json
import os
import pathlib
import queue
import subprocess
import sys
import tempfile
import threading

BIN = pathlib.Path(os.environ["TRL"]).parent
UNCOMPARED = {"budget", "made_on", "number", "candidate", "task", "secret"}
DEADLINE = 280


def compared(row):
    return {name: value for name, value in row.items() if name not in UNCOMPARED and value not in (None, [])}


def serve(rows, spec, secret, verdicts):
    """Judges what is in the queue on one slot."""
    slot = subprocess.Popen([BIN / "trl-verify", "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def say(message):
        slot.stdin.write(json.dumps(message) + "\n")
        slot.stdin.flush()
        return json.loads(slot.stdout.readline())

    say({"sandbox": True, "measured": False})
    while True:
        try:
            number, row = rows.get_nowait()
        except queue.Empty:
            break
        verdicts[number] = say({"id": str(number), "task": row["task"], "own": True, "answer": row["answer"], "spec": spec,
                                "secret": secret, "deadline_s": DEADLINE, "publish": False})["row"]
    slot.stdin.close()
    slot.wait()


def exam():
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "serve"))
    from server import Server
    with Server("--slots", "1", "--no-store") as server:
        return server.get("/v1/protocols")[1]["protocols"]["exam"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", help="honest, hostile, cuda_right, cuda_wrong, cuda_hostile")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--slots", type=int, default=2)
    options = parser.parse_args()
    spec, different, all_rows = exam(), 0, 0
    for folder in options.folders:
        lines = subprocess.run([BIN / "corpus-rows", folder], check=True, capture_output=True, text=True).stdout.splitlines()
        rows, secret = [json.loads(line) for line in lines][::options.every], os.urandom(32).hex()
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.writelines(json.dumps({"task": row["task"], "answer": row["answer"]}) + "\n" for row in rows)
            file.flush()
            told = subprocess.run([os.environ["TRL"], "verify", "--rows", file.name, "--json", "--secret", secret, "--parallel",
                                   str(options.slots)], capture_output=True, text=True).stdout.splitlines()
        waiting, verdicts = queue.Queue(), {}
        for pair in enumerate(rows):
            waiting.put(pair)
        threads = [threading.Thread(target=serve, args=(waiting, spec, secret, verdicts)) for _ in range(options.slots)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(told) == len(rows) == len(verdicts), (len(told), len(rows), len(verdicts))
        reasons = {}
        for number, row in enumerate(rows):
            by_verify, by_slot = compared(json.loads(told[number])), compared(verdicts[number])
            reasons[by_slot.get("reason", "correct")] = reasons.get(by_slot.get("reason", "correct"), 0) + 1
            names = {name for name in {*by_verify, *by_slot} if by_verify.get(name) != by_slot.get(name)}
            if {"stages"} & names and all(
                    {k: v for k, v in a.items() if v not in (None, [], True)} == {k: v for k, v in b.items() if v not in (None, [], True)}
                    for a, b in zip(by_verify["stages"], by_slot["stages"], strict=True)):
                names.discard("stages")  # the one leaves out what the other writes as null
            if names:
                different += 1
                print(f"DIFFERENT {row['name']}: " + "; ".join(f"{name}: {by_verify.get(name)!r} {by_slot.get(name)!r}"[:300] for name in sorted(names)))
        all_rows += len(rows)
        print(f"{folder}: {len(rows)} candidates; " + ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items())))
    print(f"{all_rows} verdicts, {different} different")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
