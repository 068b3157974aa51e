"""The recorder: forks one confined child a candidate and answers with its launch plans (docs/seams.md, 4).

This process runs no candidate code and never uses a second thread: a process that has used one cannot be forked
safely. Requests come as lines on standard input; answers leave as lines on standard output.
"""

import fcntl
import gc
import json
import os
import re
import select
import signal
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import jail  # noqa: E402

MAX_ANSWER = 32 << 20
CONFINED = b"+"  # what a child writes before its candidate's code runs: nobody can take it back
DEFAULT_LIMITS = {"seconds": 10, "memory_bytes": 1 << 30, "file_bytes": 16 << 20}


def failure(reason, message):
    return {"ok": False, "stage": "syntax", "reason": reason, "message": message, "line": None}


def run_child(limits, question, result):
    """In the child: confines itself, waits for its candidate, records, writes the answer and ends without clean-up."""
    import record

    null = os.open("/dev/null", os.O_RDWR)
    os.dup2(result, 3)
    os.dup2(question, 4)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.closerange(5, 256)
    gc.disable()  # a candidate's memory is limited, and its time short
    try:
        jail.enter(limits)
        with open(4, "rb") as file:
            request = json.loads(file.read() or b"null")
        if request is None:
            os._exit(0)
        os.write(3, CONFINED)
        record.Current.on_compile = lambda line: os.write(3, b"@%d\n" % (line or 0))
        answer = record.record(request["source"], request["shapes"])
    except OSError as error:  # `record` raises none
        answer = failure("sandbox", f"the sandbox cannot confine a candidate: {error}")
    try:
        text = json.dumps(answer, allow_nan=False)
    except (ValueError, TypeError, RecursionError):
        text = json.dumps(failure("unsupported", "the launch plan holds what cannot be written down"))
    data = memoryview(text.encode())
    while data:
        data = data[os.write(3, data):]
    os.close(3)  # the answer is whole; taking this process's memory down would keep it waiting
    os._exit(0)


class Child:
    """A forked, confined process that waits for one candidate."""

    def __init__(self, limits):
        self.limits = limits
        question, self.question = os.pipe2(os.O_CLOEXEC)
        self.answer, result = os.pipe2(os.O_CLOEXEC)
        self.pid = jail.fork()
        if self.pid == 0:
            # Out of the way of the numbers that the child gives them.
            run_child(limits, fcntl.fcntl(question, fcntl.F_DUPFD, 8), fcntl.fcntl(result, fcntl.F_DUPFD, 8))
        os.close(question)
        os.close(result)

    def ask(self, request):
        """Sends the candidate. It is small, or the child reads it: this ends."""
        data = memoryview(json.dumps(request).encode())
        try:
            while data:
                data = data[os.write(self.question, data):]
        except BrokenPipeError:
            pass  # why it has ended shows in its answer
        os.close(self.question)
        self.question = None

    def close(self):
        for fd in (self.question, self.answer):
            if fd is not None:
                os.close(fd)
        self.question = self.answer = None


def read_answer(pipe, deadline):
    """The child's bytes until it closes the pipe, and why reading ended: None, "timeout" or "too_large"."""
    poller = select.poll()
    poller.register(pipe, select.POLLIN)
    # The worker's end of our input: when it closes, nobody waits for an answer.
    poller.register(0, 0)
    parts, size = [], 0
    while True:
        left = deadline - time.monotonic()
        if left <= 0:
            return parts, "timeout"
        ready = dict(poller.poll(left * 1000))
        if ready.get(0, 0) & (select.POLLHUP | select.POLLERR):
            return parts, "gone"
        if pipe in ready:
            data = os.read(pipe, 1 << 20)
            if not data:
                return parts, None
            parts.append(data)
            size += len(data)
            if size > MAX_ANSWER:
                return parts, "too_large"


def end(pid):
    """Kills the child and with it everything that it started; returns its status and CPU seconds."""
    try:
        os.kill(pid, signal.SIGKILL) if jail.isolated else os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        os.kill(pid, signal.SIGKILL)
    _, status, usage = os.wait4(pid, 0)
    return status, usage.ru_utime + usage.ru_stime


