"""Trivial answers by KernelBench's protocol: what is accepted, what share is right, and tasks that fail."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "verifier/kernelbench" / "trivial_answers.py"


def module(expression, inputs="torch.rand(8, 48)", made="pass"):
    return f"""import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        {made}

    def forward(self, x):
        return {expression}


def get_inputs():
    return [{inputs}]


def get_init_inputs():
    return []
"""


def tried(*codes, seconds=60, most_bytes=1 << 28, operations=10**9, processes=1):
    request = {"trials": 3, "seconds": seconds, "most_bytes": most_bytes, "operations": operations, "processes": processes,
               "tasks": [{"id": str(i), "code": code, "entry": "Model"} for i, code in enumerate(codes)]}
    done = subprocess.run([sys.executable, str(PROGRAM)], input=json.dumps(request), capture_output=True, text=True, check=True, env=os.environ)
    rows = {row.pop("task"): row for row in map(json.loads, done.stdout.splitlines())}
    return [rows[i] for i in range(len(codes))]


class TrivialAnswers(unittest.TestCase):
    def test_what_is_accepted(self):
        relu, square, dead, mean, norm = tried(
            module("torch.relu(x)"), module("x * x"), module("torch.relu(x - 2)"), module("x.mean()", "torch.randn(8, 48)"),
            module("self.norm(x)", made="self.norm = nn.LayerNorm(48)"))
        self.assertEqual(relu["accepts"], ["copy of x"], "positive numbers alone")
        self.assertEqual(square["accepts"], [])
        self.assertIn("zeros", dead["accepts"])
        self.assertIn("output of another draw", dead["accepts"])
        self.assertEqual(mean["accepts"], [], "a constant is one for all draws")
        self.assertEqual(norm["accepts"], ["norm.bias as zeros"], "it is zeros when it is made")

    def test_shares_are_of_elements(self):
        half, = tried(module("torch.relu(x)", "torch.randn(64, 64)"))
        self.assertAlmostEqual(half["shares"]["zeros"], 0.5, delta=0.05)
        self.assertAlmostEqual(half["shares"]["last tile missing"], 1 - 1 / 32, delta=0.02)
        self.assertEqual(half["accepts"], [])

    def test_what_has_no_effect_is_no_operand(self):
        norm, = tried(module("self.norm(self.fc(x))", made="self.fc, self.norm = nn.Linear(48, 5), nn.BatchNorm1d(5, affine=False)"))
        self.assertNotIn("fc.bias as zeros", norm["shares"])
        self.assertIn("fc.weight as zeros", norm["shares"])

    def test_tasks_that_fail_are_named_and_the_others_tried(self):
        raises, exits, endless, large, caught, fine = tried(
            module("x.no_such()"), module("exit(3)"), module("[0 for _ in iter(int, 1) if x is None]"), module("x", "torch.rand(1 << 25)"),
            module("torch.rand(1 << 28)", "torch.rand(1 << 28)"), module("x * x"), seconds=5, most_bytes=1 << 26)
        self.assertIn("AttributeError", raises["why"])
        self.assertNotIn("counted", raises)
        self.assertIn("why", exits)
        self.assertIn("doesn't end", endless["why"])
        self.assertNotIn("counted", endless, "another machine may say something else")
        self.assertTrue(large["counted"], large)
        self.assertIn("memory", caught["why"])
        self.assertEqual(fine["accepts"], [])

    def test_what_is_given_up_is_counted(self):
        product = module("self.fc(x)", made="self.fc = nn.Linear(48, 48, bias=False)")
        looped = module("[x := x + 1 for _ in range(10 ** 9)][-1]")
        hides = """import torch
class Model(torch.nn.Module):
    def forward(self, x):
        for _ in range(10 ** 6):
            try:
                x = x @ x
            except Exception:
                pass
        return x
def get_inputs(): return [torch.zeros(48, 48)]
def get_init_inputs(): return []
"""
        for few in tried(product, looped, hides, operations=100_000):
            self.assertEqual(few, {"id": few["id"], "why": "it takes more than 100000 operations", "counted": True})
        self.assertEqual(tried(product, operations=10_000_000)[0]["accepts"], [])

    def test_several_processes_find_the_same(self):
        codes = [module("torch.relu(x)"), module("x * x"), module("x.no_such()"), module("self.fc(x)", made="self.fc = nn.Linear(48, 5)")]
        self.assertEqual(tried(*codes, processes=3), tried(*codes))


if __name__ == "__main__":
    unittest.main()
