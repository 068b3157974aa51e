"""Compares the executor's verdicts with the same candidates run by Triton on a GPU; prints a table and every disagreement.

    gpu_agreement.py FOLDER [--workers 12] [--seconds 60] [--every 1] [--rows FILE]
FOLDER holds tasks.json, candidates.jsonl and the verdicts.jsonl of an exam (docs/interfaces.md, 3). Each candidate runs at the
task's own sizes, at resize(150%) and at the variation that its verdict names, and is compared with the prompt's PyTorch
module in f64 on the CPU. Exit status: 0 when all disagreements are of an expected kind, 1 when some are not, 2 when there
is no GPU or no data, 3 when workers cannot be started.
"""
import argparse
import collections
import contextlib
import json
import math
import os
import pathlib
import random
import re
import select
import shutil
import signal
import sys
import tempfile
import time
import types

DTYPES = {'f64': 'float64', 'f32': 'float32', 'f16': 'float16', 'bf16': 'bfloat16'}
TOLERANCES = {'f32': 1e-4, 'f16': 1e-2, 'bf16': 2e-2}  # absolute and relative
MEMORY = {'out_of_bounds_load', 'out_of_bounds_store', 'unwritten_read', 'misaligned', 'race'}
RULES = {'framework_compute', 'option', 'unsupported', 'bad_plan', 'too_large', 'decoy_kernel', 'mutated_input', 'no_kernel',
         'data_dependent', 'forbidden', 'processes', 'memory', 'wrong_arguments', 'missing_model'}
READY_SECONDS = 180


# ---- candidates and tasks ----

def extract_source(answer):
    """Returns the answer, or its last fenced block with ModelNew (else its last one), with its line numbers in the answer."""
    blocks, lines = [], answer.splitlines(True)
    start = None
    for number, line in enumerate(lines):
        if line.lstrip(' \t').startswith('```'):
            if start is None:
                start = number + 1
            else:
                blocks.append((start, number))
                start = None
    if start is not None:
        blocks.append((start, len(lines)))
    if not blocks:
        return answer
    chosen = next((b for b in reversed(blocks) if 'ModelNew' in ''.join(lines[slice(*b)])), blocks[-1])
    return '\n' * chosen[0] + ''.join(lines[slice(*chosen)])


def parse_variation(label):
    """Returns ("original" | "scale" | "reseed" | "resize" | "cast" | "tiny", argument or None)."""
    name, argument = re.fullmatch(r'(\w+)(?:\((.*)\))?', label).groups()
    if name == 'cast':
        return name, argument
    if argument is None:
        return name, None
    return name, float(argument.rstrip('%')) / (100 if argument.endswith('%') else 1)


def input_shapes(task, label):
    """Returns [(dtype, extents)] of a task's inputs under a variation, as verifier/tasks/variation.cpp does."""
    kind, argument = parse_variation(label)
    sizes = {}
    for name, size in task['dims']:
        if kind == 'tiny':
            size = 4
        elif kind == 'resize':
            size = math.ceil(size * argument - 1e-9)
            size += size % 2 == 0
        sizes[name] = size
    return [(argument if kind == 'cast' else entry['dtype'],
             [sizes[extent] if isinstance(extent, str) else extent for extent in entry['shape']]) for entry in task['inputs']]


def output_dtype(task, label):
    kind, argument = parse_variation(label)
    return argument if kind == 'cast' else task['output']['dtype']


def make_module(name, source, folder):
    """Makes a module with torch, nn, F, triton and tl in scope. The source is a file, since Triton reads it there."""
    import torch
    import triton
    import triton.language
    file = pathlib.Path(folder) / f'{name}.py'
    file.write_text(source)
    module = types.ModuleType(name)
    module.__file__ = str(file)
    module.__dict__.update(torch=torch, nn=torch.nn, F=torch.nn.functional, triton=triton, tl=triton.language)
    sys.modules[name] = module
    exec(compile(source, str(file), 'exec', dont_inherit=True), module.__dict__)
    return module


def draw(task, label, seed):
    """Draws inputs on the CPU: standard normal values, scaled, rounded to their dtype."""
    import torch
    generator = torch.Generator().manual_seed(seed)
    kind, argument = parse_variation(label)
    factor = argument if kind == 'scale' else 1.0
    return [(torch.randn(shape, generator=generator, dtype=torch.float64) * factor).to(getattr(torch, DTYPES[dtype]))
            for dtype, shape in input_shapes(task, label)]


