"""The time by which a call ends."""

from __future__ import annotations

import time


class Deadline:
    """A time that lies `seconds` in the future. `renew` counts the seconds anew."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.renew()

    def renew(self) -> None:
        self._end = time.monotonic() + self.seconds

    @property
    def left(self) -> float:
        """Returns the seconds until the deadline; below zero once it has passed."""
        return self._end - time.monotonic()

    def remaining(self) -> float:
        """Returns the seconds until the deadline, which are more than zero. Raises TimeoutError once it has passed."""
        left = self.left
        if left <= 0:
            raise TimeoutError("the time of this call is over")
        return left
