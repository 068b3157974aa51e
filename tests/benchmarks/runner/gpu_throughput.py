"""Measures candidates per second from text to timed verdict, by the worker's own stage, on all cores and one GPU.

    gpu_throughput.py FOLDER [--worker TRL_WORKER] [--threads N] [--protocols exam training …]
FOLDER holds tasks.json and candidates.jsonl (docs/interfaces.md, 3); its tasks are split into two halves. Each protocol has a worker of
its own. It judges the first half after its start (cold: processes start, compilers load), then the second half (warm: processes run,
but all candidates are new, as in a long run), and then the second half with another secret (again: cubins are cached). Printed with
the rate are the distribution of verdicts, how many candidates repeat another one, and the timings of a worker slot.

  exam        everything compiled first, tiny, five variations, strict
  training    all extensions of the recipe: tiny first, five variations, compiled once values are right
  no funnel   the same, but everything compiled first and nothing tried tiny
  plain       the task's own sizes alone
"""
import argparse
import collections
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

ALL = ['original', {'call': 'scale', 'args': [2]}, 'reseed', {'call': 'resize', 'args': [1.5]}, {'call': 'cast', 'args': ['f16']}]
TRAINING = {'variations': ALL, 'tiny': True, 'compile': 'after_values', 'memory_checks': False, 'strict': False}
PROTOCOLS = {'exam': TRAINING | {'compile': 'all', 'memory_checks': True, 'strict': True},
             'training': TRAINING,
             'no funnel': TRAINING | {'compile': 'all', 'tiny': False},
             'plain': TRAINING | {'variations': ['original'], 'tiny': False}}
TIMED = {'timed': True, 'timing': {'warmup': 10, 'trials': 50, 'trim': 0.1}}
LIMITS = {'limits': {'seconds': 20, 'memory_bytes': 1 << 30}}
GPU_WORK = ('load', 'replay', 'time', 'reference')


class Worker:
    def __init__(self, program):
        ours, its = socket.socketpair()
        with its:
            self.process = subprocess.Popen([program, '--protocol-fd', str(its.fileno())], pass_fds=[its.fileno()])
        self.events = ours.makefile('rw')
        ours.close()

    def run(self, request):
        self.events.write(json.dumps(request) + '\n')
        self.events.flush()
        for line in self.events:
            event = json.loads(line)
            if event['event'] == 'done':
                return event['summary']
            if event['event'] == 'error':
                sys.exit('the worker says: ' + event['message'])
        sys.exit('the worker ended')

    def close(self):
        self.events.close()
        self.process.wait(20)


def verify(worker, folder, spec, secret, threads):
    """Runs the stage and returns (summary, verdicts)."""
    with tempfile.TemporaryDirectory() as output:
        summary = worker.run({'id': 1, 'stage': 'verify', 'spec': spec, 'inputs': {'candidates': str(folder), 'tasks': str(folder)},
                              'output': output, 'secret': secret, 'sandbox': True, 'threads': threads, 'device': 'cpu'})
        return summary, [json.loads(line) for line in (pathlib.Path(output) / 'verdicts.jsonl').read_text().splitlines()]


def halves(folder, work):
    """Makes two folders, each with every other task and its candidates; returns also how many candidates repeat an earlier one."""
    rows = [json.loads(line) for line in (folder / 'candidates.jsonl').read_text().splitlines()]
    repeated = len(rows) - len({(row['task'], row['answer']) for row in rows})
    for half in (0, 1):
        (work / str(half)).mkdir()
        (work / str(half) / 'tasks.json').write_bytes((folder / 'tasks.json').read_bytes())
        (work / str(half) / 'candidates.jsonl').write_text(
            ''.join(json.dumps(row) + '\n' for row in rows if row['task'] % 2 == half))
    return work / '0', work / '1', repeated, len(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('--worker', default='trl-worker')
    parser.add_argument('--threads', type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument('--protocols', nargs='+', default=list(PROTOCOLS), choices=list(PROTOCOLS))
    parser.add_argument('--modelled', action='store_true', help='without the GPU, for comparison')
    parser.add_argument('--out', type=pathlib.Path)
    options = parser.parse_args()
    found = []
    with tempfile.TemporaryDirectory() as work:
        first, second, repeated, count = halves(options.folder.resolve(), pathlib.Path(work))
        print(f'{options.threads} threads; {count} candidates, {repeated} of them word for word as another of their task')
        for name in options.protocols:
            worker = Worker(options.worker)
            for turn, part in (('cold', first), ('warm', second), ('again', second)):
                begin = time.monotonic()
                spec = PROTOCOLS[name] | LIMITS | ({'modelled_for': 'H200'} if options.modelled else TIMED)
                summary, rows = verify(worker, part, spec, turn, options.threads)
                whole = time.monotonic() - begin
                mix = collections.Counter('correct' if row['correct'] else row['failed'] for row in rows)
                spent = summary['spent']
                print(f'{name:9} {turn:5}  {len(rows) / summary["seconds"]:7.1f} candidates/s ({len(rows)} in '
                      f'{summary["seconds"]:.1f} s; {whole:.1f} s with starting)   '
                      + ', '.join(f'{number} {kind}' for kind, number in mix.most_common()))
                print('                 slot-seconds: ' + ', '.join(f'{work} {value:.1f}' for work, value in spent.items()
                                                                    if value >= 0.05)
                      + f'; the GPU is taken {100 * sum(spent[one] for one in GPU_WORK) / summary["seconds"]:.0f} % of the time', flush=True)
                found.append({'protocol': name, 'turn': turn, 'candidates': len(rows), 'seconds': summary['seconds'],
                              'whole': whole, 'mix': mix, 'spent': spent})
            worker.close()
    if options.out:
        options.out.write_text(json.dumps(found))
    return 0


if __name__ == '__main__':
    sys.exit(main())
