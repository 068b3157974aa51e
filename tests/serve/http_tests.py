"""`trl serve` over HTTP, with a stand-in for trl-verify (tests/interpreter/fake_verify.cpp)."""

import concurrent.futures
import contextlib
import json
import os
import resource
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from schema import problems
from server import Server, trusting

HOME = os.environ["TRL_HOME"]
TASK = "level1/1"


def one(answer, **more):
    return {"task": TASK, "answer": answer, **more}


class Requests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--slots", "2", "--megabytes", "1", "--deadline", "20"))

    def refused(self, status, code, body, path="/v1/verify", headers=None):
        found, reply = self.server.post(path, body, headers)
        self.assertEqual((found, reply["error"]["code"]), (status, code), reply)
        return reply["error"]

    def test_one_answer_gets_its_verdict(self):
        for answer, correct in (("right é", True), ("wrong 7", False)):
            status, row = self.server.post("/v1/verify", one(answer))
            self.assertEqual(status, 200)
            self.assertEqual((row["correct"], row["message"], row["task"], row["protocol"]), (correct, answer, TASK, "exam"))

    def test_a_batch_is_streamed_with_each_verdict_once(self):
        answers = [one(f"{'wrong' if number % 3 else 'right'} {number}") for number in range(100)]
        lines = self.server.post_many("/v1/verify", {"answers": answers, "protocol": "training"})
        self.assertEqual(sorted(line["index"] for line in lines), list(range(100)))
        for line in lines:
            self.assertEqual(line["message"], answers[line["index"]]["answer"])
            self.assertEqual(line["protocol"], "training")
        self.assertEqual(self.server.post_many("/v1/verify", {"answers": []}), [])

    def test_a_batch_comes_as_it_is_judged(self):
        connection = self.server.connection()
        with contextlib.closing(connection):
            connection.request("POST", "/v1/verify", json.dumps({"answers": [one("sleep 1500"), one("right")]}))
            reply = connection.getresponse()
            self.assertEqual(json.loads(reply.readline())["index"], 1)
            self.assertEqual(json.loads(reply.readline())["index"], 0)
            self.assertEqual(reply.readline(), b"")

    def test_mistakes_are_named(self):
        self.refused(404, "unknown_task", {"task": "level1/999", "answer": ""})
        for path, body, said in (
                ("/v1/verify", {"answers": [one("right"), {**one("right"), "tsak": "x"}]}, ("answers[1]: an answer has no field `tsak`", "Did you mean `task`?")),
                ("/v1/verify", {**one("right"), "protocol": "exm"}, ("no such protocol", "Did you mean `exam`?")),
                ("/v1/verify", {**one("right"), "task": "level1/rel"}, ("there is no task `level1/rel`", "Did you mean `level1/relu`?"))):
            error = self.server.post(path, body)[1]["error"]
            self.assertIn(said[0], error["message"])
            self.assertIn(said[1], error["help"])
        self.refused(422, "unknown_protocol", one("right", protocol="lax"))
        self.assertIn("deadline_s", self.refused(400, "bad_request", one("right", deadline=3))["help"])
        for body in (7, [], {}, {"task": TASK}, {"answer": ""}, one(7), one("", deadline_s="3"), one("", deadline_s=0),
                     one("", tokens=-1), one("", secret="00"), {"answers": 7}, {"answers": [7]}, {"answers": [{}]},
                     one("", answers=[])):
            self.refused(400, "bad_request", body)
        self.refused(413, "too_large", {"answers": [one("")] * 4097})
        for text in (b"", b"{", b"\xff\xfe{}", b'{"task": "level1/1", "answer": "\xc3\x28"}', b"[" * 200000, b"nul"):
            status, _, reply = self.server.ask("POST", "/v1/verify", text)
            self.assertEqual((status, json.loads(reply)["error"]["code"]), (400, "bad_request"), text[:20])

    def test_paths_and_methods(self):
        for method, path, status in (("GET", "/", 404), ("GET", "/v1/verify", 405), ("POST", "/metrics", 405),
                                     ("DELETE", "/v1/verify", 405), ("GET", "/v1/tasks/level1/999", 404),
                                     ("GET", "/v1/tasks?limit=x", 400), ("GET", "/v1/tasks?after=nothing", 404),
                                     ("GET", "/healthz", 200), ("GET", "/openapi.json", 200)):
            found, headers, _ = self.server.ask(method, path)
            self.assertEqual(found, status, (method, path))
            if status == 405:
                self.assertEqual(headers["Allow"], "POST" if path == "/v1/verify" else "GET")

    def test_tasks_are_listed_in_pages(self):
        first = self.server.get("/v1/tasks?suite=level1&limit=2")[1]
        self.assertEqual([task["id"] for task in first["tasks"]], ["level1/1", "level1/2"])
        self.assertEqual(first["tasks"][0]["prompt"], "prompt of relu")
        second = self.server.get(f"/v1/tasks?suite=level1&limit=2&after={first['next']}")[1]
        self.assertEqual([task["id"] for task in second["tasks"]], ["level1/3", "level1/4"])
        every = self.server.get("/v1/tasks")[1]
        self.assertIsNone(every["next"])
        self.assertEqual(self.server.get("/v1/tasks/level1/2")[1], first["tasks"][1])
        self.assertEqual(self.server.post("/v1/verify", {"task": "level1/relu", "answer": "right"})[1]["task"], "level1/1")

    def test_idempotency_keys(self):
        with tempfile.TemporaryDirectory() as folder:
            body, key = one(f"once {folder}/file"), {"Idempotency-Key": "key 1"}
            with concurrent.futures.ThreadPoolExecutor() as pool:
                replies = list(pool.map(lambda _: self.server.post("/v1/verify", body, key), range(8)))
            self.assertEqual({row["id"] for _, row in replies}, {replies[0][1]["id"]})
            self.assertNotEqual(self.server.post("/v1/verify", body)[1]["id"], replies[0][1]["id"])
            self.refused(409, "idempotency_conflict", one("right"), headers=key)
            batch = {"answers": [one("right 1"), one("right 2")]}
            ids = [{line["index"]: line["id"] for line in self.server.post_many("/v1/verify", batch, {"Idempotency-Key": "k"})}
                   for _ in range(2)]
            self.assertEqual(ids[0], ids[1])
        self.refused(400, "bad_request", one("right"), headers={"Idempotency-Key": "k" * 300})

    def test_deadlines_hold(self):
        begun = time.monotonic()
        # A verifier that says nothing is not the candidate's doing.
        self.refused(500, "verifier_failed", one("silent", deadline_s=0.5))
        self.assertLess(time.monotonic() - begun, 10, "the server's own deadline is 20 s")

    def test_an_answer_that_ends_the_verifier_is_no_wrong_answer(self):
        self.assertEqual(self.refused(500, "verifier_failed", one("end"))["code"], "verifier_failed")
        self.assertTrue(self.server.post("/v1/verify", one("right"))[1]["correct"])

    def test_a_client_that_goes_away_frees_its_place(self):
        with contextlib.ExitStack() as stack:
            for _ in range(2):
                busy = stack.enter_context(contextlib.closing(self.server.connection()))
                busy.request("POST", "/v1/verify", json.dumps(one("sleep 3000")))
            while 'trl_slots{state="busy"} 2' not in self.server.get("/metrics")[1]:
                time.sleep(0.01)
            gone = [self.server.connection() for _ in range(5)]
            for connection in gone:
                connection.request("POST", "/v1/verify", json.dumps(one("sleep 5000")))
            while self.server.metric("trl_queue_length") < 5:
                time.sleep(0.01)
            for connection in gone:
                connection.close()
            while self.server.metric("trl_queue_length") > 0:
                time.sleep(0.01)
        self.assertEqual(self.server.post("/v1/verify", one("right"))[0], 200)

    def test_replies_are_as_the_document_says(self):
        document = self.server.get("/openapi.json")[1]

        def expect(value, name):
            self.assertEqual(list(problems(value, {"$ref": f"#/components/schemas/{name}"}, document)), [])

        for body in (one("right"), one("wrong", deadline_s=3, protocol="exam", tokens=7, prompt=None)):
            expect(body, "VerifyOne")
            expect(self.server.post("/v1/verify", body)[1], "Verdict")
        expect({"answers": [one("right")]}, "VerifyMany")
        expect(self.server.post_many("/v1/verify", {"answers": [one("right")]})[0], "Verdict")
        expect(self.server.post("/v1/verify", {})[1], "Error")
        expect(self.server.get("/v1/tasks")[1], "Tasks")
        expect(self.server.get("/v1/tasks/level1/1")[1], "Task")
        expect(self.server.get("/v1/protocols")[1], "Protocols")
        for path in ("/healthz", "/readyz"):
            expect(self.server.get(path)[1], "Status")
        self.assertNotEqual(list(problems({"error": 7}, {"$ref": "#/components/schemas/Error"}, document)), [])

    def test_metrics_count(self):
        self.server.post("/v1/verify", one("wrong"))
        text = self.server.get("/metrics")[1]
        self.assertIn('trl_verdicts_total{protocol="exam",stage="full",reason="wrong_values"}', text)
        self.assertIn('trl_step_seconds_total{clock="cpu_seconds",step="record"}', text)
        self.assertIn('trl_slots{state="ready"} 2', text)


