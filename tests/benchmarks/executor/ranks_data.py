"""Makes the input of gpu_ranks.py: candidates with modelled times, by the model of this build and by that of another build.

    { answer-samples slow 1; corpus-rows time_hostile; corpus-rows time_honest; } |
        ranks_data.py TRL_VERIFY OUT.jsonl [--before OTHER_TRL_VERIFY] [--tasks 30] [--seed 1] [--jobs 2]
Answers of the generator are taken for some tasks, at the suites' sizes and at larger ones; the corpus's candidates come with
their twins. `--before` names the program of a build before a change.
"""
import argparse
import concurrent.futures
import json
import pathlib
import random
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from time_data import scaled


def family_of(row):
    """The group of a row in the table: the outermost operator of a task's key, or the corpus's folder."""
    if 'name' in row:
        return 'corpus'
    return row['task']['key'].split('(')[0].split('[')[0]


def chosen(lines, tasks, seed):
    by_task, rows = {}, []
    for row in map(json.loads, lines):
        if 'flaw' in row:
            by_task.setdefault(row['task']['key'], []).append(row)
        else:
            for part, answer in enumerate([row['answer'], row.get('twin', '')]):
                if answer:
                    rows.append({'task': row['task'], 'answer': answer, 'factor': 1, 'family': 'corpus',
                                 'flaw': row['name'] if part == 0 else 'twin of ' + row['name']})
    keys = sorted(by_task)
    random.Random(seed).shuffle(keys)
    for key in keys[:tasks]:
        for row in by_task[key]:
            for factor in ((1, 2) if 'matmul' in key else (1, 4, 12)):
                rows.append({'task': scaled(row['task'], factor), 'answer': row['answer'], 'factor': factor,
                             'family': family_of(row), 'flaw': row['flaw'] or 'honest'})
    return rows


def judged(program, rows, jobs):
    """Judges the rows by several processes and returns them in their order, with verdict and counters."""
    results = [None] * len(rows)

    def part(number):
        with subprocess.Popen([program, '--rows', '-'], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            def feed():
                for row in rows[number::jobs]:
                    print(json.dumps(row), file=process.stdin)
                process.stdin.close()
            feeder = threading.Thread(target=feed)
            feeder.start()
            for at, line in enumerate(process.stdout):
                results[number + at * jobs] = json.loads(line)
            feeder.join()

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(part, range(jobs)))
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('trl_verify')
    parser.add_argument('out', type=pathlib.Path)
    parser.add_argument('--before')
    parser.add_argument('--tasks', type=int, default=30)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=2)
    options = parser.parse_args()
    rows = chosen(sys.stdin, options.tasks, options.seed)
    after = judged(options.trl_verify, rows, options.jobs)
    before = judged(options.before, rows, options.jobs) if options.before else after
    kept = 0
    with open(options.out, 'w') as file:
        for old, new in zip(before, after):
            if not (old and new and old['verdict']['correct'] and new['verdict']['correct']):
                continue
            kept += 1
            times = {name: {'time_us': row['verdict']['time_us'], 'reference_us': row['verdict']['reference_us']}
                     for name, row in (('before', old), ('after', new))}
            file.write(json.dumps({key: new[key] for key in ('task', 'answer', 'factor', 'family', 'flaw', 'counters')} | times) + '\n')
    print(f'{kept} right answers of {len(rows)} in {options.out}')


if __name__ == '__main__':
    main()
