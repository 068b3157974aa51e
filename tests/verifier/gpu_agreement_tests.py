"""Tests the parts of tests/benchmarks/executor/gpu_agreement.py that need no GPU: sizes, inputs, comparison, workers that die, the table."""
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import torch
import triton  # noqa: F401

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / 'benchmarks/executor' / 'gpu_agreement.py'
spec = importlib.util.spec_from_file_location('gpu_agreement', SCRIPT)
agreement = importlib.util.module_from_spec(spec)
spec.loader.exec_module(agreement)

TASK = {'name': 'relu', 'dims': [['M', 64], ['N', 6]], 'inputs': [{'name': 'x', 'dtype': 'f32', 'shape': ['M', 'N']}],
        'output': {'dtype': 'f32', 'shape': ['M', 'N']}}
PROMPT = '# x: [M, N]\nclass Model(nn.Module):\n    def forward(self, x):\n        x = torch.relu(x)\n        return x\n'
RIGHT = {'correct': True, 'values': True, 'failed': None, 'reason': None, 'message': None, 'line': None, 'variation': None}


def answer(body):
    return f'class ModelNew(nn.Module):\n    def forward(self, x):\n        {body}\n'


def wrong(reason, values=False, variation='original'):
    return RIGHT | {'correct': False, 'values': values, 'failed': 'full', 'reason': reason, 'message': 'm', 'line': 3,
                    'variation': variation}


class Tasks(unittest.TestCase):
    def test_sizes_are_those_of_the_verifier(self):
        sizes = {'original': [64, 6], 'resize(150%)': [97, 9], 'tiny': [4, 4], 'scale(2)': [64, 6], 'reseed': [64, 6]}
        for label, expected in sizes.items():
            self.assertEqual(agreement.input_shapes(TASK, label), [('f32', expected)])
        self.assertEqual(agreement.input_shapes(TASK, 'cast(f16)'), [('f16', [64, 6])])
        self.assertEqual(agreement.output_dtype(TASK, 'cast(f16)'), 'f16')

    def test_the_last_block_with_the_model_is_the_source(self):
        text = 'So:\n```python\nclass ModelNew: pass\n```\nor\n```\nx = 1\n```\n'
        self.assertEqual(agreement.extract_source(text), '\n\nclass ModelNew: pass\n')
        self.assertEqual(agreement.extract_source('x = 1\n'), 'x = 1\n')

    def test_comparison(self):
        one = torch.ones(2, dtype=torch.float64)
        self.assertIsNone(agreement.compare(one.float() + 1e-4, one, 'f32'))
        self.assertEqual(agreement.compare(one.float() + 1e-3, one, 'f32')[0], 'wrong_values')
        self.assertEqual(agreement.compare(one.float() * float('nan'), one, 'f32')[0], 'wrong_values')
        self.assertIsNone(agreement.compare(one.float() * float('inf'), one * float('inf'), 'f32'))
        self.assertEqual(agreement.compare(one, one, 'f32')[0], 'wrong_dtype')
        self.assertEqual(agreement.compare(one[:1].float(), one, 'f32')[0], 'wrong_shape')
        self.assertEqual(agreement.compare(None, one, 'f32')[0], 'wrong_output')

    def test_the_failing_variation_is_run_too(self):
        self.assertEqual(agreement.variations_of(wrong('race', variation='tiny')), ['original', 'resize(150%)', 'tiny'])
        self.assertEqual(agreement.variations_of(RIGHT), ['original', 'resize(150%)'])


class Workers(unittest.TestCase):
    ANSWERS = {'right': answer('return x.clamp(min=0)'), 'wrong_values': answer('return x'),
               'mutated_input': answer('return x.relu_()'), 'wrong_shape': answer('return x.relu().view(-1)'),
               'SyntaxError': 'class ModelNew(\n', 'NameError': answer('return undefined'),
               'crashed': answer('import os; os.kill(os.getpid(), 11)'), 'timeout': answer('import time; time.sleep(600)'),
               'SystemExit': answer('raise SystemExit'),
               'wrong_dtype': answer('return torch.empty_like(x, dtype=torch.float64).copy_(x.relu())')}

    def test_each_candidate_has_its_own_outcome(self):
        jobs = [{'number': n, 'task': TASK, 'prompt': PROMPT, 'answer': text, 'trials': 2,
                 'variations': ['original', 'resize(150%)', 'tiny', 'cast(f16)', 'scale(2)']}
                for n, text in enumerate(list(self.ANSWERS.values()) * 2)]
        with tempfile.TemporaryDirectory() as folder:
            outcomes = agreement.run_all(jobs, 2, 20, folder, device='cpu')
        names = list(self.ANSWERS) * 2
        self.assertEqual([outcomes[n]['reason'] or 'right' for n in range(len(names))], names)
        self.assertEqual([outcomes[n]['right'] for n in range(len(names))], [name == 'right' for name in names])

    def test_what_is_never_written_is_poison(self):
        job = {'number': 0, 'task': TASK, 'prompt': PROMPT, 'answer': answer('return torch.empty_like(x)'), 'trials': 1,
               'variations': ['original']}
        with tempfile.TemporaryDirectory() as folder:
            outcome = agreement.run_all([job], 1, 30, folder, device='cpu')[0]
        self.assertIn('nan', outcome['message'])


class Table(unittest.TestCase):
    def test_counts_and_explains(self):
        good, bad = {'right': True, 'reason': None, 'message': None, 'variation': None}, agreement.failed('wrong_values', 'w')
        cases = [(RIGHT, good), (wrong('wrong_values'), bad), (RIGHT, bad), (wrong('wrong_values'), good),
                 (wrong('out_of_bounds_load', True), good), (wrong('framework_compute'), good)]
        rows = [{'task': 0, 'sample': i, 'name': 'relu', 'verdict': v, 'gpu': g} for i, (v, g) in enumerate(cases)]
        lines = []
        self.assertEqual(agreement.summarize(rows, lines.append), 2)
        text = '\n'.join(lines)
        self.assertIn('agree 2 of 6', text)
        self.assertIn('executor right, GPU wrong: 1, to be explained', text)
        self.assertIn('memory error hidden by the GPU, values right in the executor too: 1\n', text)
        self.assertIn('task 0 relu sample 4\n    executor full: out_of_bounds_load: m (line 3, original)', text)


class Command(unittest.TestCase):
    def run_on(self, rows):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / 'tasks.json').write_text(json.dumps([TASK]))
            (path / 'candidates.jsonl').write_text(json.dumps(
                {'task': 0, 'name': 'relu', 'sample': 0, 'prompt': PROMPT, 'answer': answer('return x')}) + '\n')
            (path / 'verdicts.jsonl').write_text(''.join(json.dumps(row) + '\n' for row in rows))
            return subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True,
                                  env=os.environ | {'CUDA_VISIBLE_DEVICES': ''})

    def test_says_that_there_is_no_gpu(self):
        done = self.run_on([RIGHT | {'task': 0, 'sample': 0}])
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, 'no GPU that torch can use: 1 candidates of 1 tasks were read, none was run\n')

    def test_says_that_verdicts_do_not_belong_to_candidates(self):
        done = self.run_on([RIGHT | {'task': 0, 'sample': 7}])
        self.assertEqual(done.returncode, 2)
        self.assertIn('is about another candidate', done.stderr)


if __name__ == '__main__':
    unittest.main()
