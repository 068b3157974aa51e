"""Tests of the client of `trl serve` and of those adapters that need no trainer, against a stand-in that fails on demand.

    client_tests.py SOURCE
"""

import asyncio
import functools
import importlib
import logging
import pathlib
import pickle
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

SOURCE = pathlib.Path(sys.argv[1])
PACKAGE = SOURCE / "packaging/wheel"
sys.path[:0] = [str(PACKAGE), str(pathlib.Path(__file__).parent)]

from service import Fault, running  # noqa: E402

from trl_kernels import AsyncClient, Client, Refused, Unavailable, Unjudged  # noqa: E402
from trl_kernels.hf_trl import KernelReward, prompts  # noqa: E402
from trl_kernels.retry import Retries, seconds_of  # noqa: E402

logging.getLogger("trl_kernels").setLevel(logging.CRITICAL)


class Case(unittest.TestCase):
    """A service, and a client whose waits are noted instead of slept."""

    def setUp(self):
        service = running()
        self.service = service.__enter__()
        self.addCleanup(service.__exit__, None, None, None)
        self.waits = []

    def client(self, timeout=20.0, **options):
        retries = functools.partial(Retries, sleep=self.waits.append, draw=lambda: 1.0)
        return Client(self.service.url, timeout=timeout, retries=retries, **options)

    def keys(self):
        return [headers.get("Idempotency-Key") for _, headers, _ in self.service.requests]


class Answers(Case):
    def test_a_verdict_is_that_of_the_service(self):
        verdict = self.client().verify("level1/1", "right")
        self.assertEqual((verdict.task, verdict.correct, verdict.speedup), ("level1/1", True, 2.0))
        self.assertEqual(self.service.requests[0][2], {"task": "level1/1", "answer": "right", "protocol": "exam"})

    def test_a_reward_has_parts_a_verdict_and_feedback(self):
        reward = self.client().reward("level1/1", "wrong", reward="train")
        self.assertEqual((reward.value, reward.parts, reward.verdict.reason), (0.0, {"c.correct": 0.0}, "wrong_values"))
        self.assertIn("isn't right", reward.feedback)
        self.assertEqual(self.service.requests[0][2]["reward"], "train")

    def test_a_batch_is_one_request_and_each_line_says_of_which_answer_it_is(self):
        items = [("level1/1", "right"), ("level1/2", "wrong"), ("level1/4", "right")]
        rewards = [*self.client(deadline_s=9).rewards(items)]
        self.assertEqual(sorted((reward.index, reward.value) for reward in rewards), [(0, 1.0), (1, 0.0), (2, 1.0)])
        self.assertEqual([reward.index for reward in rewards], [2, 1, 0], "in the order of completion")
        self.assertEqual(len(self.service.requests), 1)
        self.assertEqual(self.service.requests[0][2]["deadline_s"], 9)

    def test_a_large_batch_is_several_requests(self):
        with unittest.mock.patch("trl_kernels.client.MOST_ANSWERS", 2):
            came = []
            with self.assertRaises(Unjudged):
                for reward in self.client().rewards([("level1/1", text) for text in ("right", "unlucky", "crash", "wrong", "right")]):
                    came.append((reward.index, reward.value))
        self.assertEqual(sorted(came), [(0, 1.0), (3, 0.0), (4, 1.0)])
        self.assertEqual((len(self.service.requests), len(set(self.keys()))), (3, 3))

    def test_an_empty_batch_asks_nothing(self):
        self.assertEqual([*self.client().verify_batch([])], [])
        self.assertEqual(self.service.requests, [])

    def test_tasks_come_in_pages(self):
        self.assertEqual([task.id for task in self.client().tasks("level1")], [f"level1/{n}" for n in range(1, 6)])
        self.assertEqual([task.id for task in self.client().tasks(limit=3)], ["level1/1", "level1/2", "level1/3"])
        self.assertEqual(self.client().task("level1/3").why, "it has no kernel")
        self.assertEqual([*self.client().tasks("none")], [])

    def test_protocols_and_readiness(self):
        self.assertIn("train", self.client().protocols()["rewards"])
        self.assertTrue(self.client().ready())
        self.service.faults = [Fault(status=503)]
        self.assertFalse(self.client().ready())

    def test_half_a_surrogate_pair_reaches_the_service_as_valid_text(self):
        self.client().verify("level1/1", "right \ud800")
        self.assertEqual(self.service.requests[0][2]["answer"], "right ?")

    def test_a_token_is_sent_and_a_wrong_one_is_refused_at_once(self):
        self.service.token = "secret"
        self.assertTrue(self.client(token="secret").verify("level1/1", "right").correct)
        with self.assertRaisesRegex(Refused, "unauthorized") as caught:
            self.client(token="other").verify("level1/1", "right")
        self.assertEqual((caught.exception.status, caught.exception.help, self.waits), (401, "do otherwise", []))

    def test_an_unknown_task_is_refused_at_once(self):
        with self.assertRaisesRegex(Refused, "unknown_task"):
            self.client().reward("level9/1", "right")
        self.assertEqual(len(self.service.requests), 1)

    def test_a_client_can_be_pickled(self):
        copy = pickle.loads(pickle.dumps(Client(self.service.url)))
        self.assertTrue(copy.verify("level1/1", "right").correct)

    def test_an_address_that_is_none_is_refused(self):
        with self.assertRaisesRegex(ValueError, "isn't the address"):
            Client("localhost:8008")


