"""Runs functions that execute hostile code, each in a process of its own that can harm nobody.

A server process imports what the functions need, which takes seconds, and forks for each request, which takes milliseconds. The fork has a PID
namespace of its own, in which everything is killed when the function is done or late; its files are read-only but for a small folder of its own; it has no
network, no capabilities and limits. The GPU it sees as ever. A machine that allows no user namespaces can run the functions without all this.
"""

import ctypes
import json
import os
import pathlib
import resource
import select
import shutil
import signal
import socket
import struct
import sys
import tempfile
import threading
import time
import traceback

NEWNS, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x20000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
MS_REC, MS_PRIVATE = 0x4000, 0x40000
PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 24, 38
MOUNT_SETATTR, AT_RECURSIVE, READ_ONLY = 442, 0x8000, 1
RESULT = 777  # the descriptor of results, which no candidate guesses
MEMORY = 24 << 30  # bytes of resident memory that one function's processes may have
FILES = 256 << 20  # bytes of its folder, and of a file

libc = ctypes.CDLL(None, use_errno=True)


def call(function, *arguments):
    if function(*arguments) != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{function.__name__}: {os.strerror(code)}")


def text(value):
    return None if value is None else ctypes.c_char_p(value.encode())


def mount(source, target, kind, flags=0, options=None):
    call(libc.mount, text(source), text(target), text(kind), ctypes.c_ulong(flags), text(options))


def own_namespaces():
    """Makes the calling process, which must have one thread, root of a user namespace without network."""
    user, group = os.geteuid(), os.getegid()
    call(libc.unshare, NEWUSER | NEWNS | NEWNET | NEWIPC)
    pathlib.Path("/proc/self/setgroups").write_text("deny")
    pathlib.Path("/proc/self/uid_map").write_text(f"0 {user} 1\n")
    pathlib.Path("/proc/self/gid_map").write_text(f"0 {group} 1\n")


def read_only_but(folder):
    """Makes all mounts read-only in a mount namespace of its own; `folder` is an empty one in memory."""
    call(libc.unshare, NEWNS)
    mount(None, "/", None, MS_REC | MS_PRIVATE)
    attributes = ctypes.create_string_buffer(struct.pack("QQQQ", READ_ONLY, 0, 0, 0), 32)
    if libc.syscall(ctypes.c_long(MOUNT_SETATTR), ctypes.c_int(-100), text("/"), ctypes.c_uint(AT_RECURSIVE), attributes, ctypes.c_size_t(32)) != 0:
        raise OSError(ctypes.get_errno(), "mount_setattr: " + os.strerror(ctypes.get_errno()))
    mount("tmpfs", folder, "tmpfs", 0, f"size={FILES}")
    for target, kind, options in (("/dev/shm", "tmpfs", f"size={FILES}"), ("/proc", "proc", None)):
        try:
            mount(target, target, kind, 0, options)
        except OSError:
            pass  # where /proc is partly covered, the old one stays


def drop_capabilities():
    for capability in range(64):
        libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    header, nothing = struct.pack("Ii", 0x20080522, 0), bytes(24)
    call(libc.capset, ctypes.create_string_buffer(header, 8), ctypes.create_string_buffer(nothing, 24))


def limit(seconds):
    for what, most in ((resource.RLIMIT_FSIZE, FILES), (resource.RLIMIT_CORE, 0), (resource.RLIMIT_NPROC, 4096), (resource.RLIMIT_CPU, int(4 * seconds))):
        hard = resource.getrlimit(what)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (most, most))


def settle(folder, warm):
    """Makes `folder` the home and the current folder. Triton's cache begins with what `warm` has."""
    for name in ("home", "tmp", "cwd"):
        os.makedirs(f"{folder}/{name}", exist_ok=True)
    os.environ.update(HOME=f"{folder}/home", TMPDIR=f"{folder}/tmp", TRITON_CACHE_DIR=f"{folder}/triton", TORCHINDUCTOR_CACHE_DIR=f"{folder}/inductor",
                      TORCH_EXTENSIONS_DIR=f"{folder}/extensions", OMP_NUM_THREADS="1", MAX_JOBS="2")
    tempfile.tempdir = None
    if warm and os.path.isdir(warm):
        shutil.copytree(warm, f"{folder}/triton", dirs_exist_ok=True)
    os.chdir(f"{folder}/cwd")


def function_process(function, request, folder, options, token, log):
    """Calls the function and writes its result behind the token."""
    os.setsid()
    nothing = os.open("/dev/null", os.O_RDONLY)
    os.dup2(nothing, 0), os.dup2(log, 1), os.dup2(log, 2)
    limit(options["seconds"])
    if options["caged"]:
        drop_capabilities()
    settle(folder, options["warm"])
    os.closerange(3, RESULT)
    try:
        result = function(request)
    except BaseException as error:
        result = {"raised": f"{type(error).__name__}: {error}"[:300]}
        traceback.print_exc()
    os.write(RESULT, f"{token} {json.dumps(result)}\n".encode())
    os._exit(0)


