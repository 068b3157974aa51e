"""The generator's CUDA answers can be recorded, and NVRTC compiles their kernels; flawed ones fail where that can be known
without running them.

By default every task in one style and some tasks in others; with TRL_STYLES, that many styles of every task and flaw.
"""

import collections
import json
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from recording import BINARIES, ROOT, RecordedCase

sys.path.insert(0, os.path.join(ROOT, "verifier/compiler"))

import nvrtc

STYLES = int(os.environ.get("TRL_STYLES", "0"))
# Odd sizes: none is a multiple of a block's size, and the last block of each grid is only partly used.
SIZES = {"M": 97, "N": 385, "K": 129}
# Flaws because of which an answer can't be recorded, or its kernels don't compile.
STATIC = {"syntax", "undefined_name", "missing_load"}
# Without TRL_STYLES, one in so many of the flawed answers is tried.
FEW = 72


def samples(what, count):
    command = [os.path.join(BINARIES, "answer-samples"), what, str(count), "cuda"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return [json.loads(line) for line in lines]


class GeneratedAnswers(RecordedCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.compiler = nvrtc.Compiler()

    def record(self, row, *dtypes):
        def inputs(dtype):
            return [([SIZES.get(one, one) for one in each["shape"]], dtype) for each in row["task"]["inputs"]]
        return self.recording.record(row["answer"], [inputs(dtype) for dtype in dtypes])

    def compile(self, kernels):
        texts = collections.defaultdict(list)
        for kernel in kernels:
            texts[kernel["source"]].append(kernel["expression"])
        for source, expressions in texts.items():
            self.compiler.compile(source, expressions, {}, False)

    def refusal(self, row, *dtypes):
        """Returns why an answer is refused before anything runs, or nothing."""
        answer = self.record(row, *dtypes)
        if not answer["ok"]:
            return answer["reason"]
        for plan in answer["plans"]:
            if "error" in plan:
                return plan["error"]["reason"]
        try:
            self.compile(answer["kernels"])
        except Exception as error:
            return "compile: " + str(error)
        return None

    def test_honest_answers_are_recorded_and_compile(self):
        for row in samples("suites", STYLES or 1):
            with self.subTest(row["task"]["name"]):
                answer = self.record(row, "f32", "f16")
                self.assertTrue(answer["ok"], (answer, row["answer"]))
                for plan in answer["plans"]:
                    self.assertNotIn("error", plan, row["answer"])
                self.assertTrue(all(kernel["language"] == "cuda" for kernel in answer["kernels"]))
                self.compile(answer["kernels"])

    def test_answers_to_random_chains_are_recorded(self):
        for row in samples("chains", 50 * (STYLES or 1)):
            with self.subTest(row["task"]["name"]):
                answer = self.record(row, "f32", "bf16")
                self.assertTrue(answer["ok"], (answer, row["answer"]))
                for plan in answer["plans"]:
                    self.assertNotIn("error", plan, row["answer"])

    def test_flawed_answers_fail_where_it_can_be_known(self):
        for row in samples("flaws", STYLES or 1)[::1 if STYLES else FEW]:
            with self.subTest(row["flaw"] + " " + row["task"]["name"]):
                flaw, refused = row["flaw"], self.refusal(row, "f32")
                # A tile that is never filled is valid shared memory, so only wrong values show the flaw.
                if flaw in STATIC and not (flaw == "missing_load" and "_tile[" in row["answer"]):
                    self.assertIsNotNone(refused, row["answer"])
                elif flaw == "missing_launch" and "second_kernel" not in row["answer"]:
                    self.assertEqual(refused, "no_kernel", row["answer"])
                elif flaw not in STATIC:
                    self.assertIsNone(refused, row["answer"])
                if flaw == "float_only":
                    self.assertIsNotNone(self.refusal(row, "f32", "f16"), row["answer"])


if __name__ == "__main__":
    unittest.main()
