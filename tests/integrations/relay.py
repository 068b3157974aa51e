"""Passes requests on to `transformers serve`, and ends its streams as OpenAI's do, which it doesn't: verifiers waits for that mark."""

import contextlib
import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DONE = b"data: [DONE]\n\n"


class Handler(BaseHTTPRequestHandler):
    port: int

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        server = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        server.request("POST", self.path, body, {"Content-Type": "application/json"})
        answer = server.getresponse()
        kind = answer.headers["Content-Type"]
        text = answer.read()
        if kind.startswith("text/event-stream") and not text.endswith(DONE):
            text += DONE
        self.send_response(answer.status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


@contextlib.contextmanager
def running(port):
    """The address of a relay to the server at this port of the machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"port": port}))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
