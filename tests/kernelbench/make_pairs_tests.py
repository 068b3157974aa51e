"""Tests of verifier/kernelbench/make_pairs.py: which rows become pairs, why others don't, and that the same rows give the same bytes.

    make_pairs_tests.py SOURCE
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

source = pathlib.Path(sys.argv.pop(1)) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(source / "verifier/kernelbench"))

import book  # noqa: E402
import describe  # noqa: E402
import make_pairs  # noqa: E402


class Pairs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def make(self, rows, **changes):
        book.write(self.path / "rows.jsonl", rows)
        return make_pairs.make({"rows": str(self.path / "rows.jsonl"), "licenses": ["MIT", "Apache-2.0"], "near": 0.8, "malformed": "skip",
                                "seed": None, "excluded": [], **changes})

    def left_out(self, extra, **changes):
        pairs, report = self.make([*book.good(), *extra], **changes)
        self.assertEqual(len(pairs), 24)
        return report["left_out"]

    def test_levels_names_and_order(self):
        pairs, report = self.make(book.good())
        self.assertEqual((report["rows"], report["level1"], report["level2"], report["left_out"]), (24, 12, 12, {}))
        self.assertEqual([p["row"] for p in pairs], list(range(1, 25)))
        self.assertIn("class Model(nn.Module)", pairs[0]["prompt"])
        self.assertIn("class ModelNew(torch.nn.Module)", pairs[0]["answer"])
        self.assertNotIn("OnlyRelu", pairs[0]["prompt"] + pairs[0]["answer"])
        self.assertEqual([p["level"] for p in pairs], [1] * 12 + [2] * 12)

    def test_each_row_that_is_left_out_has_its_reason(self):
        good = book.good()[0]
        self.assertEqual(self.left_out(["{", "[]", {**good, "entry_point": "no name"}, {**good, "triton_code": None}]), {"malformed": 4})
        self.assertEqual(self.left_out([book.row("A", "torch.erf(x)", licenses=one) for one in (["GPL-3.0"], ["MIT", "GPL-3.0"], [])]), {"license": 3})
        self.assertEqual(self.left_out([{**good, "python_code": "class OnlyRelu(:"}, {**good, "python_code": "x = 1"},
                                        book.row("B", "somewhere.unknown(x)")]), {"unread": 3})
        self.assertEqual(self.left_out([{**book.row("C", "torch.erf(x)"), "triton_code": text} for text in ("def (", "x = 1")]), {"answer": 2})
        self.assertEqual(self.left_out([book.row("D", "torch.erf(x)", extra="    other = 'Model'\n")]), {"names": 1})
        twin = book.row("Other", "torch.relu(x)")
        self.assertEqual(self.left_out([{**twin, "python_code": twin["python_code"].replace("return torch", "# a remark\n        return  torch")}]), {"exact": 1})
        long = " + ".join(f"torch.relu(x * {i})" for i in range(40))
        pairs, report = self.make([book.row("Long", long), book.row("Longer", long + " + 1")])
        self.assertEqual((len(pairs), report["left_out"]), (1, {"near": 1}))
        self.assertEqual(report["examples"]["near"], "row 2: as row 1")

    def test_modules_of_one_operator_are_not_near_for_being_short(self):
        self.assertTrue(make_pairs.alike(["relu"] * 10, ["relu"] * 9 + ["tanh"], 0.8))
        self.assertFalse(make_pairs.alike(["relu"], ["tanh"], 0.8))
        self.assertFalse(make_pairs.alike(["relu"] * 10, ["relu"] * 3, 0.8))

    def test_licenses_may_be_written_as_json_and_any_may_be_allowed(self):
        row = book.row("A", "torch.erf(x)", licenses=["GPL-3.0"])
        self.assertEqual(len(self.make([{**row, "licenses": '["MIT"]'}])[0]), 1)
        self.assertEqual(len(self.make([row], licenses=None)[0]), 1)

    def test_what_the_exam_asks_is_left_out_and_reported(self):
        text = book.row("E", "torch.cos(torch.sin(torch.exp(x) + 2) * 3)")["python_code"].replace("class E", "class Model")
        exam = [{"name": "level1/1", "operators": ["relu"], "sketch": ""},
                {"name": "level2/7", "operators": [], "sketch": describe.describe(text)["sketch"]},
                {"name": "level2/9", "operators": ["lstm"], "sketch": ""}]
        rows = [*book.good(), book.row("E", "torch.cos(torch.sin(torch.exp(x) + 2) * 3)")]
        pairs, report = self.make(rows, excluded=exam)
        self.assertEqual(report["overlap"], {"level1/1": {"operators": 1, "text": 0}, "level2/7": {"operators": 0, "text": 1}})
        self.assertEqual((len(pairs), report["left_out"]), (23, {"exam": 2}))
        self.assertFalse([p for p in pairs if p["task"] in ("OnlyRelu", "E")])

    def test_a_seed_decides_the_order_whatever_that_of_the_rows(self):
        rows = book.good()
        once = [p["task"] for p in self.make(rows, seed=1)[0]]
        random.Random(3).shuffle(rows)
        self.assertEqual([p["task"] for p in self.make(rows, seed=1)[0]], once)
        self.assertNotEqual([p["task"] for p in self.make(rows, seed=2)[0]], once)

    def test_near_duplicates_are_those_of_comparing_all(self):
        draw = random.Random(5)
        words = [f"w{i}" for i in range(300)]
        texts = [[draw.choice(words) for _ in range(120)] for _ in range(30)]
        for text in list(texts):
            other = list(text)
            for _ in range(draw.choice([0, 1, 2, 4, 30])):
                other[draw.randrange(len(other))] = draw.choice(words)
            texts.append(other)
        sets = [describe.shingles_of_text(" ".join(text)) for text in texts]
        seen, kept, plain = make_pairs.Seen(0.8), [], []
        for number, one in enumerate(sets):
            if not any(make_pairs.similarity(one, sets[other]) >= 0.8 for other in plain):
                plain.append(number)
            key = str(sorted(one))
            if seen.like(key, one, describe.sketch(one), ["relu"]) is None:
                seen.add(key, one, describe.sketch(one), ["relu"])
                kept.append(number)
        self.assertEqual(kept, plain)
        self.assertLess(len(kept), 60)

    def test_the_program_refuses_and_repeats_itself(self):
        def run(seed, **changes):
            out = self.path / f"out{seed}"
            out.mkdir(exist_ok=True)
            request = {"rows": str(self.path / "rows.jsonl"), "licenses": ["MIT"], "near": 0.8, "malformed": "skip", "seed": 4, "excluded": [],
                       "output": str(out), **changes}
            done = subprocess.run([sys.executable, "-B", str(source / "verifier/kernelbench/make_pairs.py")], input=json.dumps(request), text=True,
                                  capture_output=True, env={"PYTHONHASHSEED": seed})
            return done, {file.name: file.read_bytes() for file in out.iterdir()}

        book.write(self.path / "rows.jsonl", [*book.good(), "{"])
        done, files = run("1")
        self.assertEqual(json.loads(done.stdout)["left_out"], {"malformed": 1})
        self.assertEqual(run("2")[1], files)
        self.assertEqual(sorted(files), ["pairs.json", "pairs.jsonl"])
        refused = run("3", malformed="refuse")[0]
        self.assertEqual(refused.returncode, 1)
        self.assertRegex(refused.stderr, "^error: .*rows.jsonl, row 25: it is no JSON.*\n  help: ")


if __name__ == "__main__":
    unittest.main()
