"""Measures CUDA candidates from text to timed verdict, and in the same run how long building them by load_inline takes; and
candidates per second on all cores.

    gpu_cuda.py ROWS.jsonl [--verify TRL_VERIFY] [--worker TRL_WORKER] [--builds 2] [--out FILE]
ROWS.jsonl has lines {"name", "task", "answer"} (`corpus-rows cuda_right`). One worker slot judges them at the task's own size and at
the exam's variations except cast: cold (the candidate is new; processes run already), then warm (its cubins are cached). Then the
first --builds of them are executed as they are: the import of the module, which builds the extension by nvcc, and its first forward.
With 0 that is skipped (it needs nvcc, a C++ compiler and ninja, and takes about a minute each). Only candidates that are right are
counted. Candidates per second are measured with the worker's own stage over all rows, each 8 times with a different comment before its
first kernel, so that no two texts are equal and none uses another's cubin; "again" is with another secret and cached cubins.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import feed
import gpu_cost
import gpu_throughput

COPIES = 8
EXAM = [one for one in gpu_cost.EXAM if not one.startswith('cast')]  # these kernels are written for one precision

NATIVE = """
import json, sys, time
begin = time.monotonic()
import torch
torch.zeros(1, device='cuda')
started = time.monotonic() - begin
sys.path.insert(0, sys.argv[1])
import gpu_agreement as candidates
row = json.load(open(sys.argv[2]))
drawn = [torch.randn(shape, dtype=getattr(torch, candidates.DTYPES[dtype]), device='cuda')
         for dtype, shape in candidates.input_shapes(row['task'], 'original')]
begin = time.monotonic()
module = candidates.make_module('candidate', row['answer'], sys.argv[3])
module.ModelNew().cuda()(*drawn)
torch.cuda.synchronize()
print(json.dumps([started, time.monotonic() - begin]))
"""


def native(row):
    """Returns the seconds of starting PyTorch on the GPU and of building and running the candidate, or None and why it can't be built."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'row.json'
        path.write_text(json.dumps(row))
        environment = os.environ | {'TORCH_EXTENSIONS_DIR': folder, 'TORCH_CUDA_ARCH_LIST': '9.0'}
        done = subprocess.run([sys.executable, '-c', NATIVE, str(pathlib.Path(gpu_cost.candidates.__file__).parent), str(path), folder],
                              env=environment, capture_output=True, text=True)
        if done.returncode:
            return None, done.stderr.strip().splitlines()[-1][:200] if done.stderr.strip() else f'status {done.returncode}'
        return json.loads(done.stdout.splitlines()[-1]), ''


def cost(rows, options):
    found, right = {}, []
    for title, variations in (("the task's own sizes", ['original']), ("the exam's without another precision", EXAM)):
        verifier = feed.Feed(options.verify, '--gpu', '--variations', *variations)
        begin = time.monotonic()
        verifier.verify(rows[0])
        print(f'{title}: started, and the first candidate, in {time.monotonic() - begin:.1f} s')
        cold, warm = [verifier.verify(row) for row in rows[1:]], [verifier.verify(row) for row in rows[1:]]
        verifier.close()
        both = [at for at in range(len(cold)) if cold[at]['verdict']['correct'] and warm[at]['verdict']['correct']]
        right = right or both
        found[title] = {'cold': gpu_cost.table(f'{title}, cold', [cold[at] for at in both]),
                        'warm': gpu_cost.table(f'{title}, warm', [warm[at] for at in both])}
        for at in sorted(set(range(len(cold))) - set(both)):
            verdict = cold[at]['verdict']
            print(f'  {rows[at + 1].get("name", at)}: {verdict["failed"]}, {verdict["reason"]}: {verdict["message"][:120]}')
    return found, [rows[at + 1] for at in right]


def throughput(rows, options):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / 'tasks.json').write_text(json.dumps([row['task'] for row in rows]))
        with (folder / 'candidates.jsonl').open('w') as file:
            for copy in range(COPIES):
                for at, row in enumerate(rows):
                    answer = row['answer'].replace('__global__', f'/* {copy} */ __global__', 1)
                    file.write(json.dumps({'task': at, 'name': row['task']['name'], 'group': 'cuda', 'sample': copy, 'prompt': '',
                                           'answer': answer, 'tokens': 1, 'finish': 'stop'}) + '\n')
        found = {}
        for name, turn in (('plain', 'cold'), ('plain', 'again'), ('training', 'cold'), ('training', 'again')):
            if turn == 'cold':
                worker = gpu_throughput.Worker(options.worker)
            spec = gpu_throughput.PROTOCOLS[name] | {'variations': gpu_throughput.PROTOCOLS[name]['variations'][:4]} | gpu_throughput.LIMITS | gpu_throughput.TIMED
            summary, verdicts = gpu_throughput.verify(worker, folder, spec, turn, options.threads)
            right = sum(one['correct'] for one in verdicts)
            rate = len(verdicts) / summary['seconds']
            print(f'{name:9} {turn:6} {rate:7.1f} candidates/s ({len(verdicts)} in {summary["seconds"]:.1f} s, {right} right), '
                  f'{options.threads} threads; slot-seconds: '
                  + ', '.join(f'{work} {value:.1f}' for work, value in summary['spent'].items() if value >= 0.05), flush=True)
            found[f'{name} {turn}'] = rate
            if turn == 'again':  # the next protocol has no cached cubins
                worker.close()
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('rows', type=pathlib.Path)
    parser.add_argument('--verify', default='trl-verify')
    parser.add_argument('--worker', default='trl-worker')
    parser.add_argument('--threads', type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument('--builds', type=int, default=2)
    parser.add_argument('--out', type=pathlib.Path)
    options = parser.parse_args()
    rows = [json.loads(line) for line in options.rows.read_text().splitlines()]
    found, right = cost(rows, options)
    found['throughput'] = throughput(rows, options)
    built = []
    for row in right[:options.builds]:
        seconds, why = native(row)
        print(f'load_inline, {row.get("name", "")}: '
              + (f'{seconds[1]:.1f} s, after {seconds[0]:.1f} s for PyTorch to start' if seconds else f'not built: {why}'), flush=True)
        if seconds:
            built.append(seconds[1])
    if built:
        ours = found["the task's own sizes"]['cold']['all'] / 1e3
        print(f'load_inline takes {statistics.median(built) / ours:.0f} times as long as a cold verdict here')
        found['load_inline'] = built
    if options.out:
        options.out.write_text(json.dumps(found))
    return 0


if __name__ == '__main__':
    sys.exit(main())
