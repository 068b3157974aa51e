"""The client against the real `trl serve`, with the page's file and answers to a task of the library.

    service_tests.py TRL

It is skipped where TRL has no command `serve`.
"""

import asyncio
import contextlib
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.request

import setting
from relu_answers import RIGHT, answers

sys.path.insert(0, str(setting.PACKAGE))
from trl_kernels import AsyncClient, Client, Refused
from trl_kernels.hf_trl import KernelReward

TRL = sys.argv[1]
TASK = "level1/1"


@contextlib.contextmanager
def cutting(url, most):
    """The address of a relay to `url` that cuts its first answer off after `most` bytes, and a list of the limits of its connections."""
    listener = socket.create_server(("127.0.0.1", 0))
    port = int(url.rsplit(":", 1)[1])

    def relay(client, limit):
        with client, socket.create_connection(("127.0.0.1", port)) as server:
            threading.Thread(target=copy, args=(client, server, None), daemon=True).start()
            copy(server, client, limit)
            client.shutdown(socket.SHUT_RDWR)

    def copy(source, target, limit):
        with contextlib.suppress(OSError):
            while (limit is None or limit > 0) and (piece := source.recv(limit or 65536)):
                target.sendall(piece)
                limit = limit and limit - len(piece)

    limits = []

    def accept():
        with contextlib.suppress(OSError):
            while True:
                client = listener.accept()[0]
                limits.append(None if limits else most)
                threading.Thread(target=relay, args=(client, limits[-1]), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    with listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", limits


class Service(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        setting.write_files(folder)
        cls.url = cls.enterClassContext(setting.service(TRL, folder))

    def verdicts(self):
        """How many verdicts the service has given."""
        with urllib.request.urlopen(self.url + "/metrics") as metrics:
            return sum(int(count) for count in re.findall(r"^trl_verdicts_total\{.*\} (\d+)", metrics.read().decode(), re.MULTILINE))

    def test_a_batch_has_the_rewards_of_the_files_formula(self):
        rewards = {reward.index: reward for reward in Client(self.url).rewards([(TASK, text) for text in answers()])}
        self.assertEqual([index for index in range(16) if rewards[index].verdict.correct], [0, 1])
        for index, reward in rewards.items():
            speedup = reward.verdict.speedup
            self.assertAlmostEqual(reward.value, 0.7 + 0.3 * min(speedup, 1) if index < 2 else 0)
        self.assertIn("wrong_values", {reward.verdict.reason for reward in rewards.values()})

    def test_a_batch_that_is_cut_off_is_not_verified_twice(self):
        texts = [RIGHT, *list(answers())[4:7]]
        before = self.verdicts()
        with cutting(self.url, 2500) as (url, limits):
            rewards = sorted(Client(url, timeout=60).rewards([(TASK, text) for text in texts]), key=lambda reward: reward.index)
        self.assertEqual([reward.verdict.correct for reward in rewards], [True, False, False, False])
        self.assertEqual(limits, [2500, None])
        self.assertEqual(self.verdicts() - before, len(texts))

    def test_verdicts_tasks_and_protocols(self):
        client = Client(self.url)
        self.assertTrue(client.verify(TASK, RIGHT).correct)
        self.assertFalse(client.verify(TASK, "no program", protocol="training").correct)
        tasks = list(client.tasks("level1"))
        self.assertEqual((len(tasks), tasks[0].id, client.task(TASK).prompt), (60, TASK, tasks[0].prompt))
        self.assertEqual(list(client.protocols()["rewards"]), ["reinforce"])

    def test_mistakes_are_refused_at_once(self):
        client = Client(self.url, timeout=3600)
        for ask, code in (
            (lambda: client.reward("level1/999", RIGHT), "unknown_task"),
            (lambda: list(client.rewards([(TASK, RIGHT), ("level1/999", RIGHT)])), "unknown_task"),
            (lambda: client.reward(TASK, RIGHT, reward="other"), "unknown_reward"),
            (lambda: client.verify(TASK, RIGHT, protocol="other"), "unknown_protocol"),
        ):
            with self.assertRaises(Refused) as caught:
                ask()
            self.assertEqual(caught.exception.code, code)
            self.assertTrue(caught.exception.help)

    def test_calls_of_asyncio_and_of_a_trainer(self):
        async def ask():
            client = AsyncClient(self.url)
            verdicts = await asyncio.gather(*(client.reward(TASK, text) for text in (RIGHT, "no program")))
            client.close()
            return [reward.verdict.correct for reward in verdicts]

        self.assertEqual(asyncio.run(ask()), [True, False])
        rewards = KernelReward(Client(self.url))(completions=[RIGHT, "no program"], task=[TASK] * 2, completion_ids=[[1], [2]])
        self.assertGreater(rewards[0], 0.7)
        self.assertEqual(rewards[1], 0)


if __name__ == "__main__":
    if subprocess.run([TRL, "serve", "--help"], capture_output=True).returncode:
        print(f"skipped: {TRL} has no command serve")
        sys.exit(setting.SKIPPED)
    unittest.main(argv=sys.argv[:1])
