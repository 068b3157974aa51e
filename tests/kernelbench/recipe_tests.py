"""Tests that the published recipe and the files that derive from it take a checkout of KernelBench, KernelBook and a model by path, and run.

    recipe_tests.py SOURCE TRL

The checkout, the rows and the model are made here: a hundred small modules to each level, and the embedded model with a longer context.
"""

import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

source, trl = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))
sys.path.insert(0, str(source / "tests/benchmarks/rehearsal"))

import prepare  # noqa: E402

FUNCTIONS = ("sigmoid", "exp", "sin", "cos", "square", "tanh", "softplus")
TASK = """import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def forward(self, x):
        return {}


rows, columns = 8, 16


def get_inputs():
    return [torch.rand(rows, columns)]


def get_init_inputs():
    return []
"""


def expression(names):
    value = "x"
    for name in names:
        value = f"F.softplus({value})" if name == "softplus" else f"torch.{name}({value})"
    return value


def write_checkout(folder):
    """Levels 1 and 2 with a hundred modules each, of which no two apply the same functions in the same order."""
    chains = itertools.permutations(FUNCTIONS, 3)
    for level in (1, 2):
        place = folder / "KernelBench" / f"level{level}"
        place.mkdir(parents=True)
        for problem, names in enumerate(itertools.islice(chains, 100), 1):
            title = "_".join(name.title() for name in names)
            (place / f"{problem}_{title}.py").write_text(TASK.format(expression(names)))


def derived():
    """The experiments that import the recipe, also through another file."""
    imports = {file.stem: set(re.findall(r"^import (\w+)", file.read_text(), re.MULTILINE)) for file in (source / "experiments").glob("*.trl")}
    found = {"recipe"}
    while more := {name for name, of in imports.items() if of & found} - found:
        found |= more
    return sorted(found)


class Recipe(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        write_checkout(cls.path / "checkout")
        prepare.write_study(cls.path / "study", cls.path / "checkout", prepare.pairs(120))
        shutil.copytree(source / "stdlib/windtunnel", cls.path / "study/model")
        config = cls.path / "study/model/config.json"
        config.write_text(json.dumps({**json.loads(config.read_text()), "max_position_embeddings": 32768}))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_trl(self, *arguments, folder="study"):
        environment = {**os.environ, "TRL_HOME": str(source), "TRL_PYTHON": sys.executable, "XDG_CACHE_HOME": str(self.path / "cache"),
                       "HF_HUB_CACHE": str(self.path / "hub"), "HOME": str(self.path), "NO_COLOR": "1", "OMP_NUM_THREADS": "1"}
        return subprocess.run([trl, *arguments], cwd=self.path / folder, env=environment, capture_output=True, text=True, timeout=200)

    @staticmethod
    def places(file):
        """The settings that name the checkout, the rows and, where a file doesn't vary the model itself, the model."""
        prefix = "" if file == "recipe" else "recipe."
        settings = ['kernelbench.checkout=path("~/checkout")', f'{prefix}book=path("~/study/KernelBook")']
        if "grid(recipe.coder.weights" not in (source / "experiments" / f"{file}.trl").read_text():
            settings.append(f'{prefix}coder.weights=path("~/study/model")')
        return [part for text in settings for part in ("--set", text)]

    def test_every_file_that_derives_from_it_takes_paths(self):
        names = derived()
        self.assertTrue({"recipe", "replication", "base_models", "quantization", "data_scale", "cost"} <= set(names))
        for name in names:
            file = str(source / "experiments" / f"{name}.trl")
            with self.subTest(name):
                checked = self.run_trl("check", file, *self.places(name))
                self.assertEqual(checked.returncode, 0, checked.stderr)
                self.assertNotRegex(checked.stderr, "error|warning")
                planned = self.run_trl("plan", "--cost", file, *self.places(name), "--store", "runs/.store")
                self.assertEqual(planned.returncode, 0, planned.stderr)
                text = " ".join(planned.stdout.split())
                lacks = [one for one in re.findall(r"`trl run` lacks: (.{40})", text) if not one.startswith("weights = huggingface(")]
                self.assertEqual(lacks, [])
                self.assertIn("tokens an answer: the most that `max_tokens` allows", text)
                self.assertIn("to judge an answer: modelled", text)

    def test_a_machine_is_asked_for_what_it_lacks(self):
        for name in ("recipe", "replication"):
            file = str(source / "experiments" / f"{name}.trl")
            found = self.run_trl("doctor", file, *self.places(name))
            self.assertEqual([line for line in found.stdout.splitlines() if line.startswith(f"  ✗ {name}")], [], found.stdout)
        without = self.run_trl("doctor", str(source / "experiments/recipe.trl"))
        self.assertEqual(without.returncode, 1)
        self.assertIn("--set 'kernelbench.checkout=path(\"…\")'", " ".join(without.stdout.split()))

    def test_the_rehearsal_runs_to_its_table(self):
        small = [part for text in ("recipe.reinforce.tasks_per_round=3", "recipe.reinforce.candidates=3", "recipe.reinforce.max_tokens=24",
                                   "recipe.exam.samples=1", "recipe.exam.split=sample(recipe.held_out, n = 4, seed = 1)") for part in ("--set", text)]
        done = self.run_trl("run", "rehearsal.trl", "rehearsal", *small)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.split("|")[1].strip() for line in (self.path / "study/runs/rehearsal/main.md").read_text().splitlines() if line.startswith("| ")]
        self.assertEqual(sorted(set(rows) - {"row"}), ["coder (baseline)", "imitate", "imitate -> reinforce", "imitate -> unfiltered"])
        # By what it measured, the recipe at its own counts is forecast.
        whole = " ".join(self.run_trl("plan", "--cost", "rehearsal.trl", "whole").stdout.split())
        self.assertRegex(whole, r"to judge an answer: measured, by \d+ judged answers in the store")


if __name__ == "__main__":
    unittest.main()
