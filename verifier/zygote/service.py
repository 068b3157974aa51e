"""A service that has each request answered by a child of its own, and never parses the child's answer (docs/interfaces.md, 4).

A message is a line of JSON, its head, that ends in `"bytes": N`, and N bytes behind it, its body. Heads are written by this
process and the one that started it. Bodies come from candidates and pass through as bytes: their contents can't end this process,
nor use more of its memory than their length, which is limited.
"""

import json
import os
import select
import time

import jail
import zygote

IDLE_SECONDS = 5.0  # a child that neither computes nor waits for a core for so long waits for something that nobody will send
BLIND_FACTOR = 30  # wall seconds for each CPU second, on a machine that doesn't show processes
LOOK_SECONDS = 0.25  # between two checks of what a child has used
MOST_AT_ONCE = 1.0  # seconds of sleep that one check may find: after a longer time it was this process that didn't run
CONFINED = b"+"  # a child writes it before its request is parsed, so no candidate can prevent or forge it
MAX_NOTES, MAX_NOTE = 4096, 16  # notes of a child before its answer, and bytes of one note
NOTE, QUESTION = b"@!", b"?"


class Ended(Exception):
    """The other side has closed its end."""


class Pipe:
    """Reads messages from standard input."""

    def __init__(self, fd):
        self.fd, self.pending = fd, bytearray()

    def more(self):
        piece = os.read(self.fd, 1 << 20)
        if not piece:
            raise Ended
        self.pending += piece

    def take(self, count):
        taken = bytes(memoryview(self.pending)[:count])
        del self.pending[:count]
        return taken

    def read(self):
        """Returns (head, body) of the next message."""
        while (end := self.pending.find(b"\n")) < 0:
            self.more()
        head = json.loads(self.take(end + 1))
        while len(self.pending) < head.get("bytes", 0):
            self.more()
        return head, self.take(head.get("bytes", 0))


def write(head, body=b""):
    head["bytes"] = len(body)
    for data in (json.dumps(head).encode() + b"\n", body):
        data = memoryview(data)
        while data:
            data = data[os.write(1, data):]


class Reading:
    """Collects the bytes that a child has sent so far."""

    def __init__(self, most):
        self.most = most
        self.data, self.confined, self.notes, self.note, self.questions = bytearray(), False, 0, None, 0
        self.why = None  # why reading ended early: "timeout" (where sleep can't be seen), "idle", "too_large"
        self.asleep = 0.0  # seconds

    def parts(self):
        """Reads what has arrived. Removes the confirmation and notes from the front, and returns a question when it is complete."""
        if not self.confined:
            if not self.data.startswith(CONFINED):
                return None
            self.confined = True
            del self.data[:1]
        while self.data[:1] and self.data[0] in NOTE:
            end = self.data.find(b"\n", 0, MAX_NOTE)
            number = self.data[1:end] if end > 0 else b""
            if end < 0 and len(self.data) < MAX_NOTE:
                return None
            self.notes += 1
            if not (number.isdigit() and self.notes <= MAX_NOTES):
                self.why = "too_large"
                return None
            self.note = chr(self.data[0]), int(number)
            del self.data[:end + 1]
        if self.data[:1] == QUESTION and self.data.endswith(b"\n"):
            question = bytes(self.data[1:])
            self.data.clear()
            self.questions += 1
            return question
        return None


