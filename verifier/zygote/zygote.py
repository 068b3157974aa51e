"""A process that forks confined children and sees no request.

A service (service.py) answers requests of many candidates, each by a child of its own. If the child were forked from the service,
it would find in its memory what the service had read before: other candidates' sources and answers. So the service starts a second
process, the zygote, before it reads anything. The zygote loads what children need, and forks. Over one socket it receives only
numbers, and the child's ends of two pipes that the service has made. What a child reads and writes never passes through the
zygote.
"""

import contextlib
import ctypes
import fcntl
import os
import select
import signal
import socket
import struct
import time

import jail

# A message to the zygote is a letter and three numbers. `f` forks a child with limits (seconds, memory_bytes,
# file_bytes) and two file descriptors; the answer is the child's pid. `e` ends the child of this pid; the
# answer is its status and CPU microseconds, as from wait4. `p` prepares for a kind of request; the answer is
# 0. The zygote's first message says what keeps it from working, or is empty.
MESSAGE = struct.Struct("<cqqq")
ANSWER = struct.Struct("<qq")
MAX_PROBLEM = 4096
MAX_PAUSE = 5.0  # seconds that a child may pause while reading
HUGE = 2 << 20  # bytes of a huge page
MADV_COLLAPSE = 25
FORKS_BEFORE_HUGE = 3  # huge pages pay for themselves from this child on; a process that is started for one candidate has fewer


class Gone(Exception):
    """The zygote has ended. The service must end, too, so that the process that started it starts it again."""


def stat(path):
    """Returns the fields of a /proc/…/stat behind the process's name, which may contain any byte."""
    with open(path, "rb") as file:
        return file.read().rpartition(b") ")[2].split()


class Zygote:
    """The service's end of the zygote. `load()` runs once in the zygote, and returns what is wrong, or "". `run(question, answer,
    limits)` is all that a child executes; it gets the numbers of its two descriptors. `prepare(kind)`, where kind is an integer, is
    called in the zygote before the first child that needs it."""

    def __init__(self, load, run, prepare=lambda kind: None):
        self.socket, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        parent = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            self.socket.close()
            serve(there, parent, load, run, prepare)
        there.close()
        self.prepared = set()
        self.problem = self.receive(MAX_PROBLEM).decode(errors="replace")

    def receive(self, size):
        data = self.socket.recv(size)
        if not data:
            raise Gone("the process that forks candidates has ended")
        return data[:-1] if size == MAX_PROBLEM else data

    def ask(self, letter, *numbers, descriptors=()):
        """Reads the two numbers of the zygote's answer."""
        message = MESSAGE.pack(letter, *numbers, *[0] * (3 - len(numbers)))
        try:
            socket.send_fds(self.socket, [message], list(descriptors))
        except OSError:
            raise Gone("the process that forks candidates has ended") from None
        return ANSWER.unpack(self.receive(ANSWER.size))

    def fork(self, limits, kind=0):
        if kind not in self.prepared:
            self.ask(b"p", kind)
            self.prepared.add(kind)
        return Child(self, limits)


class Child:
    """A confined process that waits for one request."""

    def __init__(self, zygote, limits):
        self.zygote, self.limits = zygote, limits
        question, self.question = os.pipe2(os.O_CLOEXEC)
        self.answer, answer = os.pipe2(os.O_CLOEXEC)
        try:
            self.pid, _ = zygote.ask(b"f", *(int(limits[name]) for name in ("seconds", "memory_bytes", "file_bytes")),
                                     descriptors=(question, answer))
        finally:
            os.close(question)
            os.close(answer)
        if self.pid < 0:
            raise Gone(f"no process for a candidate: {os.strerror(-self.pid)}")
        os.set_blocking(self.question, False)

    def tell(self, data):
        """Writes to the child until it pauses reading for too long; the reason for that shows in its answer."""
        data, poller = memoryview(data), select.poll()
        poller.register(self.question, select.POLLOUT)
        try:
            while data and poller.poll(MAX_PAUSE * 1000):
                data = data[os.write(self.question, data):]
        except (BrokenPipeError, BlockingIOError):
            pass

    def close(self):
        for fd in (self.question, self.answer):
            if fd is not None:
                os.close(fd)
        self.question = self.answer = None

    def cpu_seconds(self):
        """Returns the CPU seconds that the child has used; 0 once it is gone."""
        try:
            return time.clock_gettime((~self.pid << 3) | 2)  # another process's CPU clock (as clock_getcpuclockid)
        except OSError:
            return 0.0

    def seconds_of_children(self):
        """Returns the CPU seconds of the processes that the child has waited for; 0 once the child is gone."""
        try:
            user, system = stat(f"/proc/{self.pid}/stat")[13:15]
            return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError):
            return 0.0

    def activity(self):
        """Returns the CPU seconds of the child and the processes that it started, and whether one of their threads
        computes or waits for a core or a disk. Returns (None, False) if the machine doesn't say."""
        try:
            parents = {}
            for name in os.listdir("/proc"):
                if name.isdigit():
                    with contextlib.suppress(OSError, ValueError):
                        parents[int(name)] = int(stat(f"/proc/{name}/stat")[1])
            family, seconds, busy = [self.pid], 0.0, False
            for pid in family:
                family += [one for one, parent in parents.items() if parent == pid]
                seconds += sum(int(one) for one in stat(f"/proc/{pid}/stat")[11:15]) / os.sysconf("SC_CLK_TCK")
                for thread in os.listdir(f"/proc/{pid}/task"):
                    with contextlib.suppress(OSError):
                        busy = busy or stat(f"/proc/{pid}/task/{thread}/stat")[0] in (b"R", b"D")
            return seconds, busy
        except (OSError, ValueError, IndexError):
            return None, False

    def wait(self, deadline):
        """Waits until the child has ended, for whatever reason, and returns True. Returns False at the deadline."""
        try:
            fd = os.pidfd_open(self.pid)
        except OSError:
            return True
        try:
            poller = select.poll()
            poller.register(fd, select.POLLIN)
            return bool(poller.poll(max(0, deadline - time.monotonic()) * 1000))
        finally:
            os.close(fd)

    def end(self):
        """Kills the child and all processes that it started, unless it has ended. Returns its status in the form of
        wait, and its CPU seconds."""
        self.close()
        status, microseconds = self.zygote.ask(b"e", self.pid)
        return status, microseconds / 1e6


