"""Decides when a request is sent again: exponential back-off with jitter, within the time of the call."""

from __future__ import annotations

import email.utils
import logging
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from trl_kernels.deadline import Deadline
from trl_kernels.errors import Unavailable

# Statuses that HTTP calls temporary: too many requests, a proxy's bad gateway, unavailable, a
# proxy's time-out.
TEMPORARY = frozenset({429, 502, 503, 504})

log = logging.getLogger("trl_kernels")


def seconds_of(retry_after: str | None) -> float:
    """Returns the seconds of a header Retry-After, which holds a number or a date; 0 without the header, or if it
    holds neither."""
    if not retry_after:
        return 0.0
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time())
    except ValueError:
        return 0.0


@dataclass
class Retries:
    """The attempts of one call, which ends `timeout` seconds after its begin or the last progress.

    Attempt n is followed by a wait of up to `first` * 2**n seconds, at most `longest`, drawn uniformly ("full jitter"), so that the
    workers of a trainer don't come back all at once. A server's Retry-After is waited for in full, before that.
    """

    timeout: float
    first: float = 0.5
    longest: float = 30.0
    sleep: Callable[[float], None] = time.sleep
    draw: Callable[[], float] = random.random
    attempts: int = 0
    deadline: Deadline = field(init=False)

    def __post_init__(self) -> None:
        self.deadline = Deadline(self.timeout)

    def note_progress(self) -> None:
        """Called when a verdict came: the call's time begins anew, and so do its waits."""
        self.deadline.renew()
        self.attempts = 0

    def wait(self, why: str, retry_after: float = 0.0) -> None:
        """Waits before the next attempt. Raises Unavailable if the call's time wouldn't suffice for another one."""
        pause = retry_after + self.draw() * min(self.longest, self.first * 2.0 ** min(self.attempts, 30))
        self.attempts += 1
        left = self.deadline.left
        if pause >= left:
            raise Unavailable(f"{why} (attempt {self.attempts}, given up after {self.timeout - left:.1f} of {self.timeout:g} s)")
        # One broken connection needs no warning, since a trainer has hundreds of connections open.
        log.log(logging.WARNING if self.attempts > 2 else logging.INFO, "%s; attempt %d follows in %.1f s, %.0f s are left", why, self.attempts + 1, pause, left)
        self.sleep(pause)
