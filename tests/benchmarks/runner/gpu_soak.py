"""Judges a thousand candidates, a third of them hostile or faulty, while the processes on the GPU are killed at random, and checks
that no verdict is lost or changed, that no hostile candidate is rewarded, and that nothing stays behind.

    gpu_soak.py ROWS.jsonl HOSTILE.jsonl [--worker TRL_WORKER] [--threads N] [--count 1000] [--every 0.4] [--out FILE]
ROWS and HOSTILE hold {"task", "answer"} on each line. The stage runs three times in one worker: undisturbed; while a trl-runner
(sometimes the reference's process) is killed about every --every seconds; and undisturbed again, after which nothing may be left.
Verdicts must agree except in their times. Exit status 1 when one does not, when a hostile candidate is right, or when processes,
file descriptors or memory of the GPU stay behind.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from gpu_throughput import LIMITS, TIMED, Worker, verify

SPEC = {'variations': ['original', {'call': 'resize', 'args': [1.5]}], 'tiny': True, 'compile': 'after_values', 'memory_checks': True,
        'strict': True} | TIMED | LIMITS | {'limits': {'seconds': 2, 'memory_bytes': 1 << 30}}
TIMES = ('time_us', 'reference_us', 'launched_us', 'speedup')


def processes():
    """{pid: (parent, state, command)}"""
    found = {}
    for entry in pathlib.Path('/proc').iterdir():
        if entry.name.isdigit():
            try:
                name, rest = (entry / 'stat').read_text().rsplit(') ', 1)
                state, parent = rest.split()[:2]
                found[int(entry.name)] = int(parent), state, (entry / 'cmdline').read_bytes().replace(b'\0', b' ').decode() or name
            except OSError:
                pass
    return found


def descendants(root):
    all_of, found, grown = processes(), {root}, True
    while grown:
        more = {pid for pid, (parent, _, _) in all_of.items() if parent in found} - found
        found |= more
        grown = bool(more)
    return {pid: all_of[pid] for pid in found - {root} if pid in all_of}


def descriptors(pid):
    return len(list(pathlib.Path(f'/proc/{pid}/fd').iterdir()))


def resident_mib(pid):
    return next(int(line.split()[1]) // 1024 for line in pathlib.Path(f'/proc/{pid}/status').read_text().splitlines()
                if line.startswith('VmRSS'))


def gpu_mib():
    if not shutil.which('nvidia-smi'):
        return 0  # the stand-in for the GPU has none
    return int(subprocess.check_output(['nvidia-smi', '--query-gpu=memory.used', '--format=csv,noheader,nounits'], text=True).split()[0])


class Killer(threading.Thread):
    def __init__(self, root, every, draw):
        super().__init__(daemon=True)
        self.root, self.every, self.draw, self.killed, self.ended = root, every, draw, collections.Counter(), threading.Event()

    def run(self):
        while not self.ended.wait(self.draw.uniform(0.5, 1.5) * self.every):
            wanted = 'baseline.py' if self.draw.random() < 0.02 else 'trl-runner'
            chosen = [pid for pid, (_, state, command) in descendants(self.root).items() if wanted in command and state != 'Z']
            if chosen:
                try:
                    os.kill(self.draw.choice(chosen), signal.SIGKILL)
                    self.killed[wanted] += 1
                except ProcessLookupError:
                    pass


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('rows', type=pathlib.Path)
    parser.add_argument('hostile', type=pathlib.Path)
    parser.add_argument('--worker', default='trl-worker')
    parser.add_argument('--threads', type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument('--count', type=int, default=1000)
    parser.add_argument('--every', type=float, default=0.4)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--out', type=pathlib.Path)
    options = parser.parse_args()
    draw = random.Random(options.seed)
    hostile = [(json.loads(line), True) for line in options.hostile.read_text().splitlines()]
    hostile = draw.sample(hostile, min(len(hostile), options.count * 3 // 10))
    rows = [(json.loads(line), False) for line in options.rows.read_text().splitlines()]
    mixed = hostile + draw.sample(rows, min(len(rows), options.count - len(hostile)))
    draw.shuffle(mixed)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / 'tasks.json').write_text(json.dumps([row['task'] for row, _ in mixed]))
        (folder / 'candidates.jsonl').write_text(''.join(
            json.dumps({'task': number, 'sample': 0, 'answer': row['answer']}) + '\n' for number, (row, _) in enumerate(mixed)))
        memory = gpu_mib()
        worker = Worker(options.worker)
        first, calm = verify(worker, folder, SPEC, 'soak', options.threads)
        before = descriptors(worker.process.pid), resident_mib(worker.process.pid)
        killer = Killer(worker.process.pid, options.every, draw)
        killer.start()
        second, shaken = verify(worker, folder, SPEC, 'soak', options.threads)
        killer.ended.set()
        killer.join()
        # The process that was killed last is noticed at its next use.
        verify(worker, folder, SPEC | {'variations': ['original']}, 'once more', options.threads)
        after = descriptors(worker.process.pid), resident_mib(worker.process.pid)
        zombies = [command for _, state, command in descendants(worker.process.pid).values() if state == 'Z']
        running = set(descendants(worker.process.pid))
        worker.close()
        time.sleep(1)
        left = {pid: command for pid, (_, state, command) in processes().items() if pid in running and state != 'Z'}
        rest = gpu_mib()
    rewarded = [number for number, (_, bad) in enumerate(mixed) if bad and (calm[number]['correct'] or shaken[number]['correct'])]
    same = lambda row: {key: value for key, value in row.items() if key not in TIMES}
    changed = [number for number in range(len(mixed)) if same(calm[number]) != same(shaken[number])]
    print(f'{len(mixed)} candidates, {len(hostile)} hostile: ' + ', '.join(
        f'{count} {kind}' for kind, count in collections.Counter('right' if row['correct'] else row['failed'] for row in calm).most_common()))
    print(f'undisturbed {first["seconds"]:.1f} s; with ' + ' and '.join(f'{count} {name}' for name, count in killer.killed.items())
          + f' killed {second["seconds"]:.1f} s')
    print(f'verdicts lost {len(mixed) - len(shaken)}, changed {len(changed)}, hostile rewarded {len(rewarded)}')
    for number in changed:
        print(f'  {number} {mixed[number][0].get("name", mixed[number][0]["task"]["name"])}:', *(
            f'{row["failed"]} {row["reason"]} {row["variation"]} {row["message"]};' for row in (calm[number], shaken[number])))
    for number in rewarded:
        print('  rewarded', mixed[number][0]['name'])
    print(f'descriptors {before[0]} -> {after[0]}, resident {before[1]} -> {after[1]} MiB, zombies {len(zombies)}, processes left '
          f'{len(left)}, GPU memory {memory} -> {rest} MiB')
    for pid, command in left.items():
        print(f'  left: {pid} {command[:100]}')
    bad = changed or rewarded or zombies or left or len(shaken) != len(mixed) or after[0] > before[0] + 8 or rest > memory + 64
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
