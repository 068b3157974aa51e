"""Measures one candidate from text to timed verdict, step by step, in one worker slot, and in the same run KernelBench's own
evaluation of the same candidates.

    gpu_cost.py FOLDER [--verify TRL_VERIFY] [--count 60] [--kernelbench FOLDER] [--out FILE]
FOLDER holds tasks.json and candidates.jsonl (docs/interfaces.md, 3). Processes are started before the measurement (the time for that is
printed). Cold: the candidate is new. Warm: it is judged once more, with its cubins and its reference's graph cached. The five
variations are the exam's, with three different shapes. --kernelbench names a folder with KernelBench's package `kernelbench`
(github.com/ScalingIntelligence/KernelBench, src): its eval_kernel_against_ref runs with 5 correctness and 100 timing trials in this
process, first with an empty Triton cache, then again. Only candidates that are right are counted.
"""
import argparse
import contextlib
import io
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / 'executor'))
import feed
import gpu_agreement as candidates

EXAM = ['original', 'scale(2)', 'reseed', 'resize(150%)', 'cast(f16)']
GPU_WORK = ('load', 'replay', 'time', 'reference')


def quantile(values, share):
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]


def table(title, answers):
    """Prints a line per step: median and 90th percentile in milliseconds."""
    steps = {name: [1e3 * one['spent'][name] for one in answers] for name in answers[0]['spent']}
    steps['GPU in all'] = [1e3 * sum(one['spent'][name] for name in GPU_WORK) for one in answers]
    steps['all'] = [1e3 * one['seconds'] for one in answers]
    print(f'{title}, n = {len(answers)}')
    for name, values in steps.items():
        print(f'  {name:12} {statistics.median(values):8.1f} ms   90 %: {quantile(values, 0.9):8.1f}')
    return {name: statistics.median(values) for name, values in steps.items()}


def reference_source(row):
    """Returns the task's module with KernelBench's functions."""
    lines = ['import torch', 'import torch.nn as nn', 'import torch.nn.functional as F', row['prompt'], 'def get_inputs():']
    shapes = candidates.input_shapes(row['task'], 'original')
    drawn = ', '.join(f'torch.randn({shape}, dtype=torch.{candidates.DTYPES[dtype]})' for dtype, shape in shapes)
    return '\n'.join([*lines, f'    return [{drawn}]', 'def get_init_inputs():', '    return []', ''])


def kernelbench(folder, rows):
    """Returns the seconds of each evaluation (cold, warm) and whether it found the candidate right."""
    sys.path.insert(0, str(folder))
    os.environ['TRITON_CACHE_DIR'] = tempfile.mkdtemp()
    begin = time.monotonic()
    from kernelbench import eval as evaluation
    import torch
    torch.zeros(1, device='cuda')
    started, results = time.monotonic() - begin, []
    for turn in range(2):
        for number, row in enumerate(rows):
            source = 'import torch\nimport triton\nimport triton.language as tl\n' + candidates.extract_source(row['answer'])
            begin = time.monotonic()
            with contextlib.redirect_stdout(io.StringIO()):
                result = evaluation.eval_kernel_against_ref(
                    reference_source(row), source, num_correct_trials=5, num_perf_trials=100, measure_performance=True,
                    backend='triton', device=torch.device('cuda:0'))
            results.append((turn, number, time.monotonic() - begin, bool(result and result.correctness)))
    return started, results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('--verify', default='trl-verify')
    parser.add_argument('--count', type=int, default=60)
    parser.add_argument('--kernelbench', type=pathlib.Path)
    parser.add_argument('--out', type=pathlib.Path)
    options = parser.parse_args()
    tasks = json.loads((options.folder / 'tasks.json').read_text())
    rows = [json.loads(line) for line in (options.folder / 'candidates.jsonl').read_text().splitlines()]
    rows = [row | {'task': tasks[row['task']]} for row in rows[::max(1, len(rows) // options.count)]][:options.count + 1]
    first, rows, found = rows[0], rows[1:], {}
    right = []
    for title, variations in (("the task's own sizes", ['original']), ("the exam's five variations", EXAM)):
        verifier = feed.Feed(options.verify, '--gpu', '--variations', *variations)
        begin = time.monotonic()
        verifier.verify(first)
        print(f'{title}: started, and the first candidate, in {time.monotonic() - begin:.1f} s')
        cold = [verifier.verify(row) for row in rows]
        warm = [verifier.verify(row) for row in rows]
        verifier.close()
        both = [number for number in range(len(rows)) if cold[number]['verdict']['correct'] and warm[number]['verdict']['correct']]
        right = right or both
        found[title] = {'cold': table(f'{title}, cold', [cold[number] for number in both]),
                        'warm': table(f'{title}, warm', [warm[number] for number in both])}
    if options.kernelbench:
        started, results = kernelbench(options.kernelbench.resolve(), [rows[number] for number in right])
        print(f'KernelBench: imported in {started:.1f} s')
        for turn, title in ((0, 'cold'), (1, 'warm')):
            seconds = [1e3 * took for at, _, took, correct in results if at == turn and correct]
            ours = found["the task's own sizes"][title]['all']
            print(f'KernelBench, {title}, n = {len(seconds)}: {statistics.median(seconds):.1f} ms   90 %: '
                  f'{quantile(seconds, 0.9):.1f}; ours takes {ours / statistics.median(seconds):.2f} of it')
            found[f'KernelBench {title}'] = statistics.median(seconds)
        wrong = {number for _, number, _, correct in results if not correct}
        if wrong:
            print(f'  {len(wrong)} candidates that are right here are not for KernelBench')
    if options.out:
        options.out.write_text(json.dumps(found))
    return 0


if __name__ == '__main__':
    sys.exit(main())
