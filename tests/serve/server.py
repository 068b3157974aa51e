"""Starts `trl serve` for a test, and talks to it."""

import contextlib
import http.client
import json
import os
import signal
import socket
import ssl
import subprocess
import tempfile
import threading
import time


class Server:
    """A server on a free port, with a store in a temporary folder. It ends with the `with` block."""

    def __init__(self, *arguments, environment=None, context=None):
        self.folder = tempfile.TemporaryDirectory()
        self.context = context
        self.process = subprocess.Popen(
            [os.environ["TRL"], "serve", "--port", "0", "--store", self.store, *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})})
        self.lines = []
        for line in self.process.stderr:
            self.lines.append(line)
            if "listening on" in line:
                self.port = int(line.rsplit(":", 1)[1])
                break
        else:
            raise AssertionError("the server didn't start: " + "".join(self.lines))
        self.reader = threading.Thread(target=lambda: self.lines.extend(self.process.stderr))
        self.reader.start()
        while self.get("/readyz")[0] != 200:
            time.sleep(0.02)

    @property
    def store(self):
        return os.path.join(self.folder.name, "store")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
        self.process.wait()
        self.reader.join()
        self.process.stdout.close()
        self.process.stderr.close()
        self.folder.cleanup()

    def end(self):
        """Asks it to end, and returns its exit status and what it wrote."""
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(60)
        self.reader.join()
        return status, "".join(self.lines)

    def connection(self, timeout=60):
        if self.context is not None:
            return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=timeout, context=self.context)
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def ask(self, method, path, body=None, headers=None, timeout=60):
        """Returns status, headers and text of the reply."""
        connection = self.connection(timeout)
        with contextlib.closing(connection):
            connection.request(method, path, body, headers or {})
            reply = connection.getresponse()
            return reply.status, reply.headers, reply.read().decode()

    def get(self, path, headers=None):
        status, _, text = self.ask("GET", path, headers=headers)
        return status, json.loads(text) if text.startswith("{") else text

    def post(self, path, body, headers=None, timeout=60):
        status, _, text = self.ask("POST", path, json.dumps(body), headers, timeout)
        return status, json.loads(text)

    def post_many(self, path, body, headers=None):
        """The lines of a batch's reply."""
        status, _, text = self.ask("POST", path, json.dumps(body), headers)
        assert status == 200, text
        return [json.loads(line) for line in text.splitlines()]

    def raw(self, data, timeout=30):
        """Sends bytes, and returns what comes until the server closes the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout) as peer:
            got = b""
            with contextlib.suppress(ConnectionError):
                peer.sendall(data)
                while piece := peer.recv(65536):
                    got += piece
            return got

    def until(self, condition, headers=None, seconds=60):
        """Waits until the text of the metrics fulfils a condition."""
        end = time.monotonic() + seconds
        while not condition(metrics := self.get("/metrics", headers)[1]):
            if time.monotonic() > end:
                raise AssertionError(f"{seconds} s were not enough: {metrics}")
            time.sleep(0.01)

    def metric(self, name):
        for line in self.get("/metrics")[1].splitlines():
            if line.startswith(name + " "):
                return float(line.rsplit(" ", 1)[1])
        raise AssertionError("there is no metric " + name)


def trusting(certificate):
    context = ssl.create_default_context(cafile=certificate)
    context.check_hostname = False
    return context
