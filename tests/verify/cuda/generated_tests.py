"""The generator's CUDA answers become plans whose kernels NVRTC compiles; flawed ones fail where that can be known.

TRL_STYLES says how many styles of each task are tried (1 when it says nothing: half a minute).
"""

import collections
import json
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from recording import ROOT, Recording  # noqa: E402

sys.path.insert(0, os.path.join(ROOT, "runtime/verify/compiler"))

import nvrtc  # noqa: E402

BINARIES = os.environ.get("TRL_BINARIES", os.path.join(ROOT, "build/release/bin"))
STYLES = int(os.environ.get("TRL_STYLES", "1"))
# Odd sizes: nothing is a multiple of a block, and the last block of each grid is not full.
SIZES = {"M": 97, "N": 385, "K": 129}
# What can be known of a flawed answer without running it, at these sizes: it is no plan, or NVRTC refuses a kernel.
STATIC = {"syntax", "undefined_name", "missing_load"}
EVERY = 3  # of the flawed answers: one in so many


def samples(what, count):
    command = [os.path.join(BINARIES, "answer-samples"), what, str(count), "cuda"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return [json.loads(line) for line in lines]


class GeneratedAnswers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.recording = Recording(BINARIES, os.environ["TRL_PYTHON"])
        cls.compiler = nvrtc.Compiler()

    @classmethod
    def tearDownClass(cls):
        cls.recording.close()

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
        """Why an answer is refused before anything runs; nothing where it is not."""
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
        for row in samples("suites", STYLES):
            with self.subTest(row["task"]["name"]):
                answer = self.record(row, "f32", "f16")
                self.assertTrue(answer["ok"], (answer, row["answer"]))
                for plan in answer["plans"]:
                    self.assertNotIn("error", plan, row["answer"])
                self.assertTrue(all(kernel["language"] == "cuda" for kernel in answer["kernels"]))
                self.compile(answer["kernels"])

    def test_flawed_answers_fail_where_it_can_be_known(self):
        for row in samples("flaws", 1)[::EVERY]:
            with self.subTest(row["flaw"] + " " + row["task"]["name"]):
                refused = self.refusal(row, "f32")
                if row["flaw"] in STATIC:
                    self.assertIsNotNone(refused, row["answer"])
                elif row["flaw"] == "float_only":
                    self.assertIsNone(refused, row["answer"])
                    self.assertIsNotNone(self.refusal(row, "f32", "f16"), row["answer"])
                elif row["flaw"] != "missing_launch":
                    self.assertIsNone(refused, row["answer"])


if __name__ == "__main__":
    unittest.main()
