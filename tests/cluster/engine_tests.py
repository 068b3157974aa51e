"""runtime/cluster/ without Ray: stages of a stand-in worker, on nodes of a stand-in for Ray (stand_in/ray.py).

    engine_tests.py ROOT
"""
import contextlib
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
ROOT = pathlib.Path(sys.argv.pop(1))
sys.path[:0] = [str(HERE / "stand_in"), str(ROOT / "runtime/cluster")]
import engine  # noqa: E402
import node  # noqa: E402
from seats import Run  # noqa: E402

TWO = [{"id": "n1", "CPU": 1}, {"id": "n2", "CPU": 1}]


def workers(folder):
    """The processes of stand-in workers of a run."""
    found = subprocess.run(["pgrep", "-f", f"{folder}/bin/trl-worker"], capture_output=True, text=True, check=False)
    return found.stdout.split()


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.stack = self.enterContext(contextlib.ExitStack())

    def run_on(self, address="auto", environment=None, silence=30, **setting):
        stand_in = {"PYTHONPATH": str(HERE / "stand_in"), "TRL_STAND_IN": json.dumps({"nodes": TWO} | setting), "TRL_CLUSTER_CACHE": str(self.folder / "cache")}
        run = Run(ROOT, self.folder, address, stand_in | (environment or {}), silence=silence)
        self.stack.callback(run.close)
        return run

    def input(self, name, **files):
        folder = self.folder / name
        folder.mkdir()
        for file, data in files.items():
            (folder / file).write_bytes(data)
        return str(folder)


class Stages(Case):
    def test_results_are_those_of_the_worker_and_large_files_come_whole(self):
        run = self.run_on()
        run.seat()
        large = os.urandom(node.PIECE + 12345)
        model = self.input("model", weights=large, config=b"{}", empty=b"")
        output, events = run.carry_out("copy", inputs={"model": model})
        self.assertEqual(events[-1], {"id": 1, "event": "done", "summary": {"inputs": 1}, "made_on": {"device": "cpu"}})
        self.assertEqual((output / "model/weights").read_bytes(), large)
        self.assertEqual(json.loads((output / "model.json").read_text()), {"of": os.path.join(*pathlib.Path(model).parts[-3:])}, "a model is known by another name")
        self.assertEqual(sorted(os.listdir(output / "model")), ["config", "empty", "weights"])
        self.assertEqual(events[0]["event"], "place")

    def test_an_input_is_sent_once_to_a_node(self):
        run = self.run_on(die={"receive": 3})  # a third piece would end the actor
        run.seat()
        model = self.input("model", a=b"a" * 100, b=b"b" * 100)
        for _ in range(3):
            self.assertEqual(run.carry_out("copy", inputs={"model": model})[1][-1]["event"], "done")

    def test_an_error_keeps_its_help(self):
        run = self.run_on()
        run.seat()
        self.assertEqual(run.carry_out("fail")[1][-1], {"id": 1, "event": "error", "message": "there is no such thing", "help": "say another"})
        self.assertEqual(run.carry_out("copy")[1][-1]["event"], "done")

    def test_other_bytes_than_the_node_said_are_no_result(self):
        run = self.run_on(damage=["model/weights"])
        run.seat()
        output, events = run.carry_out("copy", inputs={"model": self.input("model", weights=b"w" * (node.INLINE + 1))})
        self.assertEqual((events[-1]["event"], events[-1]["lost"]), ("gone", True))
        self.assertIn("other bytes of model/weights", events[-1]["message"])
        self.assertFalse((output / "model/weights").exists())

    def test_a_shared_store_copies_nothing(self):
        run = self.run_on(environment={"TRL_CLUSTER_COPIES": ""}, die={"receive": 1, "piece": 1})
        run.seat()
        large = b"w" * (node.INLINE + 1)
        output, events = run.carry_out("copy", inputs={"model": self.input("model", weights=large)})
        self.assertEqual(events[-1]["event"], "done")
        self.assertEqual((output / "model/weights").read_bytes(), large)

    def test_the_secret_goes_to_verification_alone(self):
        run = self.run_on()
        run.seat()
        self.assertEqual((run.carry_out("secret")[0] / "secret").read_text(), "")


