"""`trl serve` with the real verifier: verdicts are those of `trl verify`, whatever happens to worker slots."""

import concurrent.futures
import json
import os
import signal
import subprocess
import time
import unittest

from candidates import CANDIDATES
from server import Server

TRL = os.environ["TRL"]
# What another start of the verifier may say otherwise: costs, the machine and the identity of the verdict.
UNCOMPARED = ("budget", "made_on", "id", "protocol", "task", "secret", "candidate", "number", "index")


def compared(row):
    return {name: value for name, value in row.items() if name not in UNCOMPARED}


def slots_of(server):
    children = subprocess.run(["pgrep", "-P", str(server.process.pid)], capture_output=True, text=True).stdout
    return [int(pid) for pid in children.split()]


class Verdicts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--slots", "2"))

    def test_are_those_of_trl_verify_and_pass_an_audit(self):
        answers = [{"task": task, "answer": answer} for task, answer in CANDIDATES.values()]
        lines = self.server.post_many("/v1/verify", {"answers": answers})
        with open(os.path.join(self.server.store, "secret")) as file:
            secret = file.read().strip()
        rows = "".join(json.dumps(answer) + "\n" for answer in answers)
        verified = subprocess.run([TRL, "verify", "--rows", "-", "--json", "--secret", secret], input=rows,
                                  capture_output=True, text=True)
        expected = [json.loads(line) for line in verified.stdout.splitlines()]
        self.assertEqual(len(expected), len(answers), verified.stderr)
        for line in lines:
            self.assertEqual(compared(line), compared(expected[line["index"]]), list(CANDIDATES)[line["index"]])
        self.assertEqual({line["reason"] for line in lines}, {None, "wrong_values", "out_of_bounds_store", "syntax_error"})

    def test_a_candidate_that_never_ends_is_a_timeout_with_the_step(self):
        head = "import time\nclass ModelNew: pass\n"
        for answer in ("time.sleep(1000)", "while True: pass", "time.sleep(1.5)\nwhile True: pass"):
            begun = time.monotonic()
            row = self.server.post("/v1/verify", {"task": "level1/1", "answer": head + answer, "deadline_s": 3})[1]
            self.assertLess(time.monotonic() - begun, 20, "the server's own deadline is 60 s")
            self.assertEqual((row["reason"], row["failed"]), ("timeout", "syntax"), row)
        self.assertIn("the step record took", row["message"])
        task, answer = CANDIDATES["right"]
        self.assertTrue(self.server.post("/v1/verify", {"task": task, "answer": answer})[1]["correct"])

    def test_killed_slots_lose_nothing(self):
        task, answer = CANDIDATES["right"]
        before = self.server.metric("trl_slot_restarts_total")
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            asked = [pool.submit(self.server.post, "/v1/verify", {"task": task, "answer": answer + f"# {number}\n"})
                     for number in range(12)]
            for _ in range(2):
                time.sleep(0.3)
                for pid in slots_of(self.server)[:1]:
                    os.kill(pid, signal.SIGKILL)
            rows = [one.result() for one in asked]
        self.assertEqual([row["correct"] for _, row in rows], [True] * 12)
        self.assertEqual(len({row["id"] for _, row in rows}), 12)
        self.assertGreaterEqual(self.server.metric("trl_slot_restarts_total"), before + 1)


class Store(unittest.TestCase):
    def test_an_audit_reaches_the_verdicts_again(self):
        with Server("--slots", "1") as server:
            answers = [{"task": task, "answer": answer} for task, answer in CANDIDATES.values()]
            lines = server.post_many("/v1/verify", {"answers": answers})
            self.assertEqual(server.end()[0], 0)
            audited = subprocess.run([TRL, "audit", server.store], capture_output=True, text=True)
            self.assertEqual(audited.returncode, 0, audited.stdout + audited.stderr)
            self.assertIn(f"{len(lines)} verdicts computed again: {len(lines)} agree", audited.stdout)


if __name__ == "__main__":
    unittest.main()
