"""Makes the input of gpu_time.py: generated answers, including ones that are only slow, at the suites' sizes and at larger ones,
each with the executor's counters of every launch.

    answer-samples slow 1 | time_data.py TRL_VERIFY OUT.jsonl [--tasks 40] [--seed 1]
"""
import argparse
import json
import pathlib
import random
import subprocess
import sys


def scaled(task, factor):
    """Returns the task with every dimension multiplied; its key stays, since it ignores sizes."""
    return {**task, 'dims': [[name, size * factor] for name, size in task['dims']]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('trl_verify', type=pathlib.Path)
    parser.add_argument('out', type=pathlib.Path)
    parser.add_argument('--tasks', type=int, default=40)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    by_task = {}
    for line in sys.stdin:
        row = json.loads(line)
        by_task.setdefault(row['task']['key'], []).append(row)
    keys = sorted(by_task)
    random.Random(options.seed).shuffle(keys)
    asked = options.out.with_suffix('.asked')
    with open(asked, 'w') as file:
        for key in keys[:options.tasks]:
            for row in by_task[key]:
                # A matrix product at 16 times the size would take minutes in the executor.
                for factor in ((1, 2) if 'matmul' in key else (1, 4, 12)):
                    file.write(json.dumps({'task': scaled(row['task'], factor), 'factor': factor, 'flaw': row['flaw'] or None,
                                           'answer': row['answer']}) + '\n')
    with open(options.out, 'w') as file:
        status = subprocess.run([options.trl_verify, '--rows', asked], stdout=file).returncode
    if status == 2:
        raise SystemExit('trl-verify refused the rows')
    rows = [json.loads(line) for line in options.out.read_text().splitlines()]
    rows = [row for row in rows if row['verdict']['correct']]
    options.out.write_text(''.join(json.dumps(row) + '\n' for row in rows))
    asked.unlink()
    print(f'{len(rows)} right answers with their counters in {options.out}')


if __name__ == '__main__':
    main()
