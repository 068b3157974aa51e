"""One HTTP exchange that ends at a given time, whatever the other side does."""

from __future__ import annotations

import contextlib
import http.client
import io
import socket
import urllib.parse
from collections.abc import Iterator, Mapping

from trl_kernels.deadline import Deadline

# The most bytes that one read takes from the connection.
PIECE = 1 << 16


class _Reading(io.RawIOBase):
    """The bytes of a socket. Each read waits at most until the deadline, so the client also gives up on a server that
    sends one byte a minute."""

    def __init__(self, connected: socket.socket, deadline: Deadline) -> None:
        self.connected = connected
        self.deadline = deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        self.connected.settimeout(self.deadline.remaining())
        return self.connected.recv_into(buffer)


class _Bounded:
    """The part of a socket's interface that http.client uses, with one deadline for all of its calls."""

    def __init__(self, connected: socket.socket, deadline: Deadline) -> None:
        self.connected = connected
        self.deadline = deadline

    def sendall(self, data: bytes) -> None:
        self.connected.settimeout(self.deadline.remaining())
        self.connected.sendall(data)

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Reading(self.connected, self.deadline))

    def close(self) -> None:
        """http.client closes its socket before the answer is read; `exchange` closes the connection itself."""


@contextlib.contextmanager
def exchange(
    url: str, method: str, path: str, headers: Mapping[str, str], body: bytes | None, deadline: Deadline
) -> Iterator[http.client.HTTPResponse]:
    """Sends a request to `url` + `path` and yields the response, whose body isn't read yet.

    Raises OSError or http.client.HTTPException when the exchange breaks or isn't over at the deadline.
    """
    base = urllib.parse.urlsplit(url)
    kind = http.client.HTTPSConnection if base.scheme == "https" else http.client.HTTPConnection
    connection = kind(base.hostname or "", base.port, timeout=deadline.remaining())
    connection.connect()
    connected = connection.sock
    try:
        connection.sock = _Bounded(connected, deadline)
        connection.request(method, base.path.rstrip("/") + path, body, dict(headers))
        yield connection.getresponse()
    finally:
        connected.close()


def lines(response: http.client.HTTPResponse) -> Iterator[bytes]:
    """The lines of a response's body as they come. A body that was cut off raises http.client.IncompleteRead."""
    rest = b""
    while piece := response.read1(PIECE):
        *whole, rest = (rest + piece).split(b"\n")
        yield from filter(None, whole)
    if rest.strip():
        yield rest