class Peers(unittest.TestCase):
    """Clients that don't speak HTTP, are slow, or too many."""

    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server("--slots", "1", "--megabytes", "1", "--no-store"))

    def test_what_is_no_request_is_answered_and_closed(self):
        for data in (b"nonsense\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET\r\n\r\n", b"\x16\x03\x01\x02\x00" * 20,
                     b"POST /v1/verify HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
                     b"POST /v1/verify HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
                     b"POST /v1/verify HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"):
            self.assertTrue(self.server.raw(data).startswith(b"HTTP/1.1 400"), data)
        self.assertTrue(self.server.raw(b"GET / HTTP/1.1\r\nX: " + b"x" * 20000 + b"\r\n\r\n").startswith(b"HTTP/1.1 431"))

    def test_only_chunked_bodies_have_a_transfer_encoding(self):
        for coding in (b"xchunked", b"identity", b"gzip, chunked", b"chunked, identity"):
            request = (b"POST /v1/verify HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: " + coding + b"\r\n\r\n"
                       b"GET /v1/tasks HTTP/1.1\r\nHost: a\r\n\r\n")
            reply = self.server.raw(request).decode()
            self.assertEqual(reply.count("HTTP/1.1 "), 1, reply)
            self.assertIn(" 400 ", reply.splitlines()[0])

    def test_processes_that_judge_have_no_socket_of_the_server(self):
        with open("/proc/net/tcp") as table:
            own = {line.split()[9] for line in table.readlines()[1:] if line.split()[1].endswith(f":{self.server.port:04X}")}
        self.assertTrue(own)
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.server.process.pid)], capture_output=True, text=True).stdout.split()
        self.assertTrue(children)
        for child in children:
            for file in os.listdir(f"/proc/{child}/fd"):
                with contextlib.suppress(OSError):
                    held = os.readlink(f"/proc/{child}/fd/{file}")
                    self.assertFalse(held.startswith("socket:[") and held[8:-1] in own, f"{child} holds the server's socket")

    def test_misspelt_suites_and_parameters_are_named(self):
        for query, status, code in (("suite=levle1", 404, "not_found"), ("sute=level1", 400, "bad_request")):
            found, reply = self.server.get("/v1/tasks?" + query)
            self.assertEqual((found, reply["error"]["code"]), (status, code), reply)
            self.assertIn("level1" if status == 404 else "suite", reply["error"]["help"])

    def test_options_that_make_no_sense_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            tokens = os.path.join(folder, "tokens")
            with open(tokens, "w") as file:
                file.write(f"alice {'a' * 20}\nbob {'a' * 20}\n")
            turns = f"{HOME}/experiments/turns.trl"
            for options, said in ((["--slots", "0"], "--slots"), (["--queue", "0"], "--queue"), (["--connections", "-5"], "--connections"),
                                  (["--megabytes", "0"], "--megabytes"), (["--drain", "-1"], "--drain"), (["--key", tokens], "--certificate"),
                                  (["--tokens", tokens], "another client"), (["--set", "a.b=1"], "none is named")):
                ended = subprocess.run([os.environ["TRL"], "serve", "--port", "0", "--no-store", *options], capture_output=True, text=True, timeout=60)
                self.assertEqual(ended.returncode, 2, (options, ended.stderr))
                self.assertIn(said, ended.stderr)
            ended = subprocess.run([os.environ["TRL"], "serve", turns, "--port", "0", "--no-store", "--set", "nothing=1"], capture_output=True, text=True, timeout=60)
            self.assertEqual(ended.returncode, 1, ended.stderr)
            self.assertIn("nothing", ended.stderr)

    def test_a_large_body_is_refused_before_it_is_read(self):
        head = b"POST /v1/verify HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n"
        self.assertTrue(self.server.raw(head + b" " * 100000).startswith(b"HTTP/1.1 413"))
        chunks = b"POST /v1/verify HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + (b"10000\r\n" + b" " * 65536 + b"\r\n") * 20
        self.assertTrue(self.server.raw(chunks).startswith(b"HTTP/1.1 413"))

    def test_pipelined_requests_and_keep_alive(self):
        body = json.dumps(one("right")).encode()
        request = b"POST /v1/verify HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body
        last = request.replace(b"Host: x", b"Host: x\r\nConnection: close")
        self.assertEqual(self.server.raw(request * 3 + last).count(b"HTTP/1.1 200"), 4)
        waits = request.replace(b"Host: x", b"Host: x\r\nExpect: 100-continue\r\nConnection: close")
        self.assertTrue(self.server.raw(waits).startswith(b"HTTP/1.1 100"))

    def test_slow_and_idle_connections_hold_nobody_up(self):
        resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
        with contextlib.ExitStack() as stack:
            idle = [stack.enter_context(socket.create_connection(("127.0.0.1", self.server.port), 30)) for _ in range(1000)]
            slow = idle[0]
            slow.sendall(b"POST /v1/verify HT")
            for _ in range(20):
                begun = time.monotonic()
                self.assertTrue(self.server.post("/v1/verify", one("right"))[1]["correct"])
                self.assertLess(time.monotonic() - begun, 10)
            begun = time.monotonic()
            self.assertEqual(slow.recv(1), b"", "a header that doesn't come to its end is given up")
            self.assertLess(time.monotonic() - begun, 60, "an idle connection stays for 120 s")

    def test_too_many_connections_are_closed(self):
        with Server("--slots", "1", "--connections", "10", "--no-store") as server, contextlib.ExitStack() as stack:
            for _ in range(10):
                stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            time.sleep(0.2)
            with self.assertRaises((ConnectionError, OSError)):
                server.get("/healthz")


