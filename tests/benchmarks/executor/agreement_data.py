"""Makes the input of gpu_agreement.py: answers sampled from the wind tunnel's base model and generated ones, half of them
flawed, each with the exam's verdict by the executor.

    agreement_data.py [--package FOLDER | --build FOLDER] [--sampled 300] [--generated 200] [OUT]
OUT (build/agreement when not named) gets tasks.json, candidates.jsonl and verdicts.jsonl; packaging/scripts/package takes build/agreement
along, and package/gpu runs it on the GPU. With a package (a folder with bin, stdlib and tasks.json) it needs no build.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXAM = {'variations': ['original', 'scale(2)', 'reseed', 'resize(150%)', 'cast(f16)'], 'tiny': False, 'compile': 'after_values',
        'memory_checks': True, 'strict': True, 'timing': {}, 'limits': {'seconds': 20, 'memory_bytes': 1 << 30},
        'modelled_for': 'H200'}


def read_rows(file):
    return [json.loads(line) for line in file.read_text().splitlines()]


def stage(options, name, spec, inputs, output):
    """Runs one stage by trl-worker and returns its summary."""
    output.mkdir(parents=True)
    request = output.with_suffix('.request.json')
    request.write_text(json.dumps({'id': 1, 'stage': name, 'spec': spec, 'output': str(output), 'secret': '07' * 32,
                                   'inputs': {key: str(path) for key, path in inputs.items()}, 'sandbox': not options.no_sandbox,
                                   'threads': options.threads, 'device': options.device}))
    run = subprocess.run([options.programs / 'trl-worker', '--stage', request], capture_output=True, text=True)
    last = json.loads(run.stdout.splitlines()[-1]) if run.stdout.strip() else {}
    if last.get('event') != 'done':
        raise SystemExit(f'{name}: {last.get("message", run.stderr[-500:])}')
    print(name, last['summary'], flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    where = parser.add_mutually_exclusive_group()
    where.add_argument('--package', type=pathlib.Path, help='as packaging/scripts/package makes it')
    where.add_argument('--build', type=pathlib.Path, default=ROOT / 'build' / 'release')
    parser.add_argument('out', type=pathlib.Path, nargs='?', default=ROOT / 'build' / 'agreement')
    parser.add_argument('--sampled', type=int, default=300, help='answers of the model, over the tasks of level 2')
    parser.add_argument('--generated', type=int, default=200, help='answers of the generator, half of each level')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--threads', type=int, default=os.cpu_count())
    parser.add_argument('--device', default='cpu')
    parser.add_argument('--no-sandbox', action='store_true')
    options = parser.parse_args()
    out = options.out.resolve()
    shutil.rmtree(out, ignore_errors=True)
    work = out / 'stages'
    work.mkdir(parents=True)
    if options.package:
        options.programs, options.model = options.package.resolve() / 'bin', options.package.resolve() / 'stdlib' / 'windtunnel'
        tasks = json.loads((options.package / 'tasks.json').read_text())
        os.environ.setdefault('TRL_HOME', str(options.package.resolve()))
    else:
        options.programs, options.model = options.build.resolve() / 'bin', ROOT / 'stdlib' / 'windtunnel'
        tasks = json.loads(subprocess.check_output([options.programs / 'windtunnel-suites', '--json']))
        os.environ.setdefault('TRL_HOME', str(ROOT))
    os.environ.setdefault('TRL_PYTHON', os.path.abspath(sys.executable))
    chains = [task for task in tasks if task['suite'] == 'level2']
    parts = []

    if options.sampled:
        asked, each = work / 'sampled_tasks', -(-options.sampled // len(chains))
        asked.mkdir()
        (asked / 'tasks.json').write_text(json.dumps(chains[:-(-options.sampled // each)]))
        stage(options, 'sample', {'samples': each, 'temperature': 0.7, 'max_tokens': 768, 'purpose': 'agreement', 'round': 0,
                                  'seed': options.seed, 'precision': 'bf16'},
              {'model': options.model, 'tasks': asked}, work / 'sampled_answers')
        parts.append(('sampled', asked, work / 'sampled_answers'))

    # Generated answers: the same number for each level, half of them flawed.
    stage(options, 'corpus', {'source': 'suites', 'tasks': tasks, 'flawed': 0.5, 'seed': options.seed,
                              'samples': {'level1': options.generated // 2, 'level2': options.generated - options.generated // 2}},
          {}, work / 'generated_corpus')
    rows = read_rows(work / 'generated_corpus' / 'samples.jsonl')
    by_key = {task['key']: task for task in tasks}
    generated = work / 'generated_answers'
    generated.mkdir()
    (generated / 'tasks.json').write_text(json.dumps([by_key[row['key']] for row in rows]))
    with open(generated / 'candidates.jsonl', 'w') as file:
        for number, row in enumerate(rows):
            file.write(json.dumps({'task': number, 'name': row['task'], 'group': row['group'], 'sample': 0, 'prompt': row['prompt'],
                                   'answer': row['answer'], 'tokens': 0, 'finish': 'stop', 'flaw': row['flaw']}) + '\n')
    parts.append(('generated', generated, generated))

    # Writes one folder with all of them, as gpu_agreement.py reads it.
    asked, all_rows, all_verdicts = [], [], []
    for name, questions, answers in parts:
        stage(options, 'verify', EXAM, {'candidates': answers, 'tasks': questions}, work / name)
        candidates, verdicts = read_rows(answers / 'candidates.jsonl'), read_rows(work / name / 'verdicts.jsonl')
        print(name, len(verdicts), 'verdicts,', sum(v['correct'] for v in verdicts), 'correct', flush=True)
        for row in [*candidates, *verdicts]:
            row['task'] += len(asked)
        asked += json.loads((questions / 'tasks.json').read_text())
        all_rows += candidates
        all_verdicts += verdicts
    (out / 'tasks.json').write_text(json.dumps(asked))
    for file, contents in (('candidates.jsonl', all_rows), ('verdicts.jsonl', all_verdicts)):
        (out / file).write_text(''.join(json.dumps(row) + '\n' for row in contents))
    shutil.rmtree(work)

    # Every missing mask must be found, at a line that loads or stores.
    verdicts = all_verdicts[-len(rows):]
    missing = [(row, v) for row, v in zip(rows, verdicts) if row['flaw'] == 'missing_mask']
    at_line = 0
    for row, verdict in missing:
        lines = row['answer'].splitlines()
        line = lines[verdict['line'] - 1] if verdict['line'] and verdict['line'] <= len(lines) else ''
        good = not verdict['correct'] and ('tl.load' in line or 'tl.store' in line) and 'mask' not in line
        at_line += good
        if not good:
            print('  not at its line:', row['task'], verdict['failed'], verdict['reason'], verdict['variation'], verdict['line'], line.strip())
    print(f'missing masks: {len(missing)}, flagged at an unmasked access: {at_line}')


if __name__ == '__main__':
    main()
