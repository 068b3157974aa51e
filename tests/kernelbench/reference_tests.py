"""Tests of verifier/kernelbench/reference.py: what the reference expects by KernelBench's protocol, and what that protocol accepts.

    reference_tests.py SOURCE
"""

import json
import pathlib
import subprocess
import sys
import unittest

import torch

source = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(source / "verifier/kernelbench"))

import book  # noqa: E402
import reference  # noqa: E402

HEAD = "import torch\nimport torch.nn as nn\nclass Model(nn.Module):\n"
TAIL = "\ndef get_inputs():\n    return [torch.rand(4, 8)]\ndef get_init_inputs():\n    return []\n"


def read_tensors(data):
    """What the format says, read without the writer's code."""
    length = int.from_bytes(data[:8], "little")
    header, body, out, end = json.loads(data[8:8 + length]), data[8 + length:], {}, 0
    dtypes = {name: dtype for dtype, name in reference.NAMES.items()}
    for name, entry in header.items():
        begin, stop = entry["data_offsets"]
        assert begin == end and stop >= begin
        end = stop
        out[name] = torch.frombuffer(bytearray(body[begin:stop]) or bytearray(1), dtype=torch.uint8)[:stop - begin].view(dtypes[entry["dtype"]]).reshape(entry["shape"])
    assert end == len(body)
    return out