class Faults(Case):
    def test_a_worker_that_dies_is_named_with_its_last_words_and_goes_on_from_its_checkpoint(self):
        run = self.run_on()
        run.seat()
        kept = {"folder": str(self.folder / "kept"), "key": "k", "seconds": 0}
        _, events = run.carry_out("count", spec={"steps": 5, "dies": 3}, checkpoint=kept)
        self.assertEqual((events[-1]["event"], events[-1]["lost"], events[-1]["cause"]), ("gone", False, "trl-worker was killed by signal 9 (Killed)"))
        self.assertEqual(events[-1]["log"], "the last words\n")
        output, events = run.carry_out("count", spec={"steps": 5}, checkpoint=kept)
        self.assertIn({"id": 2, "event": "resumed", "done": 3, "total": 5}, events)
        self.assertEqual((output / "sum").read_text(), "15")

    def test_a_worker_that_is_stopped_is_named_and_its_stage_goes_on_from_its_checkpoint(self):
        run = self.run_on(silence=1)
        run.seat()
        kept = {"folder": str(self.folder / "kept"), "key": "k", "seconds": 0}
        _, events = run.carry_out("count", spec={"steps": 5, "stops": 3}, checkpoint=kept)
        self.assertEqual((events[-1]["event"], events[-1]["lost"], events[-1]["cause"]), ("gone", False, "trl-worker hasn't answered for 1 s and was killed"))
        output, events = run.carry_out("count", spec={"steps": 5}, checkpoint=kept)
        self.assertIn({"id": 2, "event": "resumed", "done": 3, "total": 5}, events)
        self.assertEqual((output / "sum").read_text(), "15")

    def test_a_lost_actor_costs_an_attempt_and_leaves_no_process(self):
        run = self.run_on(die={"events": 3})
        run.seat()
        kept = {"folder": str(self.folder / "kept"), "key": "k", "seconds": 0}
        _, events = run.carry_out("count", spec={"steps": 1000, "seconds": 0.02}, checkpoint=kept)
        self.assertEqual((events[-1]["event"], events[-1]["lost"]), ("gone", True))
        self.assertEqual(workers(self.folder), [])
        self.assertEqual(run.carry_out("count", spec={"steps": 5}, checkpoint=kept)[1][-1]["event"], "done")

    def test_a_cancelled_stage_says_so_and_its_checkpoint_comes_home(self):
        run = self.run_on()
        run.seat()
        run.begin("count", spec={"steps": 100000, "seconds": 0.01}, checkpoint={"folder": str(self.folder / "kept"), "key": "k", "seconds": 0})
        while (event := json.loads(run.seats[0][1].readline()))["event"] != "progress":
            pass
        run.seats[0][0].sendall(b'{"id": 1, "cancel": true}\n')
        self.assertTrue(run.events()[-1]["cancelled"])
        self.assertGreaterEqual(int((self.folder / "kept/training.safetensors").read_text()), event["done"])

    def test_killed_and_closed_engines_leave_no_process_and_no_folder(self):
        run = self.run_on()
        run.seat()
        run.begin("count", spec={"steps": 100000, "seconds": 0.01}, checkpoint={"folder": str(self.folder / "kept"), "key": "k", "seconds": 0})
        run.seats[0][1].readline(), run.seats[0][1].readline()
        self.assertEqual(len(workers(self.folder)), 1)
        run.process.send_signal(signal.SIGKILL)
        run.process.wait()
        for _ in range(500):
            if not workers(self.folder):
                break
            time.sleep(0.01)
        self.assertEqual(workers(self.folder), [])
        again = self.run_on()
        again.seat()
        self.assertEqual(again.carry_out("copy")[1][-1]["event"], "done")
        self.assertEqual(len(os.listdir(self.folder / "cache/work")), 1)  # the dead actor's folder is gone
        self.assertEqual(again.close(), 0)
        self.assertEqual(os.listdir(self.folder / "cache/work"), [])


