"""The real `trl` with a worker that makes results up, and a stand-in for Ray: a study on a cluster has the bytes that it has without one.

    run_tests.py TRL FAKE_WORKER STUDY
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TRL, WORKER, STUDY = sys.argv[1:4]
del sys.argv[1:4]
TWO = [{"id": "n1", "CPU": 1}, {"id": "n2", "CPU": 1}]


class Run(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def environment(self, nodes=TWO, **setting):
        return {name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"} | {
            "TRL_WORKER": WORKER, "TRL_RAY_PYTHON": sys.executable, "PYTHONPATH": str(HERE / "stand_in"), "TRL_CLUSTER_CACHE": str(self.folder / "cache"), "TRL_CLUSTER_COPIES": "always",
            "TRL_STAND_IN": json.dumps({"nodes": nodes} | setting), "NO_COLOR": "1"}

    def trl(self, *arguments, toml="", **setting):
        (self.folder / "trl.toml").write_text(toml)
        return subprocess.run([TRL, *arguments], cwd=self.folder, env=self.environment(**setting), capture_output=True, text=True, timeout=100)

    def study(self, store, *more, **setting):
        (self.folder / store).mkdir(exist_ok=True)
        (self.folder / store / "secret").write_text("5e" * 32)
        (self.folder / store / "secret").chmod(0o600)
        return self.trl("run", STUDY, "--store", store, "--out", f"{store}-out", "--no-sandbox", *more, **setting)

    def results(self, store):
        """The files of every stage but their records, which have times, and the tables without measured seconds."""
        found = {str(path.relative_to(self.folder / store)): path.read_bytes() for path in (self.folder / store / "stages").rglob("*") if path.is_file() and path.name != "stage.json"}
        return found | {path.name: path.read_bytes() for path in (self.folder / f"{store}-out").rglob("*.values.csv")}

    def test_on_a_cluster_has_the_bytes_of_this_machine(self):
        alone, together = self.study("alone"), self.study("together", "--on", "ray")
        self.assertEqual((alone.returncode, together.returncode), (0, 0), together.stderr)
        self.assertEqual(self.results("together"), self.results("alone"))
        self.assertIn("on node ", together.stderr)
        self.assertEqual(list((self.folder / "together").glob("tmp-*")), [])
        self.assertEqual(list((self.folder / "cache/work").iterdir()), [])

    def test_lost_nodes_change_nothing(self):
        self.study("alone")
        lost = self.study("lost", "--on", "ray", die={"result": 4, "events": 11, "begin": 9})
        self.assertEqual(lost.returncode, 0, lost.stderr)
        self.assertIn("trying again", lost.stderr)
        self.assertEqual(self.results("lost"), self.results("alone"))

    def test_is_stopped_by_ctrl_c_and_goes_on(self):
        command = [TRL, "run", STUDY, "--store", "stopped", "--out", "stopped-out", "--no-sandbox", "--on", "ray"]
        with subprocess.Popen(command, cwd=self.folder, env=self.environment() | {"FAKE_WAIT": "corpus"}, stderr=subprocess.PIPE, text=True) as run:
            log = self.folder / "stopped/cluster.log"
            while run.poll() is None and not list((self.folder / "cache").glob("work/*/*/output")):
                time.sleep(0.01)
            run.send_signal(signal.SIGINT)
            errors = run.stderr.read()
        self.assertEqual(run.returncode, 130, errors + log.read_text())
        self.assertIn("Go on with: trl run", " ".join(errors.split()))
        self.assertEqual(list((self.folder / "stopped").glob("tmp-*")), [])
        self.assertEqual(self.study("stopped", "--on", "ray").returncode, 0)

    def test_mistakes_are_answered(self):
        for arguments, setting, status, texts in (
                (["--on", "slurm"], {}, 2, ["--on is `slurm`", "--on ray://HOST:10001"]),
                (["--on", "nowhere:1"], {}, 1, ["no Ray cluster answers at nowhere:1", "ray start --head"]),
                (["--on", "ray"], {"toml": 'cluster = "nowhere:1"\n'}, 1, ["no Ray cluster answers at nowhere:1"]),
                (["--on", "ray", "--device", "cuda"], {}, 1, ["no node of the cluster has a GPU"]),
                (["--on", "ray", "--threads", "4"], {}, 1, ["no node of the cluster has 4 cores", "--threads"]),
                (["--on", "ray"], {"toml": 'clustre = "ray"\n'}, 1, ["setting `clustre`", "`cluster`"])):
            answer = self.study("store", *arguments, **setting)
            self.assertEqual(answer.returncode, status, answer.stderr)
            for text in texts:
                self.assertIn(text, " ".join(answer.stderr.split()))

    def test_doctor_asks_every_node(self):
        answer = self.trl("doctor", "--on", "ray")
        self.assertIn("n1", answer.stdout + answer.stderr)
        self.assertEqual(len(json.loads(self.trl("doctor", "--on", "ray", "--json").stdout)), 2)


if __name__ == "__main__":
    unittest.main()
