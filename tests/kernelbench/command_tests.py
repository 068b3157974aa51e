"""Tests of `trl` on files that name tasks in KernelBench's form: the real program and the real reader.

    command_tests.py SOURCE TRL
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

source, trl = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))


sys.path.insert(0, str(source / "tests/kernelbench"))

import book  # noqa: E402


class Commands(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        shutil.copytree(source / "tests/kernelbench/bench", self.path / "bench")

    def tearDown(self):
        self.folder.cleanup()

    def run_trl(self, *arguments, **variables):
        environment = {**os.environ, "TRL_HOME": str(source), "TRL_PYTHON": sys.executable, "XDG_CACHE_HOME": str(self.path / "cache"),
                       "NO_COLOR": "1", **variables}
        return subprocess.run([trl, *arguments], cwd=self.path, env=environment, capture_output=True, text=True, timeout=120)

    def check(self, text, **variables):
        (self.path / "a.trl").write_text(text)
        return self.run_trl("check", "a.trl", **variables)


class Benchmark(Commands):
    SUITES = 'suite one { source = kernelbench(path("bench"), level = 1) }\nsuite two { source = kernelbench(path("bench"), level = 2) }\n'

    def test_counts_and_ranges_are_known(self):
        self.assertEqual(self.check(self.SUITES + "split a = one[1..3] + two[1..2]\n").stderr, "")
        beyond = self.check(self.SUITES + "split a = two[1..20]\n")
        self.assertEqual(beyond.returncode, 1)
        self.assertIn("`two` has the tasks 1..2, `1..20` is outside", beyond.stderr)

    def test_overlap_is_found_whatever_the_sizes(self):
        text = (self.path / "bench/KernelBench/level1/1_row_product.py").read_text()
        (self.path / "bench/KernelBench/level1/4_wide_product.py").write_text(text.replace("inner = 32", "inner = 512"))
        overlap = self.check("import windtunnel\n" + self.SUITES + 'lora l { rank = 4 }\nmodel m { weights = windtunnel.base }\n'
                             "train t : best_of_n { tasks = one[1..2], rounds = 1, tasks_per_round = 2 }\n"
                             "evaluation x { split = one[4], samples = 10 }\n"
                             "experiment e { model = m, adapter = l, train = t, evaluate = x }\n")
        self.assertIn("error[exam_overlap]", overlap.stderr)
        self.assertIn("`one/4` is `one/1` with other sizes", overlap.stderr)

    def test_an_absent_path_says_how_to_get_it(self):
        absent = self.check('suite one { source = kernelbench(path("nowhere"), level = 1) }\n')
        for part in ("error[unread_tasks]: there is nothing at nowhere", "git clone", "hf download ScalingIntelligence/KernelBench"):
            self.assertIn(part, absent.stderr)

    def test_what_was_read_is_kept_until_it_changes(self):
        python = self.path / "python"
        python.write_text("#!/bin/sh\necho 'error: it was started' >&2; exit 1\n")
        python.chmod(0o755)
        self.assertEqual(self.check(self.SUITES).returncode, 0)
        self.assertEqual(self.check(self.SUITES, TRL_PYTHON=str(python)).returncode, 0)
        (self.path / "bench/KernelBench/level2/3_more.py").write_text((self.path / "bench/KernelBench/level1/2_leaky_unit.py").read_text())
        self.assertIn("it was started", self.check(self.SUITES, TRL_PYTHON=str(python)).stderr)
        self.assertIn("two` has the tasks 1..3", self.check(self.SUITES + "split a = two[4]\n").stderr)

    def test_a_damaged_cache_is_read_anew(self):
        self.assertEqual(self.check(self.SUITES).returncode, 0)
        for file in (self.path / "cache/trl/foreign_tasks").iterdir():
            file.write_text('{"tasks": [{}], "problems": []}')
        self.assertEqual(self.check(self.SUITES).returncode, 0)

    def test_a_task_that_cannot_be_read_is_named(self):
        (self.path / "bench/KernelBench/level2/3_bad.py").write_text("class Model(:\n")
        bad = self.check(self.SUITES)
        self.assertIn("1 task of level 2 can't be read: bench/KernelBench/level2/3_bad.py: line 1: it is no Python", bad.stderr)
        (self.path / "bench/KernelBench/level2/3_bad.py").rename(self.path / "bench/KernelBench/level2/4_gap.py")
        (self.path / "bench/KernelBench/level2/4_gap.py").write_text((self.path / "bench/KernelBench/level1/2_leaky_unit.py").read_text())
        self.assertIn("level 2 of `bench` has no task 3", self.check(self.SUITES).stderr)

    def test_a_suite_named_as_one_of_the_wind_tunnel_is_another_group(self):
        (self.path / "a.trl").write_text("import windtunnel\n" + 'suite level1 { source = kernelbench(path("bench"), level = 1) }\nlora l { rank = 4 }\n'
                                         "model m { weights = windtunnel.base }\nevaluation x { split = level1[1..2] + windtunnel.level1[59..60] }\n"
                                         "train t : sft { data = windtunnel.corpus(level1 = 160, exclude = x.split) }\n"
                                         "experiment e { model = m, evaluate = x, train = t, adapter = l }\ntable main { of = e, rows = cells + suites }\n")
        planned = self.run_trl("plan", "a.trl", "--json")
        self.assertEqual(planned.returncode, 0, planned.stderr)
        stages = {stage["kind"]: stage["spec"] for stage in json.loads(planned.stdout)[0]["stages"]}
        corpus = stages["corpus"]
        # Of sixty tasks without the two of the exam and one that its leaky_relu equals.
        self.assertEqual((corpus["samples"]["level1"], sum(task["suite"] == "level1" for task in corpus["tasks"])), (160, 57))
        self.assertFalse(any("module" in task or "." in task["suite"] for task in corpus["tasks"]), "they are the wind tunnel's")
        self.assertEqual([task["suite"] for task in stages["tasks"]["tasks"]], ["level1"] * 2 + ["windtunnel.level1"] * 2)

    def test_show_lists_what_was_read(self):
        (self.path / "a.trl").write_text(self.SUITES)
        shown = self.run_trl("show", "a.trl", "two").stdout
        self.assertIn("#   1 linear_scale_group_norm: linear, mul, group_norm\n#   2 convolution_bias_silu: conv2d, add, silu", shown)
        (self.path / "b.trl").write_text(shown)
        self.assertEqual(self.run_trl("check", "b.trl").stderr, "", "what is shown is a program")

    def test_run_refuses_what_it_cannot_judge(self):
        # It is judged by its module, whose sizes can't be changed.
        (self.path / "a.trl").write_text("import windtunnel\n" + self.SUITES + 'suite three { source = kernelbench(path("bench"), level = 3, largest = 4096) }\n' + "model m { weights = windtunnel.base }\n"
                                         "evaluation x { split = three, samples = 10 }\nexperiment e { model = m, evaluate = x, train = t, adapter = l }\n"
                                         "lora l { rank = 4 }\ntrain t : sft { data = windtunnel.corpus(level1 = 160) }\ntable main { of = e }\n")
        done = self.run_trl("run", "a.trl")
        self.assertEqual(done.returncode, 1)
        self.assertIn("answers to three/1 (stack_of_blocks) can't be judged", " ".join(done.stderr.split()))
        self.assertFalse((self.path / "runs").exists())

    def test_what_cannot_be_judged_can_be_excluded(self):
        (self.path / "a.trl").write_text("import windtunnel\n" + self.SUITES + 'suite three { source = kernelbench(path("bench"), level = 3) }\n' + "model m { weights = windtunnel.base }\n"
                                         "evaluation x { split = windtunnel.level1[59..60], samples = 10 }\nexperiment e { model = m, evaluate = x, train = t, adapter = l }\n"
                                         "lora l { rank = 4 }\ntrain t : sft { data = windtunnel.corpus(level1 = 160, exclude = x.split + three) }\ntable main { of = e }\n")
        self.assertNotIn("can't be judged", " ".join(self.run_trl("plan", "a.trl").stdout.split()))


class Book(Commands):
    TEXT = """import windtunnel