class Verification(Case):
    def candidates(self):
        """Candidates of seven tasks, some of them equal."""
        rows = [{"task": number * 5 % 7, "sample": number, "answer": f"answer {number * 5 % 7}.{number // 7 % 3}"} for number in range(70)]
        return {"candidates": self.input("candidates", **{"candidates.jsonl": "".join(json.dumps(row) + "\n" for row in rows).encode()}),
                "tasks": self.input("tasks", **{"tasks.json": b"[]"})}

    def together(self, run, inputs, **more):
        meeting = self.folder / f"meeting-{run.asked}"
        meeting.mkdir()
        outputs = [run.begin("verify", seat=rank, inputs=inputs, group={"rank": rank, "size": len(run.seats), "meeting": str(meeting)}, **more) for rank in range(len(run.seats))]
        return outputs[0], [run.events(rank) for rank in range(len(run.seats))]

    def test_of_several_seats_has_the_bytes_of_one(self):
        run, inputs = self.run_on(), self.candidates()
        run.seat()
        alone, events = run.carry_out("verify", inputs=inputs)
        self.assertEqual(events[-1]["event"], "done")
        run.seat()
        output, of_ranks = self.together(run, inputs)
        self.assertEqual({events[-1]["event"] for events in of_ranks}, {"done"}, of_ranks)
        for name in ("verdicts.jsonl", "plans.jsonl"):
            self.assertEqual((output / name).read_bytes(), (alone / name).read_bytes())
        self.assertEqual({events[-1]["event"] for events in of_ranks}, {"done"}, of_ranks)
        self.assertEqual(of_ranks[0][-1]["summary"]["candidates"], 70)
        progress = [event for event in of_ranks[0] if event["event"] == "progress"]
        self.assertEqual((progress[-1]["done"], progress[-1]["total"]), (70, 70))

    def test_goes_on_where_a_seat_finds_no_node(self):
        run, inputs = self.run_on(), self.candidates()
        for _ in range(3):
            run.seat()
        output, of_ranks = self.together(run, inputs)
        self.assertEqual({events[-1]["event"] for events in of_ranks}, {"done"}, of_ranks)
        self.assertEqual(len((output / "verdicts.jsonl").read_bytes().splitlines()), 70)

    def test_is_cancelled_between_two_shards_and_within_one(self):
        run, inputs = self.run_on(), self.candidates()
        run.seat(), run.seat()
        meeting = self.folder / "meeting"
        meeting.mkdir()
        for rank in range(2):
            run.begin("verify", seat=rank, inputs=inputs, spec={"seconds": 0.01}, group={"rank": rank, "size": 2, "meeting": str(meeting)})
        while json.loads(run.seats[0][1].readline())["event"] != "progress":
            pass
        for rank in range(2):
            run.seats[rank][0].sendall(json.dumps({"id": rank + 1, "cancel": True}).encode() + b"\n")
        self.assertTrue(all(run.events(rank)[-1].get("cancelled") for rank in range(2)))

    def test_candidates_of_a_lost_actor_are_verified_elsewhere(self):
        run, inputs = self.run_on(die={"result": 2}), self.candidates()
        run.seat(), run.seat()
        output, of_ranks = self.together(run, inputs)
        self.assertEqual({events[-1]["event"] for events in of_ranks}, {"done"}, of_ranks)
        self.assertEqual(len((output / "verdicts.jsonl").read_bytes().splitlines()), 70)

    def test_is_refused_by_name_where_no_node_can_confine(self):
        run, inputs = self.run_on(), self.candidates()
        run.sandbox("echo no user namespaces >&2; exit 125")
        run.close()
        run = self.run_on()
        run.seat()
        _, events = run.carry_out("verify", inputs=inputs)
        self.assertEqual(events[-1]["event"], "error")
        self.assertIn("no node of the cluster can confine candidates:", events[-1]["message"])
        self.assertIn("no user namespaces", events[-1]["message"])
        self.assertEqual(run.carry_out("copy")[1][-1]["event"], "done")
        self.assertEqual(run.carry_out("verify", inputs=inputs, sandbox=False)[1][-1]["event"], "done")

    def test_goes_to_nodes_that_can_confine(self):
        run, inputs = self.run_on(), self.candidates()
        run.sandbox('test "$TRL_STAND_IN_NODE" = n2')
        run.close()
        run = self.run_on()
        run.seat()
        self.assertEqual(run.carry_out("verify", inputs=inputs)[1][-1]["event"], "done")


