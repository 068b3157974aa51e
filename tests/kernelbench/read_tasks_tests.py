"""Tests of verifier/kernelbench/: what is read of tasks in KernelBench's form without running them, and that no text makes the reader fail.

    read_tasks_tests.py SOURCE
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import unittest

source = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
bench = source / "tests/kernelbench/bench"
sys.path.insert(0, str(source / "verifier/kernelbench"))

import describe  # noqa: E402
import read_tasks  # noqa: E402
import rows  # noqa: E402
from static_module import Unread  # noqa: E402

HEAD = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\nclass Model(nn.Module):\n"
TAIL = "\ndef get_inputs():\n    return [torch.rand(4, 8)]\ndef get_init_inputs():\n    return []\n"


def module(forward, made="pass", tail=TAIL):
    return HEAD + f"    def __init__(self):\n        super().__init__()\n        {made}\n    def forward(self, x):\n        {forward}\n" + tail


def operators(*args, **kwargs):
    return describe.describe(module(*args, **kwargs))["operators"]


class OfOneTask(unittest.TestCase):
    def task(self, level, number):
        file = next((bench / f"KernelBench/level{level}").glob(f"{number}_*.py"))
        return describe.describe(file.read_text())

    def test_sizes_inputs_and_operators_of_a_product(self):
        task = self.task(1, 1)
        self.assertEqual(task["sizes"], {"rows": 64, "inner": 32, "columns": 48})
        self.assertEqual(task["inputs"], [{"shape": [64, 32], "dtype": "f32", "made": "rand"}, {"shape": [32, 48], "dtype": "f32", "made": "rand"}])
        self.assertEqual(task["operators"], ["matmul"])
        self.assertEqual(task["unread"], [])

    def test_how_inputs_are_made_is_folded(self):
        hinge = self.task(1, 3)
        self.assertEqual(hinge["inputs"][1], {"shape": [64, 1], "dtype": "f32", "made": "sub(mul(float(randint(0, 2)), 2), 1)"})
        self.assertEqual(hinge["operators"], ["mul", "sub", "clamp", "mean"])

    def test_arguments_and_parameters(self):
        task = self.task(2, 1)
        self.assertEqual(task["init"], {"args": [32, 64, 8, [64]], "kwargs": {}})
        self.assertEqual({p["name"]: p["shape"] for p in task["parameters"]},
                         {"linear.weight": [64, 32], "linear.bias": [64], "scale": [64], "norm.weight": [64], "norm.bias": [64]})
        self.assertEqual(task["operators"], ["linear", "mul", "group_norm"])

    def test_loops_helpers_and_containers_are_followed(self):
        task = self.task(3, 1)
        block = ["layer_norm", "linear", "matmul", "div", "eq", "masked_fill", "softmax", "matmul", "add"]
        self.assertEqual(task["operators"], block * 3 + ["mean", "linear", "relu", "linear", "relu", "linear"])
        self.assertIn({"name": "blocks.2.mask", "shape": [1, 1, 12, 12], "buffer": True}, task["parameters"])
        self.assertEqual(task["unread"], [])

    def test_an_unknown_package_is_said_and_not_imported(self):
        task = self.task(4, 1)
        self.assertEqual(task["packages"], ["somewhere"])
        self.assertIsNone(task["parameters"])
        self.assertIn({"of": "operators", "why": "somewhere.Configured.made isn't read"}, task["unread"])

    def test_spellings_of_an_operator_are_one(self):
        for text in ("return F.relu(x)", "return torch.relu(x)", "return x.relu_()", "return nn.ReLU()(x)"):
            self.assertEqual(operators(text), ["relu"], text)
        self.assertEqual(operators("return x @ x.T"), operators("return torch.mm(x, x.t())"))

    def test_both_ways_of_an_unknown_branch_are_read(self):
        task = describe.describe(module("return torch.relu(x) if x.sum() > 0 else torch.tanh(x)"))
        self.assertEqual(task["operators"], ["sum", "gt", "relu", "tanh"])
        self.assertIn("both are read", task["unread"][0]["why"])

    def test_keys_leave_sizes_out_and_keep_options(self):
        def key(axis, size):
            return describe.describe(module(f"return torch.softmax(x, dim={axis})", tail=TAIL.replace("4, 8", size)))["key"]

        self.assertEqual(key(1, "4, 8"), key(1, "16, 99"))
        self.assertNotEqual(key(1, "4, 8"), key(0, "4, 8"))
        self.assertNotEqual(key(1, "4, 8"), key(1, "4, 8, 2"))

    def test_renamed_comments_and_layout_are_the_same_text(self):
        text = (bench / "KernelBench/level2/1_linear_scale_group_norm.py").read_text()
        other = text.replace("    def forward", "    # scales\n    def forward").replace("return self.norm(x)", "return self.norm( x )")
        unlike = (bench / "KernelBench/level3/1_stack_of_blocks.py").read_text()
        sketch = [describe.describe(t)["sketch"] for t in (text, other, unlike)]
        self.assertEqual(describe.likeness(sketch[0], sketch[1]), 1)
        self.assertLess(describe.likeness(sketch[0], sketch[2]), 0.5)

    def test_sketches_estimate_the_share_of_common_shingles(self):
        draw = random.Random(1)
        for common in (0, 40, 150, 300):
            shared = {draw.getrandbits(64) for _ in range(common)}
            one, other = (shared | {draw.getrandbits(64) for _ in range(300 - common)} for _ in range(2))
            true = len(one & other) / len(one | other)
            self.assertAlmostEqual(describe.likeness(describe.sketch(one), describe.sketch(other)), true, delta=0.2)

    def test_kernelbook_constructors_take_labels(self):
        tail = "\ndef get_inputs():\n    return [torch.rand([4, 4])]\ndef get_init_inputs():\n    return [[3], {'width': 4}]\n"
        text = HEAD.replace("Model", "Gate") + "    def __init__(self, depth, width):\n        super().__init__()\n        self.fc = nn.Linear(width, depth)\n" \
            "    def forward(self, x):\n        return torch.sigmoid(self.fc(x))\n" + tail
        task = describe.describe(text, "Gate", pair=True)
        self.assertEqual(task["init"], {"args": [3], "kwargs": {"width": 4}})
        self.assertEqual(task["parameters"][0], {"name": "fc.weight", "shape": [3, 4]})
        self.assertEqual(task["operators"], ["linear", "sigmoid"])


class OfWhatPyTorchSays(unittest.TestCase):
    """Parameters and inputs against those of the real module, made without data."""

    def test_parameters_and_inputs_are_pytorchs(self):
        try:
            import torch
        except ImportError:
            self.skipTest("this Python has no torch")
        dtypes = {torch.float32: "f32", torch.int64: "i64"}
        layers = ["nn.Conv1d(4, 6, 3, groups=2)", "nn.ConvTranspose3d(4, 6, (1, 2, 3), bias=False)", "nn.LSTM(8, 5, 2, bidirectional=True)",
                  "nn.GRU(input_size=8, hidden_size=3)", "nn.MultiheadAttention(8, 2)", "nn.BatchNorm2d(3)", "nn.InstanceNorm2d(3, affine=True)",
                  "nn.LayerNorm((3, 4))", "nn.Embedding(10, 3)", "nn.PReLU()", "nn.Bilinear(2, 3, 4)", "nn.RMSNorm(7)", "nn.GRUCell(4, 5)",
                  "nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16), num_layers=2)", "nn.Sequential(nn.Linear(8, 3), nn.ReLU())"]
        texts = [f.read_text() for f in sorted(bench.rglob("*.py")) if f.parent.name != "level4"]
        texts += [module("return x", made=f"self.layer = {layer}") for layer in layers]
        for text in texts:
            names = {}
            with torch.device("meta"):
                exec(compile(text, "task", "exec"), names)
                made = names["Model"](*names["get_init_inputs"]())
                inputs = names["get_inputs"]()
            task = describe.describe(text)
            self.assertEqual({p["name"]: p["shape"] for p in task["parameters"]}, {k: list(v.shape) for k, v in made.state_dict().items()}, text)
            self.assertEqual([(i["shape"], i["dtype"]) for i in task["inputs"]], [(list(v.shape), dtypes[v.dtype]) for v in inputs], text)


class OfHostileText(unittest.TestCase):
    def refused(self, text, part):
        with self.assertRaises(Unread) as found:
            describe.describe(text)
        self.assertIn(part, str(found.exception))

    def test_what_is_no_task_is_refused(self):
        self.refused("class Model(:", "no Python")
        self.refused("x = 1\n", "there is no class `Model`")
        self.refused("class Model:\n    pass\n", "no forward")
        self.refused("a\0b", "no Python")

    def test_nothing_of_it_is_carried_out(self):
        with tempfile.TemporaryDirectory() as folder:
            mark = pathlib.Path(folder) / "mark"
            text = f"import os\nos.system('touch {mark}')\nopen({str(mark)!r}, 'w').write('x')\n" + module("return x")
            describe.describe(text)
            self.assertFalse(mark.exists())

    def test_it_ends_soon_whatever_is_computed(self):
        bombs = ["n = 10 ** 10 ** 10", "n = 'a' * 10 ** 9", "n = [0] * 10 ** 9", "n = 1 << 10 ** 9", "n = list(range(10 ** 9))",
                 "n = [0]\nfor i in range(90000):\n    n += n", "while True:\n    pass", "def f(x):\n    return f(x)\nn = f(1)",
                 "n = " + "-" * 5000 + "1", "n = [[[i for i in range(999)] for j in range(999)] for k in range(999)]", "n = f = lambda: f()\nf()",
                 "n = " + "(" * 150 + "1" + ")" * 150, "n = pow(7, 10 ** 9)", "n = sum(range(10 ** 12))", "n = int('9' * 99999)", "n = 9.9 ** 999"]
        for bomb in bombs:
            start = time.process_time()
            try:
                describe.describe(bomb + "\n" + module("return torch.relu(x)"))
            except Unread:
                pass
            self.assertLess(time.process_time() - start, 5, bomb[:60])

    def test_damaged_texts_never_fail_otherwise(self):
        draw = random.Random(7)
        texts = [f.read_text() for f in sorted(bench.rglob("*.py"))]
        words = ["(", ")", "[", "]", "self", "x", "None", "-1", "*", "**", ":", "return", "0", "lambda:", ".shape", "...", "nn.Linear", "{}", "range"]
        for _ in range(600):
            parts = draw.choice(texts).split(" ")
            for _ in range(draw.randint(1, 4)):
                at = draw.randrange(len(parts))
                parts[at] = draw.choice([draw.choice(words), draw.choice(parts), ""])
            text = " ".join(parts)
            try:
                json.dumps(describe.describe(text), allow_nan=False)
            except Unread:
                pass


class OfSources(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def rows(self):
        out = []
        for level, number, name, file in rows.repository(bench):
            out.append({"code": file.read_text(), "level": level, "name": f"{number}_{name}.py", "problem_id": number})
        return out

    def test_a_repository_and_its_rows_are_one(self):
        tasks, problems = read_tasks.tasks_of(bench)
        self.assertEqual(problems, [])
        self.assertEqual([(t["level"], t["id"]) for t in tasks], [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (3, 1), (4, 1)])
        (self.path / "a.jsonl").write_text("\n".join(json.dumps(r) for r in self.rows()))
        (self.path / "b.json").write_text(json.dumps(self.rows()))
        columns = {name: [r[name] for r in self.rows()] for name in self.rows()[0]}
        (self.path / "c.json").write_text(json.dumps(columns))
        for name in "a.jsonl", "b.json", "c.json":
            self.assertEqual(read_tasks.tasks_of(self.path / name), (tasks, []), name)

    def test_parquet_where_it_can_be_read_and_a_remedy_where_not(self):
        file = self.path / "a.parquet"
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            file.write_bytes(b"PAR1")
            with self.assertRaises(rows.SourceError) as found:
                read_tasks.tasks_of(file)
            self.assertIn("pyarrow", found.exception.remedy)
            return
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(self.rows()), file)
        self.assertEqual(read_tasks.tasks_of(file), read_tasks.tasks_of(bench))
        file.write_bytes(b"PAR1 and nothing")
        with self.assertRaises(rows.SourceError):
            read_tasks.tasks_of(file)

    def test_rows_that_cannot_be_read_are_named_and_the_others_read(self):
        good = self.rows()
        lines = [json.dumps(good[0]), "{", "[1]", json.dumps({"code": 1}), json.dumps({**good[1], "code": "class Model: pass"}),
                 json.dumps({**good[2], "problem_id": 1}), json.dumps({**good[3], "code": "x" * (rows.MOST_CODE + 1)}), json.dumps(good[4])]
        (self.path / "a.jsonl").write_text("\n".join(lines) + "\n")
        tasks, problems = read_tasks.tasks_of(self.path)
        self.assertEqual([t["name"] for t in tasks], ["row_product", "convolution_bias_silu"])
        self.assertEqual([p.get("row") for p in problems], [2, 3, 4, 5, 7, None])
        for part, problem in zip(["no JSON", "not an object", "problem_id", "forward", "characters", "has the id of"], problems):
            self.assertIn(part, problem["what"])

    def test_a_row_of_a_hundred_megabytes_is_one_problem(self):
        with open(self.path / "a.jsonl", "w") as file:
            file.write('{"code": "')
            for _ in range(100):
                file.write("x" * (1 << 20))
            file.write('"}\n' + json.dumps(self.rows()[0]) + "\n")
        tasks, problems = read_tasks.tasks_of(self.path)
        self.assertEqual(len(tasks), 1)
        self.assertEqual((problems[0]["row"], problems[0]["what"].split(";")[0]), (1, f"it has {(100 << 20) + 13} bytes"))

    def test_sources_that_are_none(self):
        (self.path / "a.json").write_text('"rows"')
        (self.path / "b.json").write_text("[" * 100000)
        for name, part in (("nowhere", "nothing at"), ("", "no rows"), ("a.json", "no rows"), ("b.json", "no JSON")):
            target = self.path / name if name else pathlib.Path(self.folder.name, "empty")
            if not name:
                target.mkdir()
            with self.assertRaises(rows.SourceError) as found:
                read_tasks.tasks_of(target)
            self.assertIn(part, str(found.exception))

    def test_no_pipe_is_waited_for_and_no_link_leads_out(self):
        given = self.path / "given"
        (given / "level1").mkdir(parents=True)
        (self.path / "secret.py").write_text("SECRET = 1\n")
        (self.path / "secret.jsonl").write_text(json.dumps(self.rows()[0]) + "\n")
        os.symlink("../../secret.py", given / "level1/1_Link.py")
        os.mkfifo(given / "level1/2_Pipe.py")
        tasks, problems = read_tasks.tasks_of(given)
        self.assertEqual(tasks, [])
        self.assertIn("leads out of the folder", problems[0]["what"])
        self.assertIn("is no regular file", problems[1]["what"])
        rows_given = self.path / "rows"
        rows_given.mkdir()
        os.symlink("../secret.jsonl", rows_given / "a.jsonl")
        with self.assertRaisesRegex(rows.SourceError, "leads out of the folder"):
            read_tasks.tasks_of(rows_given)
        os.remove(rows_given / "a.jsonl")
        os.mkfifo(rows_given / "a.jsonl")
        for named in rows_given, rows_given / "a.jsonl":
            with self.assertRaisesRegex(rows.SourceError, "is no regular file"):
                read_tasks.tasks_of(named)
        os.symlink("secret.jsonl", self.path / "named.jsonl")
        self.assertEqual(len(read_tasks.tasks_of(self.path / "named.jsonl")[0]), 1, "a file that the user named may be a link")

    def test_the_program_says_what_is_wrong(self):
        done = subprocess.run([sys.executable, "-B", str(source / "verifier/kernelbench/read_tasks.py"), str(self.path)], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, "^error: there are no rows in .*\n  help: ")

    def test_the_same_bytes_each_time(self):
        command = [sys.executable, "-B", "-s", str(source / "verifier/kernelbench/read_tasks.py"), str(bench)]
        once, again = (subprocess.run(command, capture_output=True, env={"PYTHONHASHSEED": seed}).stdout for seed in ("1", "2"))
        self.assertTrue(once)
        self.assertEqual(once, again)


if __name__ == "__main__":
    unittest.main()