class Faults(Case):
    def test_temporary_statuses_are_waited_for_with_one_key(self):
        self.service.faults = [Fault(status=429), Fault(status=503), Fault(status=502)]
        self.assertTrue(self.client().verify("level1/1", "right").correct)
        self.assertEqual(self.waits, [0.5, 1.0, 2.0])
        self.assertEqual(len(set(self.keys())), 1)
        self.assertEqual(list(self.service.verified.values()), [1])

    def test_retry_after_is_waited_for_in_full(self):
        self.service.faults = [Fault(status=429, retry_after="7")]
        self.client().verify("level1/1", "right")
        self.assertEqual(self.waits, [7.5])

    def test_a_retry_after_beyond_the_calls_time_ends_it_at_once(self):
        self.service.faults = [Fault(status=503, retry_after="3600")]
        with self.assertRaisesRegex(Unavailable, "draining"):
            self.client().verify("level1/1", "right")
        self.assertEqual(self.waits, [])

    def test_an_answer_that_was_cut_off_is_asked_for_again_and_not_verified_twice(self):
        self.service.faults = [Fault(lines=0)]
        self.assertTrue(self.client().verify("level1/1", "right").correct)
        self.assertEqual(len(self.service.requests), 2)
        self.assertEqual(list(self.service.verified.values()), [1])

    def test_a_batch_that_was_cut_off_yields_each_answer_once_and_verifies_none_twice(self):
        self.service.faults = [Fault(lines=1), Fault(lines=3, clean=True)]
        items = [(f"level1/{n}", "right") for n in (1, 2, 4, 5)]
        rewards = [*self.client().rewards(items)]
        self.assertEqual([reward.index for reward in rewards], [3, 2, 1, 0])
        self.assertEqual(self.waits, [0.5, 0.5])
        self.assertEqual(len(set(self.keys())), 1)
        self.assertEqual([body for _, _, body in self.service.requests], [self.service.requests[0][2]] * 3)
        self.assertEqual(set(self.service.verified.values()), {1})

    def test_answers_without_room_are_asked_for_again_and_the_others_not_verified_twice(self):
        self.service.faults = [Fault(never_begun=(0, 2))]
        rewards = [*self.client().rewards([("level1/1", "right"), ("level1/2", "wrong"), ("level1/4", "right")])]
        self.assertEqual([(reward.index, reward.verdict.task) for reward in rewards], [(1, "level1/2"), (2, "level1/4"), (0, "level1/1")])
        self.assertEqual(self.waits, [0.5])
        self.assertEqual(set(self.service.verified.values()), {1})

    def test_one_answer_that_cannot_be_judged_costs_the_others_nothing(self):
        for none, why in (("crash", "process ended"), ("unlucky", "not_judged")):
            came = []
            with self.assertRaisesRegex(Unjudged, why):
                for reward in self.client().rewards([("level1/1", "right"), ("level1/1", none), ("level1/2", "wrong")]):
                    came.append(reward.index)
            self.assertEqual(sorted(came), [0, 2])
        with self.assertRaisesRegex(Unjudged, "not_judged"):
            self.client().reward("level1/1", "unlucky")

    def test_a_batch_with_an_unknown_task_is_refused_at_once(self):
        with self.assertRaisesRegex(Refused, "unknown_task"):
            list(self.client().verify_batch([("level1/1", "right"), ("level9/1", "right")]))
        self.assertEqual(len(self.service.requests), 1)

    def test_a_server_that_never_answers_is_given_up(self):
        self.service.faults = [Fault(hang=1.0)]
        begun = time.monotonic()
        with self.assertRaises(Unavailable):
            self.client(timeout=0.2).verify("level1/1", "right")
        self.assertLess(time.monotonic() - begun, 0.9)

    def test_a_batch_goes_on_as_long_as_verdicts_come(self):
        self.service.faults = [Fault(pause=0.12)]
        self.assertEqual(len([*self.client(timeout=1.0).rewards([("level1/1", "right")] * 10)]), 10)
        self.service.faults = [Fault(pause=0.6)]
        with self.assertRaisesRegex(Unavailable, "2 of 2 answers"):
            list(self.client(timeout=0.3).rewards([("level1/1", "right")] * 2))

    def test_progress_resets_the_waits(self):
        self.service.faults = [Fault(status=429), Fault(status=429), Fault(lines=1), Fault(status=429)]
        self.assertEqual(len([*self.client().rewards([("level1/1", "right")] * 2)]), 2)
        self.assertEqual(self.waits, [0.5, 1.0, 0.5, 1.0])

    def test_a_server_that_drips_bytes_is_given_up(self):
        self.service.faults = [Fault(drip=0.05)]
        begun = time.monotonic()
        with self.assertRaises(Unavailable):
            self.client(timeout=0.3).verify("level1/1", "right")
        self.assertLess(time.monotonic() - begun, 2.0)

    def test_a_service_that_nobody_started_is_unavailable_after_the_calls_time(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            client = Client(f"http://127.0.0.1:{free.getsockname()[1]}", timeout=0.3, retries=functools.partial(Retries, first=0.01))
            with self.assertRaisesRegex(Unavailable, "ConnectionRefusedError.*given up after"):
                client.verify("level1/1", "right")
            self.assertFalse(client.ready())

    def test_what_came_before_the_end_of_time_is_kept(self):
        self.service.faults = [Fault(lines=2), Fault(status=503, retry_after="99")]
        came = []
        with self.assertRaisesRegex(Unavailable, "1 of 3 answers have no verdict yet"):
            for reward in self.client().rewards([("level1/1", "right")] * 3):
                came.append(reward.index)
        self.assertEqual(came, [2, 1])


@unittest.skipUnless(shutil.which("openssl"), "openssl makes the certificate")
class Encrypted(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "server.pem"
        command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=test",
                   "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "-", "-out", "-"]
        self.file.write_bytes(subprocess.run(command, capture_output=True, check=True).stdout)
        service = running(certificate=self.file)
        self.service = service.__enter__()
        self.addCleanup(service.__exit__, None, None, None)

    def test_a_trusted_certificate_is_taken(self):
        with unittest.mock.patch.dict("os.environ", SSL_CERT_FILE=str(self.file)):
            client = Client(self.service.url, timeout=20)
            self.assertTrue(client.verify("level1/1", "right").correct)
            self.assertEqual([reward.index for reward in client.rewards([("level1/1", "right"), ("level1/2", "wrong")])], [1, 0])
            self.service.faults = [Fault(drip=0.05)]
            with self.assertRaises(Unavailable):
                Client(self.service.url, timeout=0.3).verify("level1/1", "right")

    def test_another_one_ends_the_call_at_once(self):
        with self.assertRaisesRegex(Unavailable, "certificate isn't trusted"):
            Client(self.service.url, timeout=3600).verify("level1/1", "right")


class Waits(unittest.TestCase):
    def test_they_double_up_to_the_longest_and_are_drawn(self):
        waits = []
        retries = Retries(1e6, first=1, longest=5, sleep=waits.append, draw=iter((1, 1, 0.5, 1, 0)).__next__)
        for _ in range(5):
            retries.wait("why")
        self.assertEqual(waits, [1, 2, 2, 5, 0])

    def test_the_third_in_a_row_is_a_warning(self):
        with self.assertLogs("trl_kernels", "INFO") as logs:
            retries = Retries(100, sleep=lambda _: None)
            for _ in range(3):
                retries.wait("the service is away")
        self.assertEqual([record.levelname for record in logs.records], ["INFO", "INFO", "WARNING"])

    def test_retry_after_is_a_number_or_a_date(self):
        self.assertEqual([seconds_of(text) for text in (None, "", "2.5", "-1", "soon")], [0, 0, 2.5, 0, 0])
        self.assertEqual(seconds_of("Wed, 21 Oct 2015 07:28:00 GMT"), 0)
        self.assertGreater(seconds_of("Wed, 21 Oct 2115 07:28:00 GMT"), 1e9)


class Asynchronous(Case):
    def test_calls_wait_at_the_same_time(self):
        async def ask():
            client = AsyncClient(self.service.url, calls=8)
            self.service.faults = [Fault(hang=0.3)] * 8
            verdicts = await asyncio.gather(*(client.verify("level1/1", "right") for _ in range(8)))
            rewards = await client.rewards([("level1/1", "right"), ("level1/2", "wrong")])
            tasks = await client.tasks("level1")
            client.close()
            return verdicts, rewards, tasks

        begun = time.monotonic()
        verdicts, rewards, tasks = asyncio.run(ask())
        self.assertLess(time.monotonic() - begun, 1.5)
        self.assertEqual(len(verdicts), 8)
        self.assertEqual([reward.value for reward in rewards], [1.0, 0.0])
        self.assertEqual(len(tasks), 5)


class HuggingFace(Case):
    def rewards(self, function, completions, **columns):
        return function(prompts=["p"] * len(completions), completions=completions, task=["level1/1"] * len(completions), **columns)

    def test_texts_and_conversations_are_judged_in_their_order(self):
        function = KernelReward(self.client())
        metrics, extra = {}, {}
        self.assertEqual(self.rewards(function, ["right", "wrong"], log_metric=metrics.__setitem__, log_extra=extra.__setitem__), [1.0, 0.0])
        self.assertEqual((metrics, extra), ({"kernels/unjudged": 0, "kernels/correct": 0.5}, {"reason": ["correct", "wrong_values"]}))
        said = [[{"role": "assistant", "content": "wrong"}, {"role": "assistant", "content": "right"}], [{"role": "assistant", "content": [{"type": "text", "text": "right"}]}]]
        self.assertEqual(self.rewards(function, said), [1.0, 1.0])
        self.assertEqual(function.__name__, "kernel_reward")

    def test_an_answer_without_a_verdict_gets_none_and_the_others_theirs(self):
        self.service.faults = [Fault(lines=1), Fault(status=503, retry_after="99")]
        self.assertEqual(self.rewards(KernelReward(self.client()), ["right", "right"]), [None, 1.0])

    def test_an_answer_that_cannot_be_judged_gets_none(self):
        self.assertEqual(self.rewards(KernelReward(self.client(), patience=1), ["right", "crash", "unlucky"]), [1.0, None, None])

    def test_lengths_are_told_for_formulas_with_them(self):
        self.rewards(KernelReward(self.client()), ["right", "wrong"], completion_ids=[[1, 2, 3], [4]])
        self.assertEqual([item["tokens"] for item in self.service.requests[0][2]["answers"]], [3, 1])

    def test_training_ends_after_calls_without_any_verdict(self):
        function = KernelReward(self.client(), patience=2)
        gone = Fault(status=503, retry_after="99")
        self.service.faults = [gone]
        self.assertEqual(self.rewards(function, ["right"]), [None])
        self.assertEqual(self.rewards(function, ["right"]), [1.0])
        self.service.faults = [gone, gone]
        self.assertEqual(self.rewards(function, ["right"]), [None])
        with self.assertRaises(Unavailable):
            self.rewards(function, ["right"])

    def test_a_dataset_without_tasks_is_said(self):
        with self.assertRaisesRegex(ValueError, "column `task`"):
            KernelReward(self.client())(completions=["right"])

    def test_prompts_leave_out_what_cannot_be_judged(self):
        rows = prompts("level1", client=self.client())
        self.assertEqual([row["task"] for row in rows], ["level1/1", "level1/2", "level1/4", "level1/5"])
        self.assertEqual(rows[0]["prompt"], [{"role": "user", "content": "Write kernel 1."}])


class Verl(Case):
    def test_a_score_has_the_same_keys_for_every_answer(self):
        verl = importlib.import_module("trl_kernels.verl")
        verl._client.cache_clear()
        with unittest.mock.patch.dict("os.environ", TRL_SERVE_URL=self.service.url):
            right = verl.compute_score("source", "right", "level1/1", {"num_turns": None}, reward_router_address="x")
            wrong = asyncio.run(verl.compute_score_async(data_source="s", solution_str="wrong", ground_truth="level1/1", extra_info={}))
            with self.assertRaises(Unjudged):
                verl.compute_score(solution_str="unlucky", ground_truth="level1/1")
            row = verl.compute_score(solution_str="unlucky", ground_truth="level1/1", unjudged=0.5)
            self.assertEqual(row, {"score": 0.5, "acc": 0.0, "speedup": 0.0, "reason": "no verdict"})
        self.assertEqual(right, {"score": 1.0, "acc": 1.0, "speedup": 2.0, "reason": "correct"})
        self.assertEqual(wrong, {"score": 0.0, "acc": 0.0, "speedup": 0.0, "reason": "wrong_values"})
        rows = verl.prompts("level1", client=self.client())
        self.assertEqual(rows[0]["reward_model"], {"style": "rule", "ground_truth": "level1/1"})


class Page(Case):
    """docs/integrations.md, as far as no trainer is needed."""

    PAGE = (SOURCE / "docs/integrations.md").read_text()

    def files(self):
        return dict(re.findall(r"^```\w+ (\S+)\n(.*?)^```$", self.PAGE, re.MULTILINE | re.DOTALL))

    def test_its_python_is_python_and_the_clients_file_runs(self):
        files = self.files()
        self.assertEqual(sorted(files), ["client.py", "episodes.py", "grpo.py", "kernels.toml", "served.trl", "train_verl.py"])
        for name, text in files.items():
            if name.endswith(".py"):
                compile(text, name, "exec")
        environment = {"PYTHONPATH": str(PACKAGE), "TRL_SERVE_URL": self.service.url}
        ran = subprocess.run([sys.executable, "-S", "-B", "-c", files["client.py"]], env=environment, capture_output=True, text=True)
        self.assertEqual(ran.stdout.splitlines(), ["level1/1 True", "level1/2 True", "1 0.0 wrong_values", "0 0.0 wrong_values"], ran.stderr)

    def test_its_versions_are_those_that_the_tests_install(self):
        pins = dict(re.findall(r"^\w+: (\w+)==(\S+)", (SOURCE / "tests/integrations/trainers.txt").read_text(), re.MULTILINE))
        self.assertEqual(len(pins), 4)
        for name, version in pins.items():
            self.assertRegex(self.PAGE, rf"\| {name} {re.escape(version)} \|")


class Package(unittest.TestCase):
    def test_it_imports_the_standard_library_alone(self):
        program = (
            "import sys; before = set(sys.modules); import trl_kernels, trl_kernels.hf_trl, trl_kernels.verl\n"
            "print(*{name.split('.')[0] for name in set(sys.modules) - before} - set(sys.stdlib_module_names) - {'trl_kernels'})"
        )
        ran = subprocess.run([sys.executable, "-S", "-c", program], env={"PYTHONPATH": str(PACKAGE)}, capture_output=True, text=True)
        self.assertEqual((ran.stdout.strip(), ran.stderr), ("", ""))

    def test_its_names_are_there_and_it_is_typed(self):
        package = importlib.import_module("trl_kernels")
        for name in package.__all__:
            if name not in ("KernelEnv", "KernelTaskset"):
                self.assertTrue(hasattr(package, name), name)
        self.assertTrue((PACKAGE / "trl_kernels/py.typed").is_file())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