model m { weights = windtunnel.base }
lora small { rank = 4 }
split held_out = windtunnel.level1[41..42]
train imitate : sft {
  allow(too_few_steps, "a test")
  data = kernelbook(path("rows.jsonl"), level1 = 4, level2 = 2, samples = 2, seed = 3, exclude = held_out), batch = 4
}
evaluation exam { split = held_out, samples = 1, max_tokens = 8 }
experiment e { model = m, adapter = small, train = imitate, evaluate = exam }
table main { of = e, rows = cells, columns = [valid] }
"""

    def setUp(self):
        super().setUp()
        (self.path / "a.trl").write_text(self.TEXT)

    def results(self, name):
        return [file for file in (self.path / "runs/.store/stages").rglob(name)]

    def test_an_adapter_is_trained_on_its_pairs(self):
        book.write(self.path / "rows.jsonl", [*book.good(), "{", book.row("Gpl", "torch.erf(x)", licenses=["GPL-3.0"])])
        done = self.run_trl("run", "a.trl")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(" ".join(done.stderr.split()), "24 of 26 rows, 1 license, 1 malformed")
        report = json.loads(self.results("pairs.json")[0].read_text())
        self.assertEqual((report["level1"], report["level2"]), (12, 12))
        manifest = self.results("manifest.json")[0]
        self.assertEqual(json.loads(manifest.read_text())["rows"], 8)
        samples = [json.loads(line) for line in (manifest.parent / "samples.jsonl").read_text().splitlines()]
        self.assertGreaterEqual([s["group"] for s in samples].count("level1"), 4)
        self.assertIn("class ModelNew", samples[0]["answer"])
        self.assertEqual(len(self.results("adapter_model.safetensors")), 1)
        self.assertIn("all done", self.run_trl("run", "a.trl").stderr)

    def test_what_is_lacking_is_said_with_its_numbers(self):
        self.assertEqual(self.run_trl("check", "a.trl").returncode, 0, "rows may lie elsewhere")
        absent = self.run_trl("run", "a.trl")
        self.assertEqual(absent.returncode, 1)
        for part in ("there is nothing at rows.jsonl", "hf download GPUMODE/KernelBook"):
            self.assertIn(part, " ".join(absent.stderr.split()))
        book.write(self.path / "rows.jsonl", book.good()[:3])
        few = self.run_trl("run", "a.trl")
        self.assertIn("of 3 pairs 0 are longer than 2048 tokens, and 2 more of any, 1 more of level1, 2 more of level2 are lacking",
                      " ".join(few.stderr.split()))

    def test_a_lock_file_holds_rows_and_tasks(self):
        (self.path / "a.trl").write_text('suite kb { source = kernelbench(path("bench"), level = 1) }\n' + self.TEXT.replace("exclude = held_out", "exclude = held_out + kb"))
        book.write(self.path / "rows.jsonl", book.good())
        self.assertEqual(self.run_trl("lock", "a.trl").returncode, 0)
        self.assertEqual(self.run_trl("plan", "a.trl").returncode, 0)
        book.write(self.path / "rows.jsonl", book.good()[1:])
        other = self.run_trl("plan", "a.trl")
        self.assertEqual(other.returncode, 1)
        self.assertIn('e: rows of path("rows.jsonl") is ', " ".join(other.stderr.split()))
        self.assertNotIn("tasks of kb", other.stderr)
        book.write(self.path / "rows.jsonl", book.good())
        task = next((self.path / "bench").rglob("1_row_product.py"))
        task.write_text(task.read_text().replace("rows = 16", "rows = 17"))
        self.assertIn("e: tasks of kb is ", " ".join(self.run_trl("plan", "a.trl").stderr.split()))

    def test_malformed_rows_may_be_refused(self):
        (self.path / "a.trl").write_text(self.TEXT.replace("seed = 3", "seed = 3, malformed = refuse"))
        book.write(self.path / "rows.jsonl", [*book.good(), "{"])
        refused = self.run_trl("run", "a.trl")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("rows.jsonl, row 25: it is no JSON", " ".join(refused.stderr.split()))
        self.assertFalse(self.results("pairs.jsonl"))


if __name__ == "__main__":
    unittest.main()
