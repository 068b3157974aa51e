"""Candidates a second from text to timed verdict, by the worker's own stage, on all cores and one GPU.

    gpu_throughput.py FOLDER [--worker TRL_WORKER] [--threads N] [--repeats 2]
FOLDER holds tasks.json and candidates.jsonl (docs/seams.md, 3). The exam's protocol and a training round's are run, each in a
worker of its own (cold), then once more there under another secret (processes warm, kernels compiled); the mix of verdicts
is printed with the rate.
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

EXAM = {'variations': ['original', {'call': 'scale', 'args': [2]}, 'reseed', {'call': 'resize', 'args': [1.5]},
                       {'call': 'cast', 'args': ['f16']}],
        'tiny': True, 'compile': 'all', 'memory_checks': True, 'strict': True}
TRAINING = {'variations': ['original'], 'tiny': False, 'compile': 'after_values', 'memory_checks': False, 'strict': False}
TIMED = {'timed': True, 'timing': {'warmup': 10, 'trials': 50, 'trim': 0.1},
         'limits': {'seconds': 20, 'memory_bytes': 1 << 30}}


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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('--worker', default='trl-worker')
    parser.add_argument('--threads', type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument('--modelled', action='store_true', help='without the GPU, for comparison')
    options = parser.parse_args()
    folder = options.folder.resolve()
    print(f'{options.threads} threads')
    for name, protocol in (('training', TRAINING), ('exam', EXAM)):
        worker = Worker(options.worker)
        for turn in ('cold', 'warm'):
            with tempfile.TemporaryDirectory() as output:
                begin = time.monotonic()
                summary = worker.run({
                    'id': 1, 'stage': 'verify', 'spec': protocol | ({} if options.modelled else TIMED),
                    'inputs': {'candidates': str(folder), 'tasks': str(folder)}, 'output': output,
                    'secret': turn, 'sandbox': True, 'threads': options.threads, 'device': 'cpu'})
                whole = time.monotonic() - begin
                rows = [json.loads(line) for line in (pathlib.Path(output) / 'verdicts.jsonl').read_text().splitlines()]
            mix = collections.Counter('correct' if row['correct'] else row['failed'] for row in rows)
            print(f'{name:8} {turn}  {len(rows) / summary["seconds"]:7.1f} candidates/s ({len(rows)} in {summary["seconds"]:.1f} s; '
                  f'{whole:.1f} s with starting)   ' + ', '.join(f'{count} {kind}' for kind, count in mix.most_common()))
        worker.close()
    return 0


if __name__ == '__main__':
    sys.exit(main())
