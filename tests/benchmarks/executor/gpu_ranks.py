"""Compares the order of modelled times with that of times measured on this GPU.

    gpu_ranks.py ROWS.jsonl [--verify TRL_VERIFY] [--out MEASURED.jsonl]
    gpu_ranks.py --again MEASURED.jsonl
ROWS.jsonl is what ranks_data.py wrote: candidates with counters and with the times of the model before and after a change. Each
candidate's launches and its task's module are timed by `trl-verify --rows --gpu-alone`, as an exam does. The tables give
rank correlations (Spearman's rho, Kendall's tau-b) of times among all candidates, by family, among the candidates of one task at
one size, and of speed-ups; and modelled over measured time. Only measured times are measured; all others are modelled.
"""
import argparse
import json
import math
import pathlib
import random
import statistics
import subprocess
import sys
import time


def ranks(values):
    order = sorted(range(len(values)), key=lambda i: values[i])
    out = [0.0] * len(values)
    i = 0
    while i < len(order):
        j = i
        while j < len(order) and values[order[j]] == values[order[i]]:
            j += 1
        for k in order[i:j]:
            out[k] = (i + j - 1) / 2
        i = j
    return out


def spearman(a, b):
    if len(set(a)) < 2 or len(set(b)) < 2:
        return float('nan')
    return statistics.correlation(ranks(a), ranks(b))


def kendall(a, b):
    """tau-b: pairs in the same order less those in another, with ties."""
    same = other = ties_a = ties_b = 0
    for i in range(len(a)):
        for j in range(i):
            x, y = (a[i] > a[j]) - (a[i] < a[j]), (b[i] > b[j]) - (b[i] < b[j])
            same += x * y > 0
            other += x * y < 0
            ties_a += x == 0 and y != 0
            ties_b += y == 0 and x != 0
    size = math.sqrt((same + other + ties_a) * (same + other + ties_b))
    return (same - other) / size if size else float('nan')


def measure(rows, program, seconds, out):
    """Times the rows in a random order until the seconds are over, and returns those that were timed."""
    rows = random.Random(1).sample(rows, len(rows))
    asked = pathlib.Path('ranks.asked')
    asked.write_text(''.join(json.dumps({'task': row['task'], 'answer': row['answer']}) + '\n' for row in rows))
    begin, timed = time.monotonic(), []
    with subprocess.Popen([program, '--rows', asked, '--gpu-alone'], stdout=subprocess.PIPE, text=True) as process:
        for row, line in zip(rows, process.stdout):
            verdict = json.loads(line)['verdict']
            if verdict['correct'] and verdict['time_us'] and not verdict.get('modelled', True):
                row['measured'] = {'time_us': verdict['time_us'], 'reference_us': verdict['reference_us']}
                timed.append(row)
                if out:
                    print(json.dumps(row), file=out, flush=True)
            else:
                print(f'{row["flaw"]}: {verdict["failed"]} {verdict["reason"]} {verdict["message"][:150]}', file=sys.stderr)
            if time.monotonic() - begin > seconds:
                process.terminate()
                break
    asked.unlink()
    print(f'{len(timed)} of {len(rows)} candidates were timed in {time.monotonic() - begin:.0f} s')
    return timed


def table(title, groups, value):
    print(f'\n{title}\n{"":<26} {"n":>4} {"rho before":>11} {"after":>6} {"tau before":>11} {"after":>6} {"|log| before":>13} {"after":>6}')
    for name, rows in groups:
        if len(rows) < 3:
            continue
        measured = [value(row['measured']) for row in rows]
        line = f'{name:<26} {len(rows):>4}'
        by_model = {when: [value(row[when]) for row in rows] for when in ('before', 'after')}
        for width, of in ((11, spearman), (11, kendall),
                          (13, lambda a, b: statistics.mean(abs(math.log(x / y)) for x, y in zip(a, b)))):
            line += ''.join(f' {of(by_model[when], measured):>{width if when == "before" else 6}.3f}' for when in by_model)
        print(line)


def within(rows, value):
    """Kendall's tau among the candidates of one task at one size: which pairs are in the right order. Pairs whose measured times
    differ by less than 3 % say nothing."""
    by_task = {}
    for row in rows:
        by_task.setdefault((row['task']['key'], json.dumps(row['task']['dims'])), []).append(row)
    counts = {'before': [0, 0], 'after': [0, 0]}
    for group in by_task.values():
        for i, a in enumerate(group):
            for b in group[:i]:
                x, y = value(a['measured']), value(b['measured'])
                if abs(math.log(x / y)) < 0.03:
                    continue
                for when, count in counts.items():
                    count[0] += (value(a[when]) - value(b[when])) * (x - y) > 0
                    count[1] += 1
    return counts


def tell(rows):
    speedup = lambda times: times['reference_us'] / times['time_us']
    us, reference = (lambda times: times['time_us']), (lambda times: times['reference_us'])
    families = {}
    for row in rows:
        families.setdefault(row['family'], []).append(row)
    groups = [('all', rows), *sorted(families.items())]
    table('times of candidates', groups, us)
    table('times of references', groups, reference)
    table('speed-ups', groups, speedup)
    for name, value in (('times', us), ('speed-ups', speedup)):
        counts = within(rows, value)
        print(f'\npairs of one task and size whose {name} are in the measured order: ' +
              ', '.join(f'{when} {right} of {all_} ({100 * right / max(all_, 1):.1f} %)' for when, (right, all_) in counts.items()))
    print(f'\n{"candidate":<64} {"measured":>9} {"before":>8} {"after":>8}   microseconds')
    for row in families.get('corpus', []):
        print(f'{row["flaw"][:64]:<64} {row["measured"]["time_us"]:>9.2f} {row["before"]["time_us"]:>8.2f} {row["after"]["time_us"]:>8.2f}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('rows', type=pathlib.Path, nargs='?')
    parser.add_argument('--verify', default='trl-verify')
    parser.add_argument('--out', type=pathlib.Path)
    parser.add_argument('--seconds', type=float, default=480, help='for the measurements; candidates come in a random order')
    parser.add_argument('--again', type=pathlib.Path, help='tell the tables of times that were measured before')
    options = parser.parse_args()
    rows = [json.loads(line) for line in (options.again or options.rows).read_text().splitlines()]
    if not options.again:
        with open(options.out or '/dev/null', 'w') as out:
            rows = measure(rows, options.verify, options.seconds, out)
    if not rows:
        print('no candidate was timed', file=sys.stderr)
        return 2
    tell(rows)
    return 0


if __name__ == '__main__':
    sys.exit(main())