def compare(got, expected, dtype):
    """Returns None when the values are right, else (reason, message)."""
    import torch
    if not isinstance(got, torch.Tensor):
        return 'wrong_output', f'forward returns a {type(got).__name__}'
    if list(got.shape) != list(expected.shape):
        return 'wrong_shape', f'{list(got.shape)} instead of {list(expected.shape)}'
    if got.dtype != getattr(torch, DTYPES[dtype]):
        return 'wrong_dtype', f'{got.dtype} instead of {dtype}'
    got, tolerance = got.detach().cpu().double(), TOLERANCES[dtype]
    special = ~torch.isfinite(got) | ~torch.isfinite(expected)
    same = (got == expected) | (torch.isnan(got) & torch.isnan(expected))
    right = torch.where(special, same, (got - expected).abs() <= tolerance + tolerance * expected.abs())
    if bool(right.all()):
        return None
    first = (~right).reshape(-1).nonzero()[0].item()
    return 'wrong_values', (f'{int((~right).sum())} of {right.numel()} values are wrong; number {first} is '
                            f'{got.reshape(-1)[first]:.6g} instead of {expected.reshape(-1)[first]:.6g}')


def run_forward(module, inputs):
    import torch
    model = module.ModelNew()
    with torch.no_grad():
        output = model(*inputs) if isinstance(model, torch.nn.Module) else model.forward(*inputs)
    return output[0] if isinstance(output, (tuple, list)) and len(output) == 1 else output


def judge(job, folder, device, synchronize):
    """Returns the outcome of one candidate: {"right", "reason", "message", "variation"}."""
    import torch
    task, variation = job['task'], None
    try:
        reference = make_module(f'reference_{job["number"]}', job['prompt'], folder).Model()
        module = make_module(f'candidate_{job["number"]}', extract_source(job['answer']), folder)
        for variation in job['variations']:
            for trial in range(job['trials']):
                # hash() can't be used, since it differs between processes.
                inputs = draw(task, variation, random.Random(f'{job["number"]}/{variation}/{trial}').getrandbits(48))
                with torch.no_grad():
                    expected = reference(*[tensor.double() for tensor in inputs])
                # Uninitialised tensors are filled with NaN, as by the executor's poison, so that reading them
                # shows.
                torch.use_deterministic_algorithms(True, warn_only=True)
                moved = [tensor.to(device, copy=True) for tensor in inputs]
                got = run_forward(module, moved)
                synchronize()
                wrong = compare(got, expected, output_dtype(task, variation))
                if wrong is None and any(not torch.equal(a.cpu(), b) for a, b in zip(moved, inputs)):
                    wrong = 'mutated_input', 'forward changes its inputs'
                if wrong is not None:
                    return {'right': False, 'reason': wrong[0], 'message': wrong[1], 'variation': variation}
        return {'right': True, 'reason': None, 'message': None, 'variation': None}
    except BaseException as error:  # SystemExit too
        text = (str(error).strip().splitlines() or [''])[0][:300]
        return {'right': False, 'reason': type(error).__name__, 'message': text, 'variation': variation}


# ---- workers ----

def send(fd, value):
    data = memoryview(json.dumps(value).encode() + b'\n')
    while data:
        data = data[os.write(fd, data):]


def work(reader, writer, folder, device):
    """Runs in a forked child. CUDA is initialised here, never in the parent."""
    import torch
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    torch.set_num_threads(1)
    synchronize = torch.cuda.synchronize if device == 'cuda' else lambda: None
    torch.zeros(1, device=device).add_(1)
    synchronize()
    send(writer, {'ready': True})
    with os.fdopen(reader) as lines:
        for line in lines:
            job = json.loads(line)
            outcome = judge(job, folder, device, synchronize)
            for name in (f'reference_{job["number"]}', f'candidate_{job["number"]}'):
                sys.modules.pop(name, None)
            try:
                synchronize()
                ended = False
            except BaseException:  # after a sticky error this process's CUDA context is unusable
                ended = True
            send(writer, {'number': job['number'], 'outcome': outcome, 'ended': ended})
            if ended:
                break
    os._exit(0)


class Worker:
    """A forked process that runs one candidate at a time."""

    def __init__(self, folder, device):
        reader, self.to = os.pipe()
        self.source, writer = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                for fd in range(3, 1024):  # pipes of other workers, too
                    if fd not in (reader, writer):
                        with contextlib.suppress(OSError):
                            os.close(fd)
                work(reader, writer, folder, device)
            finally:
                os._exit(70)
        os.close(reader)
        os.close(writer)
        self.rest, self.ready, self.job = b'', False, None
        self.deadline = time.monotonic() + READY_SECONDS

    def give(self, job, seconds):
        self.job, self.deadline = job, time.monotonic() + seconds
        try:
            send(self.to, job)
        except BrokenPipeError:
            pass  # that it has ended shows when the answer is read

    def read(self):
        """Returns the complete answers that have arrived; None when the process has ended."""
        data = os.read(self.source, 1 << 16)
        if not data:
            return None
        *lines, self.rest = (self.rest + data).split(b'\n')
        return [json.loads(line) for line in lines]

    def end(self):
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        status = os.waitpid(self.pid, 0)[1]
        for fd in (self.to, self.source):
            os.close(fd)
        return status


