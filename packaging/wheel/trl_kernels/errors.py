"""The errors that a client of `trl serve` raises."""

from __future__ import annotations


class VerifierError(Exception):
    """The base of all errors of this package's clients."""


class Unavailable(VerifierError):
    """The service gave no answer in the time that the call may take: it can't be reached, is starting, draining or overloaded.

    This says nothing about the answer that was to be judged, so no trainer may count it as a wrong one.
    """


class Refused(VerifierError):
    """The service refused the request, and would refuse it again: an unknown task, a wrong token, a malformed body.

    `code` is one of the codes of the API, `status` is the HTTP status, and `help` says how to mend the request.
    """

    def __init__(self, status: int, code: str, message: str, help: str = "") -> None:
        super().__init__(f"{message} ({code}, HTTP {status})" + (f"\n  help: {help}" if help else ""))
        self.status = status
        self.code = code
        self.message = message
        self.help = help


class Unjudged(VerifierError):
    """This one answer has no verdict and won't get one: the verifier's process ended over it several times, or its machine failed.

    As with Unavailable, nothing is known about the answer.
    """
