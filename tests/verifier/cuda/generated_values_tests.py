"""The values of the generator's CUDA answers, computed thread by thread on the CPU and compared with their prompts in f64.

usage: generated_values_tests.py            a few tasks of each suite; with TRL_STYLES, that many styles of every task
"""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import numpy as np
import torch
from emulation import TYPES, Emulation
from generated_tests import STYLES, samples
from recording import RecordedCase

COMPILER = os.environ.get("TRL_CXX", "c++")
SIZES = [{"M": 37, "N": 83, "K": 45}, {"M": 4, "N": 4, "K": 4}, {"M": 32, "N": 64, "K": 32}]  # odd, tiny, round
TOLERANCES = {"f32": 1e-4, "f16": 1e-2}
ONLY_SLOW = {"tiny_blocks", "extra_pass", "needless_copy"}
# Flaws that give wrong values at the odd sizes, if not before. Answers that the compiler or the recorder
# refuses aren't run here.
WRONG = {"floor_grid", "missing_sync", "shared_size", "wrong_operator", "wrong_constant", "wrong_axis"}


def expected(row, inputs):
    scope = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional}
    exec(row["prompt"], scope)
    return scope["Model"]().forward(*[torch.from_numpy(one).double() for one in inputs]).numpy()


class GeneratedValues(RecordedCase):
    def outcomes(self, rows, dtype):
        """Returns for each row and size "right", "wrong" or "outside" (a store outside of all buffers), or "refused" where there is no plan."""
        def shapes(row, sizes):
            return [[sizes.get(one, one) for one in each["shape"]] for each in row["task"]["inputs"]]
        recorded, at = [], {}
        for number, row in enumerate(rows):
            plans = self.recording.record(row["answer"], [[(shape, dtype) for shape in shapes(row, sizes)] for sizes in SIZES])
            if plans["ok"]:
                at[number] = len(recorded)
                recorded.append((row["answer"], plans, dtype))
        emulation = Emulation(recorded, COMPILER)
        for number, row in enumerate(rows):
            if number not in at:
                yield row, ["refused"] * len(SIZES)
                continue
            found = []
            for size, sizes in enumerate(SIZES):
                if "error" in recorded[at[number]][1]["plans"][size]:
                    found.append("refused")
                    continue
                random = np.random.default_rng(number)
                inputs = [random.standard_normal(shape).astype(TYPES[dtype]) for shape in shapes(row, sizes)]
                want = expected(row, inputs)
                got, inside = emulation.run(at[number], size, inputs)
                near = np.abs(got - want) <= TOLERANCES[dtype] * (1 + np.abs(want))
                found.append("outside" if not inside else "right" if near.all() else "wrong")
            yield row, found

    def test_honest_answers_are_right(self):
        rows = samples("suites", STYLES or 1)[::1 if STYLES else 16]
        for dtype in TYPES:
            for row, found in self.outcomes(rows, dtype):
                with self.subTest(row["task"]["name"] + " " + dtype):
                    self.assertEqual(found, ["right"] * 3, row["answer"])

    def test_flaws_are_what_they_are_called(self):
        rows = [row for row in samples("flaws", STYLES or 1) if row["flaw"] in ONLY_SLOW | WRONG]
        for row, found in self.outcomes(rows[::1 if STYLES else 72], "f32"):
            with self.subTest(row["flaw"] + " " + row["task"]["name"]):
                if row["flaw"] in ONLY_SLOW:
                    self.assertEqual(found, ["right"] * 3, row["answer"])
                else:
                    self.assertNotEqual(found[0], "right", row["answer"])


if __name__ == "__main__":
    unittest.main()
