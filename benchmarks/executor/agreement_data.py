"""Makes what gpu_agreement.py compares: 100 answers sampled from the wind tunnel's base model and 100 generated ones, half of
them flawed, each with the exam's verdict by the executor.

    agreement_data.py PACKAGE TASKS.json OUT [--threads N] [--device cpu]
"""
import argparse
import json
import os
import pathlib
import subprocess

EXAM = {'variations': ['original', 'scale(2)', 'reseed', 'resize(150%)', 'cast(f16)'], 'tiny': False, 'compile': 'after_values',
        'memory_checks': True, 'strict': True, 'timing': {}, 'limits': {'seconds': 20, 'memory_bytes': 1 << 30},
        'modelled_for': 'H200'}


def stage(options, name, spec, inputs, output):
    """Runs one stage by trl-worker and returns its summary."""
    output.mkdir(parents=True)
    request = output.with_suffix('.request.json')
    request.write_text(json.dumps({'id': 1, 'stage': name, 'spec': spec, 'output': str(output), 'secret': '07' * 32,
                                   'inputs': {key: str(path) for key, path in inputs.items()}, 'sandbox': True,
                                   'threads': options.threads, 'device': options.device}))
    run = subprocess.run([options.package / 'bin' / 'trl-worker', '--stage', request], capture_output=True, text=True)
    last = json.loads(run.stdout.splitlines()[-1]) if run.stdout.strip() else {}
    if last.get('event') != 'done':
        raise SystemExit(f'{name}: {last.get("message", run.stderr[-500:])}')
    print(name, last['summary'], flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('package', type=pathlib.Path)
    parser.add_argument('tasks', type=pathlib.Path)
    parser.add_argument('out', type=pathlib.Path)
    parser.add_argument('--threads', type=int, default=os.cpu_count())
    parser.add_argument('--device', default='cpu')
    options = parser.parse_args()
    options.package, out = options.package.absolute(), options.out.resolve()
    tasks = json.loads(options.tasks.read_text())
    chains = [task for task in tasks if task['suite'] == 'level2']

    # Sampled: one answer a task of level 2.
    sampled = out / 'sampled'
    (out / 'sampled_tasks').mkdir(parents=True)
    (out / 'sampled_tasks' / 'tasks.json').write_text(json.dumps(chains))
    stage(options, 'sample', {'samples': 1, 'temperature': 0.7, 'max_tokens': 768, 'purpose': 'agreement', 'round': 0, 'seed': 1,
                              'precision': 'bf16'},
          {'model': options.package / 'stdlib' / 'windtunnel', 'tasks': out / 'sampled_tasks'}, out / 'sampled_answers')
    stage(options, 'verify', EXAM, {'candidates': out / 'sampled_answers', 'tasks': out / 'sampled_tasks'}, sampled)

    # Generated: 50 of each level, half of them flawed.
    stage(options, 'corpus', {'source': 'suites', 'tasks': tasks, 'samples': {'level1': 50, 'level2': 50}, 'flawed': 0.5,
                              'seed': 1}, {}, out / 'generated_corpus')
    rows = [json.loads(line) for line in (out / 'generated_corpus' / 'samples.jsonl').read_text().splitlines()]
    by_key = {task['key']: task for task in tasks}
    (out / 'generated_answers').mkdir()
    (out / 'generated_answers' / 'tasks.json').write_text(json.dumps([by_key[row['key']] for row in rows]))
    with open(out / 'generated_answers' / 'candidates.jsonl', 'w') as file:
        for number, row in enumerate(rows):
            file.write(json.dumps({'task': number, 'name': row['task'], 'group': row['group'], 'sample': 0, 'prompt': row['prompt'],
                                   'answer': row['answer'], 'tokens': 0, 'finish': 'stop', 'flaw': row['flaw']}) + '\n')
    stage(options, 'verify', EXAM, {'candidates': out / 'generated_answers', 'tasks': out / 'generated_answers'}, out / 'generated')

    # One folder each, as gpu_agreement.py reads it.
    for name, answers, asked in (('sampled', 'sampled_answers', 'sampled_tasks'), ('generated', 'generated_answers', 'generated_answers')):
        for source, file in ((answers, 'candidates.jsonl'), (asked, 'tasks.json')):
            (out / name / file).write_text((out / source / file).read_text())
        verdicts = [json.loads(line) for line in (out / name / 'verdicts.jsonl').read_text().splitlines()]
        print(name, len(verdicts), 'verdicts,', sum(v['correct'] for v in verdicts), 'correct', flush=True)

    # Every missing mask must be caught, at a line that loads or stores.
    verdicts = [json.loads(line) for line in (out / 'generated' / 'verdicts.jsonl').read_text().splitlines()]
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