def failed(reason, message):
    return {'right': False, 'reason': reason, 'message': message, 'variation': None}


def run_all(jobs, count, seconds, folder, device='cuda', note=lambda done: None):
    """Returns the outcomes by job number. A worker that crashes, hangs or loses its context is replaced."""
    waiting, outcomes, workers, never_ready = collections.deque(jobs), {}, [], 0
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    try:
        while len(outcomes) < len(jobs):
            busy = sum(worker.job is not None for worker in workers)
            while len(workers) < min(count, len(waiting) + busy):
                workers.append(Worker(folder, device))
            left = min(worker.deadline for worker in workers) - time.monotonic()
            readable = select.select([worker.source for worker in workers], [], [], max(0.0, min(left, 1.0)))[0]
            for worker in list(workers):
                answers, ended = [], False
                if worker.source in readable:
                    answers = worker.read()
                    ended = answers is None
                elif time.monotonic() >= worker.deadline and (worker.job is not None or not worker.ready):
                    ended = True
                    if worker.job is not None:
                        outcomes[worker.job['number']] = failed('timeout', f'not done in {seconds} s')
                        worker.job = None
                for answer in answers or []:
                    if 'ready' in answer:
                        worker.ready, never_ready = True, 0
                    else:
                        outcomes[answer['number']] = answer['outcome']
                        worker.job, ended = None, ended or answer['ended']
                        note(len(outcomes))
                if ended:
                    workers.remove(worker)
                    ready, job, status = worker.ready, worker.job, worker.end()
                    if job is not None:
                        outcomes[job['number']] = failed('crashed', f'the process ended with status {status}')
                    never_ready += not ready
                    if never_ready > 2 * count + 4:
                        raise RuntimeError('workers end before they are ready: does CUDA work here?')
                elif worker.ready and worker.job is None:
                    if waiting:
                        worker.give(waiting.popleft(), seconds)
                    else:
                        worker.deadline = math.inf
    finally:
        for worker in workers:
            worker.end()
    return outcomes


def has_gpu():
    """Looks for a GPU in a child, so that this process doesn't initialise CUDA and can be forked."""
    pid = os.fork()
    if pid == 0:
        try:
            import torch
            os._exit(0 if torch.cuda.is_available() and torch.version.cuda else 1)
        except BaseException:
            os._exit(1)
    return os.waitpid(pid, 0)[1] == 0


# ---- the table ----

def explain(verdict, outcome):
    """Returns the class of a disagreement, and whether it is an expected one."""
    if verdict['correct']:
        return 'executor right, GPU wrong', False
    reason = verdict['reason']
    if verdict['values'] and reason in MEMORY:
        return 'memory error hidden by the GPU, values right in the executor too', True
    if reason in MEMORY:
        return 'memory error hidden by the GPU', True
    if reason == 'timeout':
        return "beyond the executor's or the recorder's limit", True
    if reason in RULES:
        return 'refused by a rule, whatever the values', True
    return 'executor wrong, GPU right', False


def variations_of(verdict):
    wanted = ['original', 'resize(150%)']
    named = verdict.get('variation')
    return wanted + [named] if named and named not in wanted else wanted