def wait_ended(pid, deadline):
    """Waits for a child that has closed its pipe to end by itself; None if it does not."""
    while time.monotonic() < deadline:
        done, status, usage = os.wait4(pid, os.WNOHANG)
        if done:
            return status, usage.ru_utime + usage.ru_stime
        time.sleep(0.001)
    return None


def interpret(parts, why, status, seconds, limits):
    if why == "timeout":
        return failure("timeout", "the wrapper does not end in time")
    if why == "too_large":
        return failure("too_large", f"the launch plan is larger than {MAX_ANSWER >> 20} MiB")
    data = b"".join(parts)
    confined = data.startswith(CONFINED)
    notes, data = re.fullmatch(rb"((?:@\d+\n)*)(.*)", data.removeprefix(CONFINED), re.DOTALL).groups()
    try:
        answer = json.loads(data)
        # That the sandbox fails is the machine's word, not a candidate's.
        claims = confined and isinstance(answer, dict) and answer.get("reason") == "sandbox"
        if isinstance(answer, dict) and isinstance(answer.get("ok"), bool) and not claims:
            return answer
    except (ValueError, RecursionError, MemoryError):
        pass
    if status is not None and os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number in (signal.SIGKILL, signal.SIGXCPU):
            if seconds >= limits["seconds"] - 0.5:
                return failure("timeout", "the wrapper does not end in time")
            return failure("memory", "the wrapper was stopped for the memory it uses")
        if notes and not data:  # Triton's compiler ends its process where it finds itself wrong
            line = int(notes.split(b"@")[-1]) or None
            message = f"the compiler ended by {signal.Signals(number).name}, or the wrapper did after its last kernel was compiled"
            return {**failure("crashed", message), "line": line}
        return failure("crashed", f"the wrapper ended by {signal.Signals(number).name}")
    return failure("crashed", "the wrapper ended its process without an answer")


class Server:
    """Answers requests, each by a child of its own. The next child is forked while the last candidate is examined
    elsewhere, and one that has answered is ended after its answer is given."""

    def __init__(self):
        self.standby, self.ended = None, None

    def serve(self, request):
        limits = {**DEFAULT_LIMITS, **{k: v for k, v in (request.get("limits") or {}).items() if v}}
        child, self.standby = self.standby, None
        if child is not None and child.limits != limits:
            child.close()
            end(child.pid)
            child = None
        child = child or Child(limits)
        child.ask(request)
        # Wall time is the outer limit: on a busy machine an honest wrapper waits for its turn.
        deadline = time.monotonic() + 3 * limits["seconds"] + 1
        parts, why = read_answer(child.answer, deadline)
        child.close()
        if why == "gone":
            end(child.pid)
            sys.exit(0)
        if why is None and is_whole(parts):
            self.ended = child
            return interpret(parts, why, None, 0, limits)
        ended = wait_ended(child.pid, time.monotonic() + 1) if why is None else None
        status, seconds = ended or end(child.pid)
        return interpret(parts, why, status if ended else None, seconds, limits)

    def prepare(self, limits):
        if self.ended is not None:
            end(self.ended.pid)
            self.ended = None
        if self.standby is None:
            self.standby = Child(limits)


def is_whole(parts):
    return bool(parts) and parts[-1].endswith(b"}")


def strange_threads():
    """Names of threads besides the main one. Where there is a CUDA driver, its idle event thread is harmless."""
    names = []
    for task in os.listdir("/proc/self/task"):
        with open(f"/proc/self/task/{task}/comm") as file:
            name = file.read().strip()
        if int(task) != os.getpid() and not name.startswith("cuda"):
            names.append(name)
    return names


def main():
    import torch

    torch.set_num_threads(1)
    import record

    ready = record.warm_up()
    threads = strange_threads()
    gc.collect()
    gc.freeze()
    problem = ready.get("message", "") or ("unexpected threads: " + ", ".join(threads) if threads else "")
    write({"ready": bool(ready["ok"]) and not threads, "message": problem})
    server = Server()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        write({**server.serve(request), "id": request["id"]})
        server.prepare({**DEFAULT_LIMITS, **{k: v for k, v in (request.get("limits") or {}).items() if v}})


def write(answer):
    data = memoryview(json.dumps(answer).encode() + b"\n")
    while data:
        data = data[os.write(1, data):]


if __name__ == "__main__":
    main()
