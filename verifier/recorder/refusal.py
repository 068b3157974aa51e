"""A candidate's refusal: why it is turned down while it is recorded."""

CANDIDATE_FILE = "candidate.py"


class Refused(Exception):
    """A reason that ends the recording. It stays in the launch_trace even if the candidate catches the exception."""

    def __init__(self, reason, message, line=None, everywhere=False):
        """`everywhere` says that any evaluation of the answer would fail for this reason, whatever its rules are, since
        Python or Triton itself fails."""
        super().__init__(message)
        self.reason, self.message, self.line, self.everywhere = reason, message, line, everywhere

    def to_json(self):
        message = str(self.message)[:2000].encode(errors="replace").decode()  # surrogates can't be written as JSON
        return {"ok": False, "reason": self.reason, "message": message, "line": self.line, **({"everywhere": True} if self.everywhere else {})}


def line_of_frame(frame):
    """The innermost line of the candidate's own text on the stack of `frame`."""
    while frame is not None:
        if frame.f_code.co_filename == CANDIDATE_FILE:
            return frame.f_lineno
        frame = frame.f_back
    return None


def line_of_error(error):
    """The innermost line of the candidate's own text that an exception passed through."""
    line, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == CANDIDATE_FILE:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
