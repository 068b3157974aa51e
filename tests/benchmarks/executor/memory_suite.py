"""Measures on known memory bugs whether each is found at its line and no clean kernel is accused.

    memory_suite.py [--bugs 300] [--clean 300] [--seed 1] [--whole-exam]
The kernels are answers of the corpus generator to the wind tunnel's tasks. An edit plants a bug into an honest one and keeps the
rest as it is, so its line is known; the generator's own missing masks are among the bugs, too. All are judged as in exams, at the
task's own sizes and at odd ones (--whole-exam: also with scaled inputs and in f16). Prints a table and every failure; exit status 1
when there was one.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXAM = {'variations': ['original', {'call': 'resize', 'args': [1.5]}, 'reseed'], 'tiny': False, 'compile': 'after_values',
        'memory_checks': True, 'strict': True, 'timing': {}, 'limits': {'seconds': 30, 'memory_bytes': 1 << 30},
        'modelled_for': 'H200'}
MEMORY = {'out_of_bounds_load', 'out_of_bounds_store', 'unwritten_read', 'misaligned', 'race'}


# ---- an answer's loads and stores ----

class Access:
    """A line `name = tl.load(pointer + index, …)tail` or `tl.store(pointer + index, value, …)`."""

    def __init__(self, number, line):
        self.number, self.line = number, line
        self.indent = line[:len(line) - len(line.lstrip())]
        begin = line.index('tl.load(') if 'tl.load(' in line else line.index('tl.store(')
        self.is_load = line[begin:].startswith('tl.load(')
        self.head = line[:begin]
        start = begin + len('tl.load(' if self.is_load else 'tl.store(')
        depth, parts, last = 1, [], start
        for at in range(start, len(line)):
            depth += line[at] in '([' and 1 or line[at] in ')]' and -1 or 0
            if depth == 0 or (depth == 1 and line[at] == ','):
                parts.append(line[last:at].strip())
                last = at + 1
            if depth == 0:
                break
        self.tail = line[last:]
        self.address, rest = parts[0], parts[1:]
        self.pointer, _, self.index = self.address.partition(' + ')
        self.value = None if self.is_load else rest[0]
        self.options = [p for p in rest if p.startswith(('mask=', 'other='))]
        self.mask = next((p for p in rest if p.startswith('mask=')), None)

    def load(self, address, options):
        return f'{self.head}tl.load({", ".join([address, *options])}){self.tail}'

    def store(self, address, options):
        return f'{self.head}tl.store({", ".join([address, self.value, *options])}){self.tail}'


def accesses(lines):
    return [Access(number, line) for number, line in enumerate(lines, 1) if 'tl.load(' in line or 'tl.store(' in line]


def replaced(lines, number, line):
    return lines[:number - 1] + [line] + lines[number:]


def inserted(lines, before, line):
    return lines[:before - 1] + [line] + lines[before - 1:]


# ---- bugs: each function returns [(lines of the answer, line of the bug or lines under a wrong mask, reasons
# it may get)] ----

def unmasked_load(lines):
    for a in accesses(lines):
        if a.is_load and a.mask and '%' not in a.index:
            yield replaced(lines, a.number, a.load(a.address, [])), a.number, {'out_of_bounds_load'}


def unmasked_store(lines):
    # A store beyond its row also overlaps with another program's stores.
    for a in accesses(lines):
        if not a.is_load and a.mask:
            yield replaced(lines, a.number, a.store(a.address, [])), a.number, {'out_of_bounds_store', 'race'}


def negative_index(lines):
    for a in accesses(lines):
        if a.is_load:
            yield replaced(lines, a.number, a.load(a.address + ' - 1', a.options)), a.number, {'out_of_bounds_load'}


def past_the_end(lines):
    for a in accesses(lines):
        if a.is_load:
            yield replaced(lines, a.number, a.load(a.address + ' + 1', a.options)), a.number, {'out_of_bounds_load'}


def misaligned(lines):
    for a in accesses(lines):
        if a.is_load and a.index:
            address = f'({a.pointer}.to(tl.pointer_type(tl.int8)) + 4 * ({a.index}) + 2).to(tl.pointer_type(tl.float32))'
            yield replaced(lines, a.number, a.load(address, a.options)), a.number, {'misaligned'}


def unwritten_read(lines):
    for a in accesses(lines):
        if not a.is_load:
            options = ', '.join([a.address, *([a.mask, 'other=0.0'] if a.mask else [])])
            line = f'{a.indent}{a.value} = {a.value} + 0.0 * tl.load({options})'
            yield inserted(lines, a.number, line), a.number, {'unwritten_read'}


def race_of_writes(lines):
    # Every program stores another value.
    for a in accesses(lines):
        if not a.is_load:
            line = f'{a.indent}tl.store({a.pointer}, tl.program_id(0) + 64.0 * tl.program_id(1) + 1.5)'
            yield inserted(lines, a.number + 1, line), a.number + 1, {'race'}


def race_of_read_and_write(lines):
    # The buffer that is written has contents, so that reading it early is no uninitialised read.
    full = [re.sub(r'torch\.empty\((\([^)]*\))', r'torch.full(\1, 7.5', line).replace('torch.empty_like(x)', 'torch.full_like(x, 7.5)')
            .replace('torch.empty_like(y)', 'torch.full_like(y, 7.5)') for line in lines]
    for a in accesses(full):
        if not a.is_load:
            line = f'{a.indent}{a.value} = {a.value} + 0.0 * tl.load({a.pointer})'
            yield inserted(full, a.number, line), a.number, {'race'}


def mask_on_the_wrong_dimension(lines):
    small = re.search(r'\b(?:BM|BN)=1\b', '\n'.join(lines))
    for number, line in enumerate(lines, 1):
        if small or line.strip() != 'mask = (rows < M) & (cols < N)':
            continue
        under = {a.number for a in accesses(lines) if a.number > number and a.mask == 'mask=mask' and '%' not in a.index}
        if not under:
            continue
        for wrong in ('mask = rows < M', 'mask = cols < N'):
            yield replaced(lines, number, line.replace(line.strip(), wrong)), under, {'out_of_bounds_load', 'out_of_bounds_store', 'race'}


PLANTS = [unmasked_load, unmasked_store, negative_index, past_the_end, misaligned, unwritten_read, race_of_writes,
          race_of_read_and_write, mask_on_the_wrong_dimension]


# ---- the stages ----

class Worker:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder

    def stage(self, name, spec, inputs, output):
        output.mkdir(parents=True)
        request = output.with_suffix('.request.json')
        request.write_text(json.dumps({'id': 1, 'stage': name, 'spec': spec, 'output': str(output), 'secret': '07' * 32,
                                       'inputs': {key: str(path) for key, path in inputs.items()},
                                       'sandbox': not self.options.no_sandbox, 'threads': self.options.threads, 'device': 'cpu'}))
        run = subprocess.run([self.options.build / 'bin' / 'trl-worker', '--stage', request], capture_output=True, text=True)
        last = json.loads(run.stdout.splitlines()[-1]) if run.stdout.strip() else {}
        if last.get('event') != 'done':
            sys.exit(f'{name}: {last.get("message", run.stderr[-500:])}')

    def answers(self, tasks, each, flawed, seed):
        out = self.folder / f'answers_{flawed}_{seed}'
        self.stage('corpus', {'source': 'suites', 'tasks': tasks, 'samples': {'level1': each, 'level2': each}, 'flawed': flawed,
                              'seed': seed}, {}, out)
        return [json.loads(line) for line in (out / 'samples.jsonl').read_text().splitlines()]

    def verdicts(self, tasks, rows):
        by_key = {task['key']: task for task in tasks}
        asked = self.folder / 'candidates'
        asked.mkdir()
        (asked / 'tasks.json').write_text(json.dumps([by_key[row['key']] for row in rows]))
        with open(asked / 'candidates.jsonl', 'w') as file:
            for number, row in enumerate(rows):
                file.write(json.dumps({'task': number, 'name': row['task'], 'group': row['group'], 'sample': 0,
                                       'prompt': row['prompt'], 'answer': row['answer'], 'tokens': 0, 'finish': 'stop'}) + '\n')
        exam = EXAM | {'variations': EXAM['variations'] + ['scale(2)', 'cast(f16)']} if self.options.whole_exam else EXAM
        self.stage('verify', exam, {'candidates': asked, 'tasks': asked}, self.folder / 'verdicts')
        return [json.loads(line) for line in (self.folder / 'verdicts' / 'verdicts.jsonl').read_text().splitlines()]


def plant(honest, count, draw):
    """Yields `count` rows with a bug, of all kinds in turn."""
    rows, waiting = [], {kind: draw.sample(honest, len(honest)) for kind in PLANTS}
    while len(rows) < count and any(waiting.values()):
        for kind in PLANTS:
            while waiting[kind] and len(rows) < count:
                row = waiting[kind].pop()
                choices = list(kind(row['answer'].split('\n')))
                if choices:
                    lines, number, names = draw.choice(choices)
                    rows.append({**row, 'answer': '\n'.join(lines), 'kind': kind.__name__, 'lines': number if isinstance(number, set) else {number},
                                 'names': names})
                    break
    return rows


def missing_masks(flawed):
    """Yields the generator's own bugs, with the lines whose access lacks the mask, except accesses of one element per program."""
    for row in flawed:
        if row['flaw'] == 'missing_mask':
            lines = {a.number for a in accesses(row['answer'].split('\n')) if not a.mask and a.index not in ('row', 'col')}
            yield {**row, 'kind': 'missing_mask of the generator', 'lines': lines, 'names': MEMORY}


