"""The recorder service: it answers with a candidate's launch plans, which a confined child per candidate writes (docs/interfaces.md, 4).

This process and the zygote (zygote/) run no candidate code.
"""

import gc
import json
import os
import signal
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(1, os.path.join(os.path.dirname(sys.path[0]), "zygote"))

import importable
import jail
import service
import zygote

MAX_ANSWER = 32 << 20
MAX_QUESTIONS = 16
WRAPPER, COMPILERS = 0, 1  # kinds of requests
LIMITS = {"seconds": 10, "memory_bytes": 1 << 30, "file_bytes": 16 << 20}


def failure(reason, message):
    return {"ok": False, "reason": reason, "message": message, "line": None}


TOO_MANY = json.dumps({"refused": {**failure("too_large", f"the wrapper builds more than {MAX_QUESTIONS} extensions")}}).encode()


def read_line(fd):
    """Reads a line that another process may write in several pieces; at the end of the file, what has come of it."""
    parts = []
    while not parts or parts[-1] and not parts[-1].endswith(b"\n"):
        parts.append(os.read(fd, 1 << 20))
    return b"".join(parts)


def run_child(question, result, limits):
    """Runs in the child: confines itself, waits for its candidate, records it, writes the answer and ends without clean-up."""
    import record

    zygote.arrange(question, result)
    try:
        jail.enter(limits, "candidate")
        request = json.loads(read_line(4) or b"null")
        if request is None:
            os._exit(0)
        os.write(3, service.CONFINED)
        record.Current.on_compile = lambda line: os.write(3, b"@%d\n" % (line or 0))
        answer = record.record(request["source"], request["shapes"], request.get("language"), request.get("epilogue", False))
    except OSError as error:  # `record` itself raises no OSError
        answer = failure("sandbox", f"the sandbox cannot confine a candidate: {error}")
    try:
        text = json.dumps(answer, allow_nan=False)
    except (ValueError, TypeError, RecursionError):
        text = json.dumps(failure("unsupported", "the launch plan holds a value that cannot be written as JSON"))
    data = memoryview(text.encode())
    while data:
        data = data[os.write(3, data):]
    os.close(3)  # the answer is complete; closing now lets the service go on while this process's memory is freed
    os._exit(0)


def signal_name(number):
    try:
        return signal.Signals(number).name
    except ValueError:  # most realtime signals have no name
        return f"signal {number}"


def interpret(reading, status, seconds, limits):
    """Explains why a child gave no answer, from what this process observed; only the line is the child's own claim."""
    if reading.why == "timeout":
        return failure("timeout", f"the wrapper does not end in time: it computed for {seconds:.1f} s")
    if reading.why == "idle":
        return failure("timeout", f"the wrapper sleeps: it computed for {seconds:.1f} s, and slept for {reading.asleep:.1f} s")
    if reading.why == "too_large":
        return failure("too_large", f"the launch plan is larger than {MAX_ANSWER >> 20} MiB, or the wrapper asks for too much")
    if status is not None and os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number in (signal.SIGKILL, signal.SIGXCPU):
            if seconds >= limits["seconds"] - 0.5:
                return failure("timeout", f"the wrapper does not end in time: it computed for {seconds:.1f} s")
            return failure("memory", "the machine ended the wrapper, as it ends processes that take too much memory")
        name = signal_name(number)
        if reading.note and not reading.data:  # Triton's compiler ends its process when an assertion fails; so may C++
            kind, line = reading.note
            message = f"the compiler ended by {name}, or the wrapper did after its last kernel was compiled"
            if kind == "!":
                message = f"the wrapper's C++ ended by {name}, or the wrapper did after it"
            return {**failure("crashed", message), "line": line or None}
        return failure("crashed", f"the wrapper ended by {name}")
    return failure("crashed", "the wrapper ended its process without an answer")


def load():
    """Runs in the zygote: loads what wrappers need and uses it once. Returns what is wrong, or ""."""
    # Switches garbage collection off, for children, too: a candidate has little memory and time.
    # While modules load, collection takes an eighth of the time. It also leaves holes in many
    # pages, and a child copies each page in which it puts an object.
    gc.disable()
    importable.install(sys.path[:2])
    import torch

    torch.set_num_threads(1)
    import compilers

    compilers.defer()
    import record

    ready = record.warm_up()
    gc.freeze()
    return zygote.strange_threads() if ready["ok"] else ready["message"]


def prepare(kind):
    """Loads PyTorch's compilers, before the first wrapper that names one of them."""
    if kind == COMPILERS:
        import compilers

        compilers.load()
        gc.freeze()


def main():
    service.Service(load, run_child, interpret, LIMITS, prepare=prepare, max_answer=MAX_ANSWER, max_questions=MAX_QUESTIONS,
                    too_many=TOO_MANY).go_on()


if __name__ == "__main__":
    main()
