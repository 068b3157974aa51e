"""What the service's replies mean: errors, and the lines of a batch."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from trl_kernels.errors import Refused, Unjudged
from trl_kernels.retry import TEMPORARY, seconds_of

Json = Mapping[str, Any]
# Codes of errors after which a single answer of a batch is sent again, because the service's load and not the answer
# is the cause.
NEVER_BEGUN = frozenset({"too_many_requests", "overloaded", "draining"})


class Temporary(Exception):
    """A reply that asks the client to come back after `seconds`."""

    def __init__(self, why: str, seconds: float = 0.0) -> None:
        super().__init__(why)
        self.seconds = seconds


# Errors after which a request is sent again: broken connections, incomplete replies, and errors
# that the service calls temporary.
BROKEN = (OSError, http.client.HTTPException, json.JSONDecodeError, Temporary)


class Batch:
    """Keeps track of which answers of a request have come, over all of its attempts."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.came: set[int] = set()
        # The error of an answer that has no verdict and won't get one.
        self.refused: Refused | Unjudged | None = None

    @property
    def missing(self) -> int:
        return self.size - len(self.came)

    def new(self, rows: Iterable[Json]) -> Iterator[Json]:
        """Yields the rows of an attempt that hadn't come before. Raises one of BROKEN at the end if some are
        missing."""
        full = 0
        for row in rows:
            error = row.get("error")
            if error and error.get("code") in NEVER_BEGUN:
                full += 1
            elif row["index"] not in self.came:
                self.came.add(row["index"])
                if error:
                    self.refused = _refusal(200, error)
                else:
                    yield row
        if self.missing > full:
            raise http.client.IncompleteRead(b"")
        if full:
            raise Temporary(f"no room for {full} answers")


def words(error: Exception) -> str:
    if isinstance(error, Temporary):
        return str(error)
    if isinstance(error, http.client.IncompleteRead):
        return "the answer was cut off"
    return f"{type(error).__name__}: {error}"


def _refusal(status: int, error: Json) -> Refused | Unjudged:
    code, message = error.get("code", "unknown"), error.get("message", "the service refused the request")
    return Unjudged(message) if code == "verifier_failed" else Refused(status, code, message, error.get("help") or "")


def error_of(response: http.client.HTTPResponse) -> Exception:
    """Returns the error for a reply whose status isn't 200."""
    text = response.read(1 << 16)
    try:
        error = json.loads(text)["error"]
    except (ValueError, KeyError, TypeError):
        error = {"message": text.decode(errors="replace").strip()[:200] or response.reason}
    if response.status in TEMPORARY:
        why = f"HTTP {response.status}, {error.get('message', '')}"
        return Temporary(why, seconds_of(response.headers.get("Retry-After")))
    return _refusal(response.status, error)
