"""CUDA candidates are recorded as plans, or refused at a line, by the recorder and trl-kernel-check together."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from honest import CANDIDATES
from recording import RecordedCase
from refused import INPUTS, REFUSED


class CudaRecording(RecordedCase):
    def shown(self, step, kernels):
        if "launch" not in step:
            return next(iter(step))
        launch = step["launch"]
        kernel = kernels[launch["kernel"]]
        return (kernel["expression"], launch["grid"], launch["block"], launch["shared"],
                [one for one in launch["args"] if "buffer" not in one])

    def test_honest_candidates_are_recorded(self):
        for name, (source, inputs, expected) in CANDIDATES.items():
            with self.subTest(name):
                answer = self.recording.record(source, [inputs])
                self.assertTrue(answer["ok"], answer)
                plan = answer["plans"][0]
                self.assertEqual([self.shown(step, answer["kernels"]) for step in plan["steps"]], expected)
                lines = source.splitlines()
                for step in plan["steps"]:
                    if "launch" in step:
                        line = lines[step["launch"]["line"] - 1]
                        self.assertTrue("<<<" in line or "cudaLaunchKernel" in line, line)
                for kernel in answer["kernels"]:
                    self.assertEqual(kernel["language"], "cuda")
                    self.assertNotIn("torch::Tensor", kernel["source"])
                    # Kernels keep their line numbers.
                    text = kernel["source"].split("#line 1\n", 1)[1].splitlines()
                    for here, there in zip(text, lines):
                        if "__global__" in here:
                            self.assertEqual(here.strip(), there.strip())

    def test_flags_of_mathematics_are_kept(self):
        source, inputs, _ = CANDIDATES["non_contiguous"]
        self.assertEqual(self.recording.record(source, [inputs])["kernels"][0]["options"], {"use_fast_math": True})

    def test_every_shape_is_recorded_anew(self):
        source, _, _ = CANDIDATES["elementwise"]
        answer = self.recording.record(source, [[([37, 19], "f32")], [([1000], "f32")], [([0, 3], "f32")]])
        self.assertEqual([plan["steps"][0]["launch"]["grid"] for plan in answer["plans"][:2]], [[3, 1, 1], [4, 1, 1]])
        self.assertEqual(answer["plans"][2]["error"]["reason"], "no_kernel")

    def test_a_wrapper_may_catch_what_its_code_throws(self):
        source, inputs, _ = CANDIDATES["elementwise"]
        caught = source.replace("return ext.relu_cuda(x)", "\n".join((
            "try:", "            ext.relu_cuda(torch.empty(3))", "        except RuntimeError:",
            "            return ext.relu_cuda(x)")))
        self.assertTrue(self.recording.record(caught, [inputs])["ok"])

    def test_what_is_refused_has_its_reason_and_line(self):
        for name, (source, reasons, text, limits) in REFUSED.items():
            with self.subTest(name):
                answer = self.recording.record(source, [INPUTS], **limits)
                self.assertFalse(answer["ok"])
                self.assertIn(answer["reason"], [reasons] if isinstance(reasons, str) else reasons, answer["message"])
                if text is not None:
                    self.assertIsNotNone(answer["line"], answer["message"])
                    self.assertIn(text, source.splitlines()[answer["line"] - 1], answer["message"])

    def test_the_recorder_goes_on_after_a_flood_of_questions(self):
        source = ("import os\nfor _ in range(100):\n    os.write(3, b'?{\"source\": \"\", \"functions\": []}\\n')\n"
                  "class ModelNew:\n    pass\n")
        self.assertFalse(self.recording.record(source, [INPUTS], seconds=2)["ok"])
        honest, inputs, _ = CANDIDATES["elementwise"]
        self.assertTrue(self.recording.record(honest, [inputs])["ok"])


if __name__ == "__main__":
    unittest.main()