class References(unittest.TestCase):
    def compute(self, code, **changes):
        """The report; the files are then in `self.files`, by name."""
        self.files = {}
        return reference.compute({"code": code, "entry": "Model", "pair": False, "seed": 42, "trials": 3, "precision": "f32", "cast": "all", "device": "cpu",
                                  "most_bytes": 1 << 24, **changes}, lambda name, tensors: self.files.update({name: b"".join(reference.safetensors(tensors))}))

    def module(self, forward, made="pass"):
        return HEAD + f"    def __init__(self):\n        super().__init__()\n        {made}\n    def forward(self, x):\n        return {forward}\n" + TAIL

    def bench(self, pattern):
        return next((source / "tests/kernelbench/bench").rglob(pattern)).read_text()

    def test_files_hold_what_the_protocol_computes(self):
        code = self.bench("1_linear_scale_group_norm.py")
        report = self.compute(code)
        # The same, written out by hand.
        names = {}
        exec(code, names)
        torch.manual_seed(42)
        arguments = names["get_init_inputs"]()
        torch.manual_seed(42)
        module = names["Model"](*arguments)
        torch.manual_seed(42)
        seeds = [torch.randint(0, 2**32 - 1, (1,)).item() for _ in range(3)]
        self.assertEqual(report["seeds"], seeds)
        self.assertEqual(report["init"], {"args": [32, 64, 8, [64]], "kwargs": {}})
        state = read_tensors(self.files["state.safetensors"])
        self.assertEqual(list(state), list(module.state_dict()))
        for name, value in module.state_dict().items():
            self.assertTrue(torch.equal(state[name], value), name)
        for number, seed in enumerate(seeds):
            torch.manual_seed(seed)
            x, = names["get_inputs"]()
            trial = read_tensors(self.files[f"trial_{number}.safetensors"])
            self.assertTrue(torch.equal(trial["inputs.0"], x))
            with torch.no_grad():
                self.assertTrue(torch.equal(trial["outputs.0"], module(x)))
            self.assertEqual(trial["exact.0"].dtype, torch.float64)
            self.assertLess((trial["exact.0"] - trial["outputs.0"]).abs().max().item(), 1e-5)
        self.assertEqual(report["accepts"], {"itself": True, "zeros": False, "constant": False, "another_trial": False})
        self.assertLess(report["error"], 1)

    def test_what_says_little_is_found(self):
        def accepted(forward, made="pass"):
            return {name for name, holds in self.compute(self.module(forward, made))["accepts"].items() if holds}

        self.assertEqual(accepted("torch.relu(x)"), {"itself"})
        self.assertEqual(accepted("torch.relu(x - 2)"), {"itself", "zeros", "constant", "another_trial"})
        self.assertEqual(accepted("x * 0 + 3"), {"itself", "constant", "another_trial"})
        self.assertEqual(accepted("x * 0 + torch.arange(8.0)"), {"itself", "another_trial"})
        self.assertEqual(accepted("self.drop(x)", "self.drop = nn.Dropout(0.5)"), set())
        self.assertEqual(accepted("self.norm(x)", "self.norm = nn.BatchNorm1d(8)"), {"itself"})

    def test_integers_are_cast_as_the_protocol_casts_them(self):
        code = self.module("self.table(x)", "self.table = nn.Embedding(5, 3)").replace("torch.rand(4, 8)", "torch.randint(0, 5, (4, 8))")
        with self.assertRaises(RuntimeError):
            self.compute(code)
        self.assertTrue(self.compute(code, cast="floats")["accepts"]["itself"])
        self.assertEqual(read_tensors(self.files["trial_0.safetensors"])["inputs.0"].dtype, torch.int64)
        counts = self.module("self.norm(x)", "self.norm = nn.BatchNorm1d(8)")
        self.compute(counts, precision="f16")
        self.assertEqual(read_tensors(self.files["state.safetensors"])["norm.num_batches_tracked"].dtype, torch.int64)

    def test_inputs_are_as_they_were_before_the_module_changed_them(self):
        self.compute(self.module("x.mul_(2)"))
        trial = read_tensors(self.files["trial_0.safetensors"])
        self.assertTrue(torch.equal(trial["outputs.0"], 2 * trial["inputs.0"]))

    def test_precisions_and_tolerances(self):
        code = self.bench("2_convolution_bias_silu.py")
        for precision, tolerance in (("f32", 1e-4), ("f16", 1e-2), ("bf16", 1e-2)):
            report = self.compute(code, precision=precision, trials=1)
            self.assertEqual(report["tolerance"], tolerance)
            self.assertEqual(read_tensors(self.files["state.safetensors"])["bias"].dtype, reference.DTYPES[precision])
        near = torch.tensor([1.0, 100.0])
        self.assertTrue(reference.right([near], [near * (1 + 0.9e-4)], 1e-4))
        self.assertFalse(reference.right([near], [near * (1 + 3e-4)], 1e-4))
        self.assertFalse(reference.right([near], [near.reshape(2, 1)], 1e-4), "the shape")
        self.assertFalse(reference.right([near], [torch.full((2,), float("nan"))], 1e-4))

    def test_every_task_of_ours_accepts_itself(self):
        for file in sorted((source / "tests/kernelbench/bench").rglob("level[123]/*.py")):
            report = self.compute(file.read_text())
            self.assertTrue(report["accepts"]["itself"], file)
        row = book.good()[-1]
        report = self.compute(row["python_code"], entry=row["entry_point"], pair=True)
        self.assertEqual(report["init"], {"args": [], "kwargs": {"scale": 2.5}})

    def test_the_program_says_what_is_wrong(self):
        def run(**changes):
            request = {"code": self.module("torch.relu(x)"), "entry": "Model", "pair": False, "seed": 42, "trials": 2, "precision": "f32", "cast": "all", "device": "cpu",
                       "most_bytes": 1 << 20, **changes}
            return subprocess.run([sys.executable, "-B", "-s", str(source / "verifier/kernelbench/reference.py")], input=json.dumps(request).encode(), capture_output=True)

        code = self.module("torch.relu(x)", "print('what a task prints')")
        report, output = self.compute(code, trials=2), run(code=code).stdout
        for name, data in self.files.items():
            head, _, output = output.partition(b"\n")
            self.assertEqual(json.loads(head), {"file": name, "bytes": len(data)})
            self.assertEqual(output[:len(data)], data)
            output = output[len(data):]
        self.assertEqual(list(self.files), ["state.safetensors", "init.safetensors", "trial_0.safetensors", "trial_1.safetensors"])
        self.assertEqual(json.loads(output), report)
        self.assertIn(b"error: the task has no `Net`", run(entry="Net").stderr)
        self.assertIn(b"error: inputs and weights take", run(most_bytes=100).stderr)
        self.assertIn(b"error: the task failed: ZeroDivisionError", run(code=self.module("x / (1 // 0)")).stderr)
        self.assertIn(b"error: forward gives str", run(code=self.module("'x'")).stderr)


if __name__ == "__main__":
    unittest.main()
