"""A stand-in for `trl serve`: its API over http.server, with verdicts by a rule and faults on demand.

An answer is right if it has the word "right" in it. `Service.faults` holds what happens to the next requests, one each, in order.
"""

import contextlib
import json
import ssl
import threading
import time
import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TASKS = [{"id": f"level1/{number}", "suite": "level1", "prompt": f"Write kernel {number}.", "can_be_judged": number != 3,
          "why": "it has no kernel" if number == 3 else None} for number in range(1, 6)]


@dataclass
class Fault:
    """`status` instead of an answer, with a Retry-After; or an answer that is cut off after `lines` lines, or sent a byte in `drip` seconds."""

    status: int = 0
    code: str = "draining"
    retry_after: str | None = None
    lines: int | None = None
    # Whether the end of such a stream looks as if all had come.
    clean: bool = False
    drip: float = 0
    hang: float = 0
    # Seconds before each line of a batch.
    pause: float = 0
    # Indices of a batch's answers for which there is no room.
    never_begun: tuple[int, ...] = ()


@dataclass
class Service:
    token: str | None = None
    right: Callable[[str], bool] = lambda answer: "right" in answer
    faults: list[Fault] = field(default_factory=list)
    # How many of the next answers that are to be judged get "come back in 999 s".
    away: int = 0
    # Of each request: path, headers, body.
    requests: list[tuple[str, dict, dict | None]] = field(default_factory=list)
    # How often each answer was verified, by key and index.
    verified: dict[tuple[str, int], int] = field(default_factory=dict)
    url: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def row(self, key, index, item):
        """The verdict on an answer. A key and index that were there before get the stored one, which isn't counted."""
        with self.lock:
            if not key or (key, index) not in self.verified:
                self.verified[key, index] = self.verified.get((key, index), 0) + 1
        correct = self.right(item["answer"])
        return {"task": item["task"], "correct": correct, "reason": "" if correct else "not_judged" if "unlucky" in item["answer"] else "wrong_values",
                "message": "" if correct else "the output differs", "speedup": 2.0 if correct else None, "id": f"{key}-{index}"}


def reward_row(row):
    value = None if row["reason"] == "not_judged" else 1.0 if row["correct"] else 0.0
    return {"reward": value, "parts": {"c.correct": value}, "verdict": row, "id": row["id"],
            "feedback": None if row["correct"] else f"Your kernel isn't right: {row['message']}."}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    service: Service

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.answer(None)

    def do_POST(self):
        self.answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def answer(self, body):
        service = self.service
        with service.lock:
            service.requests.append((self.path, dict(self.headers), body))
            fault = service.faults.pop(0) if service.faults else Fault()
            if body and service.away:
                service.away -= 1
                fault = Fault(status=503, retry_after="999")
        time.sleep(fault.hang)
        if fault.status:
            return self.error(fault.status, fault.code, fault.retry_after)
        if service.token and self.headers.get("Authorization") != f"Bearer {service.token}":
            return self.error(401, "unauthorized")
        url = urllib.parse.urlsplit(self.path)
        if body is None:
            return self.get(url, dict(urllib.parse.parse_qsl(url.query)))
        one = reward_row if url.path == "/v1/reward" else lambda row: row
        key = self.headers.get("Idempotency-Key", "")
        known = {task["id"] for task in TASKS}
        if "answers" not in body:
            if body["task"] not in known:
                return self.error(404, "unknown_task")
            return self.send(one(service.row(key, 0, body)), drip=fault.drip, cut=fault.lines is not None)
        if any(item["task"] not in known for item in body["answers"]):
            return self.error(404, "unknown_task")
        rows = []
        for index, item in reversed([*enumerate(body["answers"])]):
            if index in fault.never_begun:
                rows.append({"index": index, "error": {"code": "overloaded", "message": "full"}})
            elif "crash" in item["answer"]:
                rows.append({"index": index, "error": {"code": "verifier_failed", "message": "the verifier's process ended over it"}})
            else:
                rows.append({**one(service.row(key, index, item)), "index": index})
        self.stream(rows, fault)

    def get(self, url, query):
        if url.path in ("/healthz", "/readyz"):
            return self.send({})
        if url.path == "/v1/protocols":
            return self.send({"protocols": {"exam": {}, "training": {}}, "rewards": {"train": "if c.correct then 1 else 0"}})
        found = [task for task in TASKS if task["id"] == urllib.parse.unquote(url.path.removeprefix("/v1/tasks/"))]
        if found:
            return self.send(found[0])
        if url.path != "/v1/tasks":
            return self.error(404, "not_found")
        rest = [task for task in TASKS if query.get("suite") in (None, task["suite"])]
        ids = [task["id"] for task in rest]
        rest = rest[ids.index(query["after"]) + 1 :] if "after" in query else rest
        page = rest[: min(2, int(query.get("limit", 2)))]
        self.send({"tasks": page, "next": page[-1]["id"] if len(page) < len(rest) else None})

    def error(self, status, code, retry_after=None):
        headers = {"Retry-After": retry_after} if retry_after else {}
        self.send({"error": {"code": code, "message": f"no: {code}", "help": "do otherwise"}}, status, headers)

    def send(self, value, status=200, headers=(), drip=0.0, cut=False):
        text = json.dumps(value).encode()
        self.send_response(status)
        for name, content in {**dict(headers), "Content-Length": str(len(text))}.items():
            self.send_header(name, content)
        self.end_headers()
        with contextlib.suppress(OSError):
            for number in range(len(text)) if drip else ():
                self.wfile.write(text[number : number + 1])
                self.wfile.flush()
                time.sleep(drip)
            if not drip:
                self.wfile.write(text[: len(text) // 2] if cut else text)
        self.close_connection = True

    def stream(self, rows, fault):
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.write_lines(rows, fault)

    def write_lines(self, rows, fault):
        for number, row in enumerate(rows):
            if number == fault.lines:
                self.wfile.write(b"0\r\n\r\n" if fault.clean else b"")
                return
            time.sleep(fault.pause)
            text = json.dumps(row).encode() + b"\n"
            # A line in two chunks: a client must not take a chunk for a line.
            for piece in (text[:7], text[7:]):
                self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        self.wfile.write(b"0\r\n\r\n")


@contextlib.contextmanager
def running(certificate=None, **options):
    """A service on a port of the system's choice, by TLS where there is a file with a certificate and its key."""
    service = Service(**options)
    bound = type("Server", (ThreadingHTTPServer,), {"request_queue_size": 256})
    server = bound(("127.0.0.1", 0), type("Bound", (Handler,), {"service": service}))
    server.daemon_threads = True
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    service.url = f"{'https' if certificate else 'http'}://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