class Service:
    """`run(question, answer, limits)` is the code of a child (zygote.py). `interpret(reading, status, seconds, limits)` returns the
    members of the head for a child that gave no answer. `too_many` is the answer when a child asks too many questions."""

    def __init__(self, load, run, interpret, limits, prepare=lambda kind: None, max_answer=32 << 20, max_question=1 << 20,
                 max_questions=0, too_many=b""):
        self.zygote = zygote.Zygote(load, run, prepare)
        jail.keep_to_itself()
        self.interpret, self.default_limits = interpret, limits
        self.max_answer, self.max_question, self.max_questions = max_answer, max_question, max_questions
        self.too_many = too_many
        self.input, self.standby, self.ended = Pipe(0), None, None

    def go_on(self):
        """Announces whether the service is ready, and answers requests until its input ends."""
        write({"ready": not self.zygote.problem, "message": self.zygote.problem})
        if self.zygote.problem:
            return
        try:
            while True:
                head, body = self.input.read()
                limits = self.limits(head)
                answer, data = self.serve(head, body, limits)
                write({**answer, "id": head["id"]}, data)
                self.prepare(limits, head.get("kind", 0))
        except (Ended, zygote.Gone):
            pass

    def limits(self, head):
        given = {name: value for name, value in (head.get("limits") or {}).items() if value}
        return {"asleep_seconds": IDLE_SECONDS, **self.default_limits, **given}

    def prepare(self, limits, kind=0):
        """Forks the next child, and ends the one that has answered, while the last answer is examined elsewhere."""
        if self.ended is not None:
            self.ended.end()
            self.ended = None
        if self.standby is None:
            self.standby = self.zygote.fork(limits, kind)

    def child(self, limits, kind):
        child, self.standby = self.standby, None
        used = ("seconds", "memory_bytes", "file_bytes")
        if child is not None and any(child.limits[name] != limits[name] for name in used):
            child.end()
            child = None
        if kind not in self.zygote.prepared and child is not None:
            child.end()
            child = None
        return child or self.zygote.fork(limits, kind)

    def serve(self, head, body, limits):
        """Returns the members of the answer's head, and its body."""
        child = self.child(limits, head.get("kind", 0))
        before = child.cpu_seconds()
        child.tell(body.rstrip(b"\n") + b"\n")
        reading = Reading(self.max_answer)
        self.read(child, reading, limits, head["id"])
        seconds = child.cpu_seconds() + child.seconds_of_children() - before
        if reading.why is None and reading.data.startswith(b"{") and reading.data.endswith(b"}"):
            self.ended = child  # it is ended later: freeing its memory and namespaces would delay the answer
            child.close()
            return {"cpu_seconds": seconds, "asleep_seconds": reading.asleep, "confined": reading.confined}, bytes(reading.data)
        ended = reading.why is None and child.wait(time.monotonic() + 1)
        status, all_seconds = child.end()
        seconds = max(seconds, all_seconds - before)
        said = self.interpret(reading, status if ended else None, seconds, limits)
        return {"cpu_seconds": seconds, "asleep_seconds": reading.asleep, **said}, b""

    def read(self, child, reading, limits, number):
        """Reads until the child closes its pipe, or there is a reason to stop. A child ends by itself when its CPU time is used up."""
        poller = select.poll()
        poller.register(child.answer, select.POLLIN)
        # When the other end of standard input closes, nobody waits for an answer any more.
        poller.register(self.input.fd, 0)
        idleness = Idleness(child)
        while reading.why is None:
            ready = dict(poller.poll(LOOK_SECONDS * 1000))
            if ready.get(self.input.fd, 0) & (select.POLLHUP | select.POLLERR):
                raise Ended
            reading.asleep = idleness.look()
            if idleness.unseen > BLIND_FACTOR * limits["seconds"]:
                reading.why = "timeout"
            elif reading.asleep > min(IDLE_SECONDS, limits["asleep_seconds"]):
                reading.why = "idle"
            elif child.answer in ready:
                piece = os.read(child.answer, 1 << 20)
                if not piece:
                    return
                reading.data += piece
                self.react(child, reading, number)
                idleness.skip()

    def react(self, child, reading, number):
        question = reading.parts()
        asks = reading.confined and reading.data[:1] == QUESTION
        if len(reading.data) > (self.max_question if asks else reading.most):
            reading.why = "too_large"
        if question is None:
            return
        if reading.questions > 4 * self.max_questions or len(question) > self.max_question:
            reading.why = "too_large"
        elif reading.questions > self.max_questions:
            child.tell(self.too_many + b"\n")
        else:
            write({"id": number, "asks": True}, question)
            _, answer = self.input.read()
            child.tell(answer.rstrip(b"\n") + b"\n")


class Idleness:
    """Measures how long a child and the processes that it started have slept without waiting for an answer. Waiting for a core or a disk
    doesn't count, so that a busy machine fails nobody."""

    def __init__(self, child):
        self.child, self.seconds = child, 0.0
        self.unseen = 0.0  # seconds in which the machine didn't show the child
        self.skip()

    def skip(self):
        """Doesn't count the time since the last call."""
        self.at, (self.computed, _) = time.monotonic(), self.child.activity()

    def look(self):
        """Returns the total seconds of sleep."""
        at, (computed, busy) = time.monotonic(), self.child.activity()
        if computed is None or self.computed is None:
            self.unseen += at - self.at
        elif not busy:
            self.seconds += min(max(0.0, at - self.at - (computed - self.computed)), MOST_AT_ONCE)
        self.at, self.computed = at, computed
        return self.seconds