def minder_process(function, request, folder, options, token):
    """The first process of the PID namespace: when it ends, the kernel ends all others. It says how the function's process ended."""
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    log = os.open(folder + ".log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    if options["caged"]:
        try:
            read_only_but(folder)
        except OSError as error:
            os.write(RESULT, f"{token} {json.dumps({'uncaged': str(error)})}\n".encode())
            os._exit(0)
    child = os.fork()
    if child == 0:
        function_process(function, request, folder, options, token, log)
    signal.signal(signal.SIGTERM, lambda *_: end_group(child) or os._exit(0))
    while True:
        ended, status = os.wait()
        if ended == child:
            end_group(child)
            how = f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"exit status {os.WEXITSTATUS(status)}"
            os.write(RESULT, f"{token} {json.dumps({'ended': how})}\n".encode())
            os._exit(0)


def end_group(leader):
    """Kills a process group. In a PID namespace this is only sooner than the kernel would."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except OSError:
        pass


def resident_bytes(root):
    """The resident memory of a process and its descendants."""
    parents, pages = {}, {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", "rb") as stat:
                    fields = stat.read().rsplit(b")", 1)[1].split()
            except OSError:
                continue
            parents[int(entry)], pages[int(entry)] = int(fields[1]), int(fields[21])
    total = 0
    for process in pages:
        at = process
        while at not in (0, root):
            at = parents.get(at, 0)
        total += pages[process] * 4096 if at == root else 0
    return total


def carry_out(function, request, folder, options):
    """What became of function(request): its result, or {"state": ended | hung | uncaged, "why"}. The request may say its own "seconds"."""
    os.makedirs(folder, exist_ok=True)
    options = {**options, "seconds": request.get("seconds", options["seconds"])}
    token, began = os.urandom(12).hex(), time.monotonic()
    reading, writing = os.pipe()
    if options["caged"]:
        call(libc.unshare, NEWPID)
    minder = os.fork()
    if minder == 0:
        os.close(reading)
        os.dup2(writing, RESULT)
        minder_process(function, request, folder, options, token)
    os.close(writing)
    said, late, data = [], None, b""
    while not late and not any("ended" in one or "uncaged" in one for one in said):
        if select.select([reading], [], [], 0.25)[0]:
            piece = os.read(reading, 1 << 16)
            if not piece:
                break
            data += piece
            *lines, data = data.split(b"\n")
            said += [json.loads(line[len(token):]) for line in lines if line.startswith(token.encode() + b" ")]
        elif time.monotonic() - began > options["seconds"]:
            late = {"state": "hung", "why": f"after {options['seconds']:.0f} s"}
        elif resident_bytes(minder) > MEMORY:
            late = {"state": "ended", "why": "too much memory"}
    os.kill(minder, signal.SIGKILL if options["caged"] else signal.SIGTERM)
    os.waitpid(minder, 0)
    results = [one for one in said if "ended" not in one]
    if results and "uncaged" in results[0]:
        result = {"state": "uncaged", "why": results[0]["uncaged"]}
    elif results:
        result = results[0]
    else:
        result = late or {"state": "ended", "why": next((one["ended"] for one in said if "ended" in one), "its namespace ended")}
    try:
        result["log"] = pathlib.Path(folder + ".log").read_bytes()[-600:].decode(errors="replace")
        os.remove(folder + ".log")
    except OSError:
        pass
    shutil.rmtree(folder, ignore_errors=True)
    return {**result, "seconds": round(time.monotonic() - began, 2)}


def serve(prepare, channel, options):
    """The server process: prepare() gives the function, or raises with the reason. Requests are files' paths, and replies lines of JSON with the path."""
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    try:
        if options["caged"]:
            own_namespaces()
        function = prepare()
    except BaseException as error:
        traceback.print_exc()
        channel.send(json.dumps({"failed": f"{type(error).__name__}: {error}"[:500]}).encode())
        return
    channel.send(json.dumps({"ready": True}).encode())
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while message := channel.recv(1 << 16):
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            path = message.decode()
            try:
                result = carry_out(function, json.loads(pathlib.Path(path).read_text()), path + ".d", options)
            except Exception as error:
                result = {"state": "uncaged", "why": f"{type(error).__name__}: {error}"}
            os.remove(path)
            channel.send(json.dumps({"path": path, "result": result}).encode())
            os._exit(0)


class Server:
    """A server process, from outside. `ask` may be called from several threads."""

    def __init__(self, start, scratch, name, seconds):
        self.scratch, self.name, self.seconds, self.count = scratch, name, seconds, 0
        self.waiting, self.lock, self.dead = {}, threading.Lock(), None
        self.channel, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.process = start(other)
        other.close()

    def wait_until_ready(self):
        """Why the server can't be asked, or None."""
        message = self.channel.recv(1 << 16)
        said = json.loads(message) if message else {"failed": "its process ended while it was prepared"}
        if "ready" in said:
            threading.Thread(target=self.receive, daemon=True).start()
        return said.get("failed")

    def receive(self):
        while message := self.channel.recv(1 << 16):
            said = json.loads(message)
            with self.lock:
                event, place = self.waiting.pop(said["path"], (None, None))
            if event:
                place.append(said["result"])
                event.set()
        self.dead = "its server process ended"
        with self.lock:
            for event, _ in self.waiting.values():
                event.set()

    def ask(self, request):
        event, place = threading.Event(), []
        with self.lock:
            self.count += 1
            path = f"{self.scratch}/{self.name}{self.count}"
            self.waiting[path] = (event, place)
        pathlib.Path(path).write_text(json.dumps(request))
        if not self.dead:
            try:
                self.channel.send(path.encode())
                event.wait(self.seconds + 30)
            except OSError:
                self.dead = "its server process ended"
        return place[0] if place else {"state": "uncaged", "why": self.dead or "its keeper ended"}

    def close(self):
        self.channel.close()
        self.process.kill()
        self.process.wait()


if __name__ == "__main__":
    sys.exit("this is a module of peers.py")
