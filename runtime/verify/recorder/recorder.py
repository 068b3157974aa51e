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
MAX_QUESTION = 1 << 20  # of a child about its sources, as JSON
MAX_QUESTIONS = 16
CONFINED = b"+"  # what a child writes before its candidate's code runs: nobody can take it back
DEFAULT_LIMITS = {"seconds": 10, "memory_bytes": 1 << 30, "file_bytes": 16 << 20}


def failure(reason, message):
    return {"ok": False, "stage": "syntax", "reason": reason, "message": message, "line": None}


def read_line(fd):
    """A line that another process writes in one piece or several; what there is where it ends before."""
    parts = []
    while not parts or parts[-1] and not parts[-1].endswith(b"\n"):
        parts.append(os.read(fd, 1 << 20))
    return b"".join(parts)


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
        request = json.loads(read_line(4) or b"null")
        if request is None:
            os._exit(0)
        os.write(3, CONFINED)
        record.Current.on_compile = lambda line: os.write(3, b"@%d\n" % (line or 0))
        answer = record.record(request["source"], request["shapes"], request.get("language"))
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
        data = memoryview(json.dumps(request).encode() + b"\n")
        try:
            while data:
                data = data[os.write(self.question, data):]
        except BrokenPipeError:
            pass  # why it has ended shows in its answer
        os.set_blocking(self.question, False)  # from now on its candidate decides whether it reads

    def tell(self, line, deadline):
        """Answers a question of its, if it listens."""
        data, poller = memoryview(line), select.poll()
        poller.register(self.question, select.POLLOUT)
        try:
            while data and poller.poll(max(0, deadline - time.monotonic()) * 1000):
                data = data[os.write(self.question, data):]
        except (BrokenPipeError, BlockingIOError):
            pass  # why it doesn't shows in its answer

    def close(self):
        for fd in (self.question, self.answer):
            if fd is not None:
                os.close(fd)
        self.question = self.answer = None


def question_in(data, at):
    """Notes of a child lie before its answer, each a line: where they end, and the first question as a slice."""
    if at == 0:
        if not data.startswith(CONFINED):
            return 0, None
        at = len(CONFINED)
    while data[at:at + 1] in (b"@", b"!", b"?"):
        end = data.find(b"\n", at)
        if end < 0:
            break
        if data[at:at + 1] == b"?":
            return at, slice(at, end + 1)
        at = end + 1
    return at, None


def compile_request(text):
    """What a child asks to have compiled, looked at as a candidate's word; None for anything else."""
    try:
        asked = json.loads(text)
        source, functions = asked["source"], asked["functions"]
    except (ValueError, TypeError, KeyError, RecursionError, MemoryError):
        return None
    if not isinstance(source, str) or not isinstance(functions, list) or len(functions) > 64:
        return None
    if not all(isinstance(one, str) and len(one) <= 200 for one in functions):
        return None
    return {"source": source, "functions": functions}


def read_answer(child, deadline, compiled):
    """The child's bytes until it closes the pipe, and why reading ended: None, "timeout", "too_large" or "gone".

    `compiled(request)` gives the line that answers a question about sources, or None when nobody is there any more.
    """
    pipe = child.answer
    poller = select.poll()
    poller.register(pipe, select.POLLIN)
    # The worker's end of our input: when it closes, nobody waits for an answer.
    poller.register(0, 0)
    data, at, questions = bytearray(), 0, 0
    while True:
        left = deadline - time.monotonic()
        if left <= 0:
            return bytes(data), "timeout"
        ready = dict(poller.poll(left * 1000))
        if ready.get(0, 0) & (select.POLLHUP | select.POLLERR):
            return bytes(data), "gone"
        if pipe not in ready:
            continue
        piece = os.read(pipe, 1 << 20)
        if not piece:
            return bytes(data), None
        data += piece
        if len(data) > MAX_ANSWER:
            return bytes(data), "too_large"
        at, question = question_in(data, at)
        if question is None:
            continue
        questions += 1
        request = compile_request(bytes(data[question])[1:]) if question.stop - question.start <= MAX_QUESTION else None
        del data[question]
        if request is None or questions > MAX_QUESTIONS:
            answer = json.dumps({"refused": {"reason": "too_large", "line": None,
                                             "message": f"the wrapper builds more than {MAX_QUESTIONS} extensions"}}).encode()
        else:
            answer = compiled(request)
        if answer is None:
            return bytes(data), "gone"
        child.tell(answer.strip() + b"\n", deadline)


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


def interpret(data, why, status, seconds, limits):
    if why == "timeout":
        return failure("timeout", "the wrapper does not end in time")
    if why == "too_large":
        return failure("too_large", f"the launch plan is larger than {MAX_ANSWER >> 20} MiB")
    confined = data.startswith(CONFINED)
    notes, data = re.fullmatch(rb"((?:[@!]\d+\n)*)(.*)", data.removeprefix(CONFINED), re.DOTALL).groups()
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
        if notes and not data:  # Triton's compiler ends its process where it finds itself wrong; C++ by itself
            last = notes.splitlines()[-1]
            line, name = int(last[1:]) or None, signal.Signals(number).name
            message = f"the compiler ended by {name}, or the wrapper did after its last kernel was compiled"
            if last[:1] == b"!":
                message = f"the wrapper's C++ ended by {name}, or the wrapper did after it"
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
        data, why = read_answer(child, deadline, lambda asked: relay(request["id"], asked))
        child.close()
        if why == "gone":
            end(child.pid)
            sys.exit(0)
        if why is None and data.endswith(b"}"):
            self.ended = child
            return interpret(data, why, None, 0, limits)
        ended = wait_ended(child.pid, time.monotonic() + 1) if why is None else None
        status, seconds = ended or end(child.pid)
        return interpret(data, why, status if ended else None, seconds, limits)

    def prepare(self, limits):
        if self.ended is not None:
            end(self.ended.pid)
            self.ended = None
        if self.standby is None:
            self.standby = Child(limits)


def relay(number, asked):
    """Asks the worker, who asks trl-kernel-check; the line of its answer, or None at the end of our input."""
    write({"id": number, "compile": asked})
    return sys.stdin.buffer.readline() or None


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