class Settings(unittest.TestCase):
    def test_a_file_with_suites_alone_and_set_fields(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mine.trl")
            with open(path, "w") as file:
                file.write("import windtunnel\nsuite mine { task shifted[N = 64](x: f32[N]) = relu(x - 1) * 2 }\n"
                           "extension strict : memory_checks {}\n")
            signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup, which may have started the tests, has it ignored
            with Server(path, "--slots", "1", "--no-store") as server:
                self.assertEqual([task["id"] for task in server.get("/v1/tasks?suite=mine")[1]["tasks"]], ["mine/1"])
                # A terminal that is closed ends a server as SIGTERM does.
                server.process.send_signal(signal.SIGHUP)
                self.assertEqual(server.process.wait(30), 0)
                server.reader.join()
                self.assertIn("ending: 0 requests", "".join(server.lines))

    def test_tokens(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("# two clients\nalice  " + "a" * 32 + "\n\n" + "b" * 32 + "\n")
            file.flush()
            alice, other = ({"Authorization": "Bearer " + letter * 32} for letter in "ab")
            with open(f"{file.name}.empty", "w"):
                pass
            for arguments in (["--tokens", f"{file.name}.empty"], ["--host", "0.0.0.0"]):
                ended = subprocess.run([os.environ["TRL"], "serve", *arguments], capture_output=True, text=True)
                self.assertEqual(ended.returncode, 2)
                self.assertIn("token", ended.stderr)
            os.remove(f"{file.name}.empty")

            class Authorized(Server):
                def get(self, path, headers=None):
                    return super().get(path, headers or alice)

            with Authorized("--slots", "1", "--tokens", file.name) as server:
                for headers in ({}, {"Authorization": "Bearer " + "c" * 32}, {"Authorization": "Basic " + "a" * 32},
                                {"Authorization": "Bearer "}, {"Authorization": "a" * 32}):
                    for method, path in (("POST", "/v1/verify"), ("GET", "/v1/tasks"), ("GET", "/metrics"), ("GET", "/nothing")):
                        status, reply_headers, _ = server.ask(method, path, None, headers)
                        self.assertEqual((status, reply_headers["WWW-Authenticate"]), (401, "Bearer"), (headers, path))
                self.assertEqual(server.ask("GET", "/healthz")[0], 200)
                key = {"Idempotency-Key": "same"}
                first = server.post("/v1/verify", one("right 1"), {**alice, **key})[1]
                second = server.post("/v1/verify", one("right 2"), {**other, **key})[1]
                self.assertEqual((first["message"], second["message"]), ("right 1", "right 2"),
                                 "keys of one client say nothing of another's")

    def test_a_full_queue_says_when_to_come_again(self):
        with Server("--slots", "1", "--queue", "4", "--no-store") as server:
            lines = server.post_many("/v1/verify", {"answers": [one("sleep 200")] * 8})
            full = [line for line in lines if "error" in line]
            self.assertGreaterEqual(len(full), 5)
            self.assertEqual({line["error"]["code"] for line in full}, {"too_many_requests"})
            with contextlib.ExitStack() as stack:
                for number in range(3):
                    busy = stack.enter_context(contextlib.closing(server.connection()))
                    busy.request("POST", "/v1/verify", json.dumps(one("sleep 60000")))
                    server.until(lambda metrics, number=number: 'trl_slots{state="busy"} 1' in metrics and f"trl_queue_length {number}\n" in metrics)
                status, headers, _ = server.ask("POST", "/v1/verify", json.dumps(one("right")))
                self.assertEqual(status, 429)
                self.assertGreaterEqual(int(headers["Retry-After"]), 1)

    def test_one_client_leaves_half_of_the_queue_to_others(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "tokens")
            with open(file, "w") as tokens:
                tokens.write(f"alice {'a' * 20}\nbob {'b' * 20}\n")
            alice, bob = ({"Authorization": f"Bearer {name * 20}"} for name in "ab")
            with Server("--slots", "1", "--queue", "4", "--no-store", "--tokens", file) as server, concurrent.futures.ThreadPoolExecutor() as pool:
                with contextlib.closing(server.connection()) as first:  # has the only slot while the batch comes
                    first.request("POST", "/v1/verify", json.dumps(one("sleep 5000")), alice)
                    server.until(lambda metrics: 'trl_slots{state="busy"} 1' in metrics, alice)
                    lines = pool.submit(server.post_many, "/v1/verify", {"answers": [one("right")] * 8}, alice)
                    server.until(lambda metrics: "trl_queue_length 2\n" in metrics, alice)
                    self.assertEqual(server.post("/v1/verify", one("right"), bob)[0], 200)
                    self.assertEqual(sum("error" in line for line in lines.result()), 6)

    def test_it_answers_what_is_open_before_it_ends(self):
        with Server("--slots", "1") as server:
            with concurrent.futures.ThreadPoolExecutor() as pool:
                kept = server.connection()
                kept.request("GET", "/healthz")
                kept.getresponse().read()
                last = pool.submit(server.post, "/v1/verify", one("sleep 1200"))
                server.until(lambda metrics: 'trl_slots{state="busy"} 1' in metrics)
                server.process.terminate()
                deadline = time.monotonic() + 10
                while (status := server.get("/readyz"))[0] != 503 and time.monotonic() < deadline:
                    time.sleep(0.01)
                self.assertEqual(status[1]["status"], "draining")
                status, headers, text = server.ask("POST", "/v1/verify", json.dumps(one("right")))
                self.assertEqual((status, json.loads(text)["error"]["code"], headers["Retry-After"]), (503, "draining", "5"))
                self.assertEqual(last.result()[0], 200)
                self.assertEqual(server.process.wait(20), 0)
                kept.close()
            candidate = [os.environ["TRL"], "candidate", last.result()[1]["id"], "--store", server.store]
            shown = subprocess.run(candidate, capture_output=True, text=True)
            self.assertIn("sleep 1200", shown.stdout, shown.stderr)

    def test_a_machine_that_cant_judge_is_an_error(self):
        ended = subprocess.run([os.environ["TRL"], "serve", "--port", "0", "--no-store"], capture_output=True, text=True, timeout=60,
                               env={**os.environ, "FAKE_VERIFY_MOOD": "failing"})
        self.assertNotEqual(ended.returncode, 0)
        self.assertIn("the sandbox isn't allowed here", ended.stderr)

    def test_rewards_of_a_file(self):
        with Server(f"{HOME}/experiments/turns.trl", "--slots", "1", "--no-store") as server:
            rewards = server.get("/v1/protocols")[1]["rewards"]
            name = next(name for name in rewards if "turns = 3" in name)
            self.assertEqual(server.post("/v1/reward", one("right"))[1]["error"]["code"], "unknown_reward")
            right = server.post("/v1/reward", one("right", reward=name))[1]
            self.assertEqual((right["reward"], right["parts"], right["feedback"]), (1, {"1": 1}, None))
            wrong = server.post("/v1/reward", one("wrong 7", reward=name))[1]
            self.assertEqual((wrong["reward"], wrong["verdict"]["reason"]), (0, "wrong_values"))
            self.assertIn("wrong_values", wrong["feedback"])
            self.assertIn("prompt of relu", wrong["feedback"])
            lines = server.post_many("/v1/reward", {"answers": [one("right"), one("wrong")], "reward": name})
            self.assertEqual({line["index"]: line["reward"] for line in lines}, {0: 1, 1: 0})
            document = server.get("/openapi.json")[1]
            for reply in (right, wrong, lines[0]):
                self.assertEqual(list(problems(reply, {"$ref": "#/components/schemas/Reward"}, document)), [])

    def test_tls(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                            "-keyout", f"{folder}/key.pem", "-out", f"{folder}/certificate.pem"], check=True, capture_output=True)
            arguments = ("--certificate", f"{folder}/certificate.pem", "--key", f"{folder}/key.pem")
            with Server("--slots", "1", "--no-store", *arguments, context=trusting(f"{folder}/certificate.pem")) as server:
                self.assertTrue(server.post("/v1/verify", one("right"))[1]["correct"])
                self.assertEqual(len(server.post_many("/v1/verify", {"answers": [one("right")] * 20})), 20)
                self.assertEqual(server.raw(b"GET /healthz HTTP/1.1\r\n\r\n").find(b"HTTP/1.1 200"), -1)


if __name__ == "__main__":
    unittest.main()
