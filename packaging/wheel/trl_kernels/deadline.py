"""The time by which a call ends."""

from __future__ import annotations

import time


class Deadline:
    """A time that lies `seconds` in the future; `renew` begins them anew."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.renew()

    def renew(self) -> None:
        self._end = time.monotonic() + self.seconds

    @property
    def left(self) -> float:
        """The seconds until then, below zero afterwards."""
        return self._end - time.monotonic()

    def remaining(self) -> float:
        """The seconds until then, more than zero; a TimeoutError afterwards."""
        left = self.left
        if left <= 0:
            raise TimeoutError("the time of this call is over")
        return left