def summarize(rows, out=print):
    """Prints the table; returns how many disagreements have no expected explanation."""
    counts = collections.Counter((row['verdict']['correct'], row['gpu']['right']) for row in rows)
    out(f'{len(rows)} candidates')
    out(f'{"":<18}{"GPU right":>12}{"GPU wrong":>12}')
    for correct in (True, False):
        out(f'{"executor " + ("right" if correct else "wrong"):<18}{counts[correct, True]:>12}{counts[correct, False]:>12}')
    agree = counts[True, True] + counts[False, False]
    out(f'agree {agree} of {len(rows)} ({100 * agree / max(1, len(rows)):.2f} %)')

    out(f'\n{"failed":<10}{"executor reason":<24}{"values right":>13}{"GPU right":>11}{"GPU wrong":>11}')
    reasons = collections.defaultdict(collections.Counter)
    for row in rows:
        verdict = row['verdict']
        key = (verdict['failed'] or '-', verdict['reason'] or 'correct')
        reasons[key][row['gpu']['right']] += 1
        reasons[key]['values'] += bool(verdict['values'])
    for (stage, reason), count in sorted(reasons.items()):
        out(f'{stage:<10}{reason:<24}{count["values"]:>13}{count[True]:>11}{count[False]:>11}')

    out(f'\n{"GPU reason":<34}{"executor right":>15}{"executor wrong":>15}')
    gpu = collections.defaultdict(collections.Counter)
    for row in rows:
        gpu[row['gpu']['reason'] or 'right'][bool(row['verdict']['correct'])] += 1
    for reason, count in sorted(gpu.items()):
        out(f'{reason:<34}{count[True]:>15}{count[False]:>15}')

    classes = collections.defaultdict(list)
    for row in rows:
        if bool(row['verdict']['correct']) != row['gpu']['right']:
            classes[explain(row['verdict'], row['gpu'])].append(row)
    unexplained = 0
    for (name, expected), members in sorted(classes.items(), key=lambda item: item[0][1]):
        unexplained += 0 if expected else len(members)
        out(f'\n{name}: {len(members)}' + ('' if expected else ', to be explained'))
        for row in members:
            verdict, got = row['verdict'], row['gpu']
            where = f'task {row["task"]} {row["name"]} sample {row["sample"]}'
            said = (f'{verdict["failed"]}: {verdict["reason"]}: {verdict["message"]} (line {verdict["line"]}, '
                    f'{verdict["variation"]})' if not verdict['correct'] else 'correct')
            out(f'  {where}\n    executor {said}')
            if not got['right']:
                out(f'    GPU      {got["reason"]}: {got["message"]} ({got["variation"]})')
    out(f'\n{unexplained} disagreements to be explained')
    return unexplained


def read_rows(file):
    return [json.loads(line) for line in file.read_text().splitlines() if line.strip()]


def load(folder, every):
    """Reads the rows of candidates with their verdicts, and the tasks."""
    tasks = json.loads((folder / 'tasks.json').read_text())
    candidates, verdicts = read_rows(folder / 'candidates.jsonl'), read_rows(folder / 'verdicts.jsonl')
    if len(candidates) != len(verdicts):
        raise ValueError(f'{len(candidates)} candidates, but {len(verdicts)} verdicts')
    rows = []
    for number, (candidate, verdict) in enumerate(zip(candidates, verdicts)):
        if (candidate['task'], candidate['sample']) != (verdict['task'], verdict['sample']):
            raise ValueError(f'row {number + 1} of verdicts.jsonl is about another candidate')
        if number % every == 0:
            rows.append({'number': number, 'task': candidate['task'], 'sample': candidate['sample'],
                         'name': candidate.get('name') or tasks[candidate['task']]['name'], 'candidate': candidate,
                         'verdict': verdict})
    return tasks, rows


def make_jobs(tasks, rows, trials):
    return [{'number': row['number'], 'task': tasks[row['task']], 'prompt': row['candidate']['prompt'],
             'answer': row['candidate']['answer'], 'variations': variations_of(row['verdict']), 'trials': trials} for row in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('--workers', type=int, default=12)
    parser.add_argument('--seconds', type=float, default=60, help='for one candidate, compilation included')
    parser.add_argument('--trials', type=int, default=2, help='inputs a variation')
    parser.add_argument('--every', type=int, default=1, help='only every Nth candidate')
    parser.add_argument('--rows', type=pathlib.Path, help='where to write a row a candidate')
    options = parser.parse_args()
    try:
        tasks, rows = load(options.folder, options.every)
    except (OSError, ValueError, KeyError, IndexError) as error:
        print(f'{options.folder} cannot be read: {error}', file=sys.stderr)
        return 2
    if not has_gpu():
        print(f'no GPU that torch can use: {len(rows)} candidates of {len(tasks)} tasks were read, none was run', file=sys.stderr)
        return 2
    folder = tempfile.mkdtemp(prefix='gpu-agreement-')
    os.environ['TRITON_CACHE_DIR'] = os.path.join(folder, 'triton')
    import torch  # noqa: F401  (imported here, so that forked workers have them loaded)
    import triton  # noqa: F401
    begin, told = time.monotonic(), [0.0]

    def note(done):
        if time.monotonic() - told[0] > 15:
            told[0] = time.monotonic()
            print(f'{done} of {len(rows)} after {told[0] - begin:.0f} s', file=sys.stderr, flush=True)

    try:
        outcomes = run_all(make_jobs(tasks, rows, options.trials), options.workers, options.seconds, folder, note=note)
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 3
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for row in rows:
        row['gpu'] = outcomes[row['number']]
    if options.rows:
        keep = ('task', 'sample', 'name', 'verdict', 'gpu')
        options.rows.write_text(''.join(json.dumps({key: row[key] for key in keep}) + '\n' for row in rows))
    unexplained = summarize(rows)
    print(f'{time.monotonic() - begin:.0f} s', file=sys.stderr)
    return 1 if unexplained else 0


if __name__ == '__main__':
    sys.exit(main())