def strange_threads():
    """Returns a message that names this process's threads besides the main one; "" if it has none. A process that has
    used threads can't be forked safely. The idle event thread of a CUDA driver is harmless and isn't named."""
    names = []
    for task in os.listdir("/proc/self/task"):
        with open(f"/proc/self/task/{task}/comm") as file:
            name = file.read().strip()
        if int(task) != os.getpid() and not name.startswith("cuda"):
            names.append(name)
    return "unexpected threads: " + ", ".join(names) if names else ""


def use_huge_pages():
    """Puts this process's own memory into huge pages, where the kernel has them (Linux 6.1). A fork then copies a few hundred entries of
    page tables instead of a hundred thousand, and the child's end frees as few. A child that writes to a huge page copies 4 KiB of it."""
    with open("/proc/self/maps") as file:
        areas = [line.split() for line in file]
    for where, rights, *_, inode in (area[:5] for area in areas):
        begin, end = (int(address, 16) for address in where.split("-"))
        if rights == "rw-p" and inode == "0":
            for page in range(-(-begin // HUGE) * HUGE, end - HUGE + 1, HUGE):
                # The call fails for memory that was never touched, and if the kernel finds no huge
                # page. Small pages will do as well.
                jail.libc.madvise(ctypes.c_void_p(page), ctypes.c_size_t(HUGE), MADV_COLLAPSE)


def serve(control, parent, load, run, prepare):
    """The main loop of the zygote. It ends with the service."""
    jail.die_with(parent)
    null = os.open("/dev/null", os.O_RDWR)
    os.dup2(null, 0)  # the service's requests arrive on its standard input, which is not the zygote's
    os.dup2(null, 1)
    os.close(null)
    try:
        problem = load()
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
    control.send(problem.encode(errors="replace")[:MAX_PROBLEM - 1] + b"\n")
    forks = 0
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, MESSAGE.size, 2)
        if len(message) != MESSAGE.size:
            os._exit(0)
        letter, *numbers = MESSAGE.unpack(message)
        if letter == b"f":
            answer = fork(control, descriptors, numbers, run), 0
            forks += 1
        elif letter == b"e":
            answer = end(numbers[0])
        else:
            prepare(numbers[0])
            answer, forks = (0, 0), 0
        control.send(ANSWER.pack(*answer))
        if letter == b"f" and forks == FORKS_BEFORE_HUGE:  # while the child works
            use_huge_pages()


def fork(control, descriptors, numbers, run):
    """Forks a child. Returns its pid, or a negative error number."""
    try:
        pid = jail.fork()
    except OSError as error:
        pid = -(error.errno or 1)
    if pid == 0:
        try:
            control.close()
            run(*descriptors, dict(zip(("seconds", "memory_bytes", "file_bytes"), numbers)))
        finally:
            os._exit(70)
    for fd in descriptors:
        os.close(fd)
    return pid


def arrange(question, result):
    """Runs in the child: answers go to descriptor 3, requests come on 4, prints are discarded. No other descriptor is open."""
    # Moves the descriptors to higher numbers, away from the numbers 0 to 4 that are assigned below.
    null = os.open("/dev/null", os.O_RDWR)
    question, result, null = (fcntl.fcntl(fd, fcntl.F_DUPFD, 8) for fd in (question, result, null))
    for fd, of in ((0, null), (1, null), (2, null), (3, result), (4, question)):
        os.dup2(of, fd)
    os.closerange(5, 256)


def end(pid):
    """Kills the child and everything that it started. Returns its status and CPU microseconds."""
    try:
        os.kill(pid, signal.SIGKILL) if jail.isolated else os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        os.kill(pid, signal.SIGKILL)
    _, status, usage = os.wait4(pid, 0)
    return status, int((usage.ru_utime + usage.ru_stime) * 1e6)