def found(row, verdict):
    """Whether the bug was found at its line or, for a race, with the other program at its line."""
    other = re.search(r' at line (\d+) in the same launch', verdict['message'] or '')
    lines = {verdict['line'], int(other.group(1)) if other else None}
    return verdict['failed'] is not None and verdict['reason'] in row['names'] and bool(lines & row['lines'])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build' / 'release')
    parser.add_argument('--bugs', type=int, default=300)
    parser.add_argument('--clean', type=int, default=300)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--threads', type=int, default=2)
    parser.add_argument('--whole-exam', action='store_true')
    parser.add_argument('--no-sandbox', action='store_true')
    options = parser.parse_args()
    os.environ.setdefault('TRL_HOME', str(ROOT))
    os.environ.setdefault('TRL_PYTHON', os.path.abspath(sys.executable))
    tasks = json.loads(subprocess.check_output([options.build / 'bin' / 'windtunnel-suites', '--json']))
    with tempfile.TemporaryDirectory(prefix='memory-suite-') as folder:
        worker, draw = Worker(options, pathlib.Path(folder)), random.Random(options.seed)
        each = max(20, (options.clean + 1) // 2)
        honest = worker.answers(tasks, each, 0.0, options.seed)
        own = list(missing_masks(worker.answers(tasks, each, 1.0, options.seed)))[:options.bugs // 10]
        bugs = plant(honest, options.bugs - len(own), draw) + own
        clean = draw.sample(honest, min(options.clean, len(honest)))
        verdicts = worker.verdicts(tasks, bugs + clean)
    right, of, wrong = collections.Counter(), collections.Counter(), []
    for row, verdict in zip(bugs, verdicts):
        of[row['kind']] += 1
        right[row['kind']] += found(row, verdict)
        if not found(row, verdict):
            wrong.append((row, verdict))
    accused = [(row, verdict) for row, verdict in zip(clean, verdicts[len(bugs):]) if verdict['reason'] in MEMORY]
    correct = sum(verdict['correct'] for verdict in verdicts[len(bugs):])

    if bugs:
        print(f'{"planted":<34}{"found at its line":>20}')
        for kind in of:
            print(f'{kind.replace("_", " "):<34}{right[kind]:>13} of {of[kind]:<4}')
        print(f'{"all":<34}{sum(right.values()):>13} of {sum(of.values()):<4}')
    if clean:
        print(f'{"clean kernels accused":<34}{len(accused):>13} of {len(clean):<4}')
        print(f'{"their values those of the reference":<35}{correct:>12} of {len(clean):<4}')
    others = [(row, verdict) for row, verdict in zip(clean, verdicts[len(bugs):]) if not verdict['correct']]
    for row, verdict in wrong + others:
        print(f'\n{row["task"]}, {row.get("kind", "clean")}, line {sorted(row.get("lines", []))}: '
              f'{verdict["reason"]} at line {verdict["line"]}, {verdict["variation"]}: {verdict["message"]}')
        print('\n'.join(f'{number:>4} {line}' for number, line in enumerate(row['answer'].split('\n'), 1)))
    sys.exit(1 if wrong or others or len(bugs) < options.bugs else 0)


if __name__ == '__main__':
    main()