class Nodes(Case):
    def test_of_another_build_are_refused_by_name(self):
        (self.folder / "bin").mkdir()
        digests = node.Digests()
        program = self.folder / "bin/trl-worker"
        program.write_text("one")
        program.chmod(0o755)
        head = {"bin": str(self.folder / "bin"), "home": "", "python": "", "libraries": "", "programs": {"trl-worker": "0" * 64}}
        self.assertIn("is another build than the head's", node.find_installation(head, digests)[2])
        program.unlink()
        self.assertIn("trl-worker isn't there", node.find_installation(head, node.Digests())[2])

    def test_say_what_they_lack(self):
        run = self.run_on()
        said = run.examined()
        self.assertEqual([(one["id"], one["lacks"], one["not_confined"]) for one in said], [("n1", "", ""), ("n2", "", "")])

    def test_without_a_cluster_the_message_says_how_to_start_one(self):
        run = self.run_on(address="nowhere:1")
        self.assertIn("no Ray cluster answers at nowhere:1", run.welcome["message"])
        self.assertIn("ray start --head", run.welcome["help"])

    def test_without_ray_the_message_says_how_to_install_it(self):
        run = self.run_on(environment={"PYTHONPATH": ""})
        self.assertIn("has no ray", run.welcome["message"])
        self.assertIn("pip install", run.welcome["help"])


class CacheOfANode(Case):
    def cache(self, most):
        return node.Cache(self.folder / "files", most)

    def put(self, cache, data):
        digest = node.hashlib.sha256(data).hexdigest()
        cache.receive(digest, len(data), 0, data)
        return digest

    def test_the_longest_unused_go_first_and_links_outlive_them(self):
        cache = self.cache(250)
        digests = [self.put(cache, letter * 100) for letter in (b"a", b"b", b"c")]
        for time_used, digest in zip((3, 1, 2), digests):
            os.utime(cache.folder / digest, (time_used, time_used))
        self.assertTrue(cache.link(digests[1], 100, self.folder / "used"))  # and so it is the newest
        cache.trim()
        self.assertEqual({path.name for path in cache.folder.iterdir()}, {digests[0], digests[1]})
        cache.most = 0
        cache.trim()
        self.assertEqual(list(cache.folder.iterdir()), [])
        self.assertEqual((self.folder / "used").read_bytes(), b"b" * 100)

    def test_a_file_that_arrives_with_another_digest_is_refused(self):
        cache = self.cache(1000)
        with self.assertRaisesRegex(ValueError, "instead of"):
            cache.receive("0" * 64, 3, 0, b"abc")
        self.assertEqual(list(cache.folder.iterdir()), [])

    def test_a_damaged_file_is_asked_for_again(self):
        cache = self.cache(1000)
        digest = self.put(cache, b"abc")
        (cache.folder / digest).write_bytes(b"ab")
        self.assertFalse(cache.link(digest, 3, self.folder / "x"))


class Dealing(unittest.TestCase):
    def test_every_row_is_in_one_shard_and_those_of_a_task_together(self):
        rows = [json.dumps({"task": number % 11}) for number in range(100)]
        dealt = engine.deal(rows, 4)
        self.assertEqual(sorted(number for numbers in dealt for number in numbers), list(range(100)))
        self.assertEqual(len(dealt), 4)
        for task in range(11):
            self.assertEqual(sum(any(number % 11 == task for number in numbers) for numbers in dealt), 1)
        self.assertEqual(engine.deal([], 4), [[]])

    def test_rows_that_are_missing_are_no_result(self):
        with self.assertRaises(engine.Lost):
            engine.joined_verdicts([[0, 1]], [b"{}\n"])
        with self.assertRaises(engine.Lost):
            engine.joined_plans([[0]], [b'{"task":0}\n'])


if __name__ == "__main__":
    unittest.main()
