"""Runs kernels with a known race or deadlock and their right twins on a GPU and under compute-sanitizer.

    gpu_races.py race_kernels.py [--seconds 60] [--sanitizer compute-sanitizer]
Runs each kernel repeatedly on this GPU with the same contents of memory, and counts the runs whose values differ from the
expected ones. Each kernel gets an equal part of the seconds, in a process of its own, since a kernel that waits for ever ends only
with its process. Then each runs once under `compute-sanitizer --tool racecheck`. racecheck examines shared memory only, and none of
these races is there, so a clean report says nothing about global memory. Waiting for a program that may not have begun is a
deadlock if each multiprocessor holds one block; on a GPU with room for more it ends. Needs torch, triton and, for the last column,
compute-sanitizer.
"""
import argparse
import importlib.util
import json
import pathlib
import shutil
import subprocess
import sys
import time


def suite(path):
    spec = importlib.util.spec_from_file_location('race_kernels', path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.cases()


def differs(args, expected):
    import torch
    for at, values in expected.items():
        got, want = args[at].cpu().double().reshape(-1), values.double().reshape(-1)
        if not torch.allclose(got, want, rtol=1e-4, atol=1e-3):
            return True
    return False


def run_one(path, name, seconds, at_most):
    """Runs in a process of its own. Returns the number of runs and of wrong ones; where no values are expected, runs whose values differ
    from the first run's count as wrong."""
    import torch
    case = next(one for one in suite(path) if one['name'] == name)
    made, expected = {}, case['expected']
    for argument in case['args']:
        if isinstance(argument, torch.Tensor):
            made.setdefault(id(argument), (argument.cuda(), argument.clone().cuda()))
    args = [made[id(a)][0] if isinstance(a, torch.Tensor) else a for a in case['args']]
    runs = wrong = 0
    first = None
    end = time.monotonic() + seconds
    while runs < at_most and (runs == 0 or time.monotonic() < end):
        for tensor, contents in made.values():
            tensor.copy_(contents)
        case['kernel'][case['grid']](*args, **case['constants'])
        torch.cuda.synchronize()
        runs += 1
        if expected:
            wrong += differs(args, expected)
            continue
        values = [a.cpu() for a in args if isinstance(a, torch.Tensor)]
        first = first or values
        wrong += any(not torch.equal(a, b) for a, b in zip(first, values))
    print(json.dumps({'runs': runs, 'wrong': wrong}))


def ask(command, seconds):
    """Returns the last line that a command printed as JSON, all of its output, and whether it ended in time."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, '', False
    rows = [line for line in done.stdout.splitlines() if line.startswith('{')]
    return json.loads(rows[-1]) if rows else None, done.stdout + done.stderr, True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('suite', type=pathlib.Path)
    parser.add_argument('--seconds', type=float, default=60, help='of running kernels, all together')
    parser.add_argument('--patience', type=float, default=25, help='seconds until a kernel counts as one that never ends')
    parser.add_argument('--sanitizer', default='compute-sanitizer')
    parser.add_argument('--one', help=argparse.SUPPRESS)
    parser.add_argument('--most', type=int, default=1 << 30, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        run_one(options.suite, options.one, options.seconds, options.most)
        return
    cases = suite(options.suite)
    sanitizer = shutil.which(options.sanitizer)
    command = [sys.executable, __file__, str(options.suite)]
    share = options.seconds / len(cases)
    failed = 0
    print(f'{"kernel":<34}{"known":>10}{"runs":>8}{"wrong":>8}{"racecheck":>12}')
    for case in cases:
        one = ['--one', case['name']]
        row, said, ended = ask([*command, *one, '--seconds', str(share)], options.patience)
        checked = '-'
        if sanitizer and ended and row:
            _, text, in_time = ask([sanitizer, '--tool', 'racecheck', *command, *one, '--most', '1'], options.patience)
            summary = [line for line in text.splitlines() if 'RACECHECK SUMMARY' in line]
            checked = summary[-1].split('SUMMARY:')[1].split('(')[0].strip()[:11] if summary else 'fails' if in_time else 'never ends'
        runs, wrong = (row['runs'], row['wrong']) if row else (0, 'never ends' if not ended else 'fails')
        print(f'{case["name"]:<34}{case["wrong"] or "right":>10}{runs:>8}{wrong:>8}{checked:>12}', flush=True)
        if not row and ended:
            print('  ' + (said.strip().splitlines() or ['?'])[-1][:150])
        failed += case['wrong'] is None and wrong != 0
    print(f'\n{failed} right kernels with other values than expected' if failed else '\nEvery right kernel gave what is expected.')
    if not sanitizer:
        print(f'{options.sanitizer} is not here: nothing was asked of racecheck')
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
