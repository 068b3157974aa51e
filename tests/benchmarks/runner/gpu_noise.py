"""Measures how much a candidate's time varies between verifications: calibrated (10 warm-up runs, 50 trials, trimmed mean of
10 %) and with a single run (1 warm-up run and 1 trial), on an idle host and with every core busy.

    gpu_noise.py ROWS.jsonl [--verify TRL_VERIFY] [--count 20] [--repeats 10] [--out FILE]
ROWS holds {"task", "answer"} of right candidates, one per line. Each candidate is verified --repeats times, with others in between.
Prints the coefficients of variation of its time, of its reference's time and of the speed-up, as medians over candidates.
"""
import argparse
import json
import multiprocessing
import os
import pathlib
import statistics
import subprocess
import sys

CLOCKS = {'calibrated': ('10', '50'), 'single shot': ('1', '1')}


def spin():
    while True:
        sum(range(10000))


def coefficient(values):
    return statistics.stdev(values) / statistics.mean(values)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('rows', type=pathlib.Path)
    parser.add_argument('--verify', default='trl-verify')
    parser.add_argument('--count', type=int, default=20)
    parser.add_argument('--repeats', type=int, default=10)
    parser.add_argument('--out', type=pathlib.Path)
    options = parser.parse_args()
    rows = options.rows.read_text().splitlines()[:options.count]
    lines = ''.join(row + '\n' for row in rows) * options.repeats
    found = {}
    for load in ('idle', 'busy'):
        spinning = [multiprocessing.Process(target=spin, daemon=True) for _ in range(len(os.sched_getaffinity(0)) if load == 'busy' else 0)]
        for one in spinning:
            one.start()
        for clock, (warm_up, trials) in CLOCKS.items():
            done = subprocess.run([options.verify, '--rows', '-', '--gpu-alone', '--warm-up', warm_up, '--trials', trials],
                                  input=lines, stdout=subprocess.PIPE, text=True)
            verdicts = [json.loads(line)['verdict'] for line in done.stdout.splitlines()]
            if len(verdicts) != len(rows) * options.repeats:
                sys.exit(f'{options.verify} ended after {len(verdicts)} verdicts')
            cells = {'time': [], 'reference': [], 'speed-up': []}
            for number in range(len(rows)):
                of = [verdict for verdict in verdicts[number::len(rows)] if verdict['correct']][1:]  # the first one starts processes and compiles
                if len(of) < options.repeats - 1:
                    continue
                cells['time'].append(coefficient([one['time_us'] for one in of]))
                cells['reference'].append(coefficient([one['reference_us'] for one in of]))
                cells['speed-up'].append(coefficient([one['speedup'] for one in of]))
            found[f'{clock}, host {load}'] = cells
            print(f'{clock:12} host {load}   CV of ' + ', '.join(
                f'{name} {100 * statistics.median(values):.1f} %' for name, values in cells.items())
                + f'   n = {len(cells["time"])} candidates x {options.repeats - 1}', flush=True)
        for one in spinning:
            one.terminate()
            one.join()
    if options.out:
        options.out.write_text(json.dumps(found))
    return 0


if __name__ == '__main__':
    sys.exit(main())
