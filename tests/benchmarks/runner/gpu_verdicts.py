"""Compares the verdicts of the executor and of the GPU, each alone, on the same candidates; prints a table and every disagreement.

    gpu_verdicts.py ROWS.jsonl [--verify TRL_VERIFY] [--jobs 12] [--out FILE]
ROWS holds {"task", "answer"} on each line. A candidate is right for the executor when all values are right (memory errors are counted
separately, since a GPU hides many), and for the GPU when the runner's replays and timed runs give right values. Exit status 1 when a
disagreement isn't explained by a memory error, 2 when there is no GPU.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

MEMORY = {'out_of_bounds_load', 'out_of_bounds_store', 'unwritten_read', 'misaligned', 'race', 'illegal_access'}


def verdicts(options, rows, *flags):
    """Returns one verdict per row, from several processes in parallel."""
    with tempfile.TemporaryDirectory() as folder:
        def part(number):
            chosen = range(number, len(rows), options.jobs)
            file = pathlib.Path(folder) / f'{number}.jsonl'
            file.write_text(''.join(rows[i] + '\n' for i in chosen))
            # Each process has one core; the times aren't used.
            done = subprocess.run([options.verify, '--rows', str(file), *flags, '--variations', *options.variations,
                                   '--warm-up', '1', '--trials', '4'], stdout=subprocess.PIPE, text=True,
                                  env=os.environ | {'OMP_NUM_THREADS': '1'})
            answers = [json.loads(line)['verdict'] for line in done.stdout.splitlines()]
            if len(answers) != len(chosen):
                raise SystemExit(f'{options.verify} ended after {len(answers)} of {len(chosen)} rows')
            return dict(zip(chosen, answers))

        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            found = {}
            for one in pool.map(part, range(options.jobs)):
                found.update(one)
    return [found[i] for i in range(len(rows))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('rows', type=pathlib.Path)
    parser.add_argument('--verify', default='trl-verify')
    parser.add_argument('--jobs', type=int, default=12)
    parser.add_argument('--variations', nargs='+', default=['original', 'resize(150%)'])
    parser.add_argument('--out', type=pathlib.Path)
    options = parser.parse_args()
    if not shutil.which('nvidia-smi'):
        print('no GPU here: nothing is compared', file=sys.stderr)
        return 2
    rows = options.rows.read_text().splitlines()
    executor, gpu = verdicts(options, rows), verdicts(options, rows, '--gpu-alone')
    table, unexplained = collections.Counter(), []
    for number, (one, other) in enumerate(zip(executor, gpu)):
        right, on_gpu = one['values'], other['values'] and other['correct']
        memory = one['reason'] in MEMORY
        if right == on_gpu:
            kind = 'agree: ' + ('right' if right and not memory else 'right, with a memory error' if right else 'wrong')
        elif memory or other['reason'] in MEMORY:
            kind = 'differ: a memory error, which the GPU ' + ('hides' if on_gpu else 'shows')
        else:
            kind = 'differ: unexplained'
            unexplained.append(number)
        table[kind] += 1
    for kind, count in sorted(table.items()):
        print(f'{count:6d}  {kind}')
    print(f'{len(rows):6d}  candidates')
    for number in unexplained:
        for name, one in (('executor', executor[number]), ('GPU', gpu[number])):
            print(f'  {number} {json.loads(rows[number])["task"]["name"]}, {name}: {one["failed"]} {one["reason"]} '
                  f'{one["message"]}')
    if options.out:
        options.out.write_text(json.dumps({'executor': executor, 'gpu': gpu}))
    return 1 if unexplained else 0


if __name__ == '__main__':
    sys.exit(main())
