"""Attempts to get out: escapes.py PLACE ATTACK [ARGUMENT…], run within trl-sandbox by escape_tests.cpp.

PLACE is `command` (what trl-sandbox starts, as the compiler is) or `candidate` (what the recorder forks, confined by its
own code). Prints `held: WHAT STOPPED IT`, or `ESCAPED: what was reached`.
"""

import ctypes
import errno
import fcntl
import json
import mmap
import os
import platform
import resource
import signal
import sys
import types

libc = ctypes.CDLL(None, use_errno=True)
X86 = platform.machine() == "x86_64"


class Escaped(Exception):
    pass


def number(x86, aarch64):
    return x86 if X86 else aarch64


def call(name, *arguments):
    """A raw system call by (x86-64, aarch64) numbers: its result, or OSError."""
    ctypes.set_errno(0)
    result = libc.syscall(number(*name), *(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments))
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def refused(attempts, allowed=()):
    """Runs all; each must raise OSError (or one of its kind). Returns what they were refused with."""
    reasons = []
    for what, attempt in attempts:
        try:
            got = attempt()
        except (OSError, MemoryError, ValueError) as error:
            reasons.append(errno.errorcode.get(getattr(error, "errno", 0), type(error).__name__))
            continue
        if got not in allowed:
            raise Escaped(f"{what}: {str(got)[:200]}")
        reasons.append("nothing there")
    return " ".join(sorted(set(reasons)))


def read(path):
    return lambda: open(path, "rb").read(64)


def user_files(secret):
    paths = [secret, "/etc/shadow", "/root/.ssh/id_rsa", "/root/.bashrc", "/proc/1/root" + secret,
             "/proc/self/root" + secret, "/proc/self/cwd/.." + secret, "/.." + secret, "/old" + secret]

    def walk():
        # Upwards by descriptors, which a careless chroot lets through.
        fd = os.open("/", os.O_RDONLY)
        for _ in range(20):
            fd = os.open("..", os.O_RDONLY, dir_fd=fd)
        return open(os.open(secret.lstrip("/"), os.O_RDONLY, dir_fd=fd), "rb").read(64)

    handle = ctypes.create_string_buffer(b"\x08\0\0\0\x01\0\0\0" + b"\x02" * 8, 64)
    by_handle = lambda: call((304, 265), os.open("/", os.O_RDONLY), handle, 0)  # noqa: E731
    folders = [(path, lambda path=path: os.listdir(path)) for path in ("/home", "/root", "/var", os.path.dirname(secret))]
    return refused([(path, read(path)) for path in paths] + folders + [("..", walk), ("open_by_handle_at", by_handle)])


def environment(needle):
    texts = [json.dumps(dict(os.environ)).encode()]
    for pid in ("self", "1", str(os.getppid())):
        try:
            texts.append(open(f"/proc/{pid}/environ", "rb").read())
        except OSError:
            pass
    if any(needle.encode() in text for text in texts):
        raise Escaped("the environment holds it")
    return "a new environment"


def write_outside(folder):
    def write(path):
        return lambda: os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)) or "written"

    own = os.environ["TMPDIR"]
    attempts = [(folder, write(folder + "/new"))]
    for place in ("/", "/usr", "/usr/bin", "/etc", "/dev", "/proc", "/proc/sys/kernel", "/lib", "/var", "/home", "/run"):
        attempts += [(place, write(place + "/new")), (place, lambda place=place: os.mkdir(place + "/folder") or "made")]
    attempts += [
        ("rename", lambda: os.rename("/usr/bin/env", "/usr/bin/env2") or "renamed"),
        ("unlink", lambda: os.unlink(folder + "/secret.txt") or "removed"),
        ("chmod", lambda: os.chmod(folder + "/secret.txt", 0o777) or "changed"),
        ("link", lambda: os.link(folder + "/secret.txt", own + "/linked") or "linked"),
        ("core_pattern", lambda: open("/proc/sys/kernel/core_pattern", "w").write("|/x") and "written"),
        ("device", lambda: os.mknod(own + "/mem", 0o20600, os.makedev(1, 1)) or "made"),
    ]
    return refused(attempts)


def network(port, name):
    import socket

    def connect(family, address):
        def attempt():
            with socket.socket(family, socket.SOCK_STREAM) as one:
                one.connect(address)
                return "connected"
        return attempt

    attempts = [("inet", connect(socket.AF_INET, ("127.0.0.1", int(port)))),
                ("inet6", connect(socket.AF_INET6, ("::1", int(port)))),
                ("abstract", connect(socket.AF_UNIX, "\0" + name)),
                ("pair", lambda: socket.socketpair() and "made")]
    for family in (16, 17, 38, 40):  # netlink, packet, alg, vsock
        attempts.append((str(family), lambda family=family: socket.socket(family, socket.SOCK_RAW) and "made"))
    return refused(attempts)


def other_processes(outside):
    """The memory of our parent, of the first process we see, and of one outside."""
    attempts = []
    for pid in (os.getppid(), int(outside), 1):
        if pid in (0, os.getpid()):
            continue
        buffer = ctypes.create_string_buffer(64)
        local = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 64)
        remote = (ctypes.c_void_p * 2)(0x400000, 64)
        attempts += [
            ("ptrace attach", lambda pid=pid: call((101, 117), 16, pid, 0, 0)),
            ("ptrace seize", lambda pid=pid: call((101, 117), 0x4206, pid, 0, 0)),
            ("process_vm_readv", lambda pid=pid: call((310, 270), pid, local, 1, remote, 1, 0)),
            ("process_vm_writev", lambda pid=pid: call((311, 271), pid, local, 1, remote, 1, 0)),
            ("kcmp", lambda pid=pid: call((312, 272), os.getpid(), pid, 0, 0, 0)),
            ("mem", lambda pid=pid: open(f"/proc/{pid}/mem", "rb") and "opened"),
            ("maps", read(f"/proc/{pid}/maps")),
            ("descriptors", lambda pid=pid: os.listdir(f"/proc/{pid}/fd")),
        ]
    return refused(attempts)


def own_memory():
    """/proc/self/mem reaches nothing that the process can't reach: its own pages, never another's."""
    seen = [name for name in os.listdir("/proc") if name.isdigit()]
    if set(seen) - {str(os.getpid())}:
        raise Escaped("sees the processes " + " ".join(seen))
    return "its own pid namespace"


def signals(outside):
    outside = int(outside)
    attempts = [("kill", lambda: os.kill(outside, 0) or "sent"), ("killpg", lambda: os.killpg(outside, 0) or "sent"),
                ("tgkill", lambda: call((234, 131), outside, outside, 0)),
                ("pidfd", lambda: call((434, 434), outside, 0)),
                ("sigqueue", lambda: call((129, 138), outside, signal.SIGTERM, ctypes.create_string_buffer(128)))]
    if os.getpid() == 1:
        # Everyone whom we may signal: nobody.
        attempts.append(("kill -1", lambda: os.kill(-1, signal.SIGTERM) or "sent"))
    return refused(attempts)


def mounts():
    own = os.environ["TMPDIR"].encode()
    return refused([
        ("tmpfs", lambda: call((165, 40), b"tmpfs", own, b"tmpfs", 0, None)),
        ("bind", lambda: call((165, 40), b"/", own, None, 4096, None)),
        ("remount", lambda: call((165, 40), None, b"/", None, 32 | 4096, None)),
        ("proc", lambda: call((165, 40), b"proc", own, b"proc", 0, None)),
        ("umount", lambda: call((166, 39), b"/proc", 2)),
        ("umount /tmp", lambda: call((166, 39), own, 2)),
        ("fsopen", lambda: call((430, 430), b"tmpfs", 0)),
        ("open_tree", lambda: call((428, 428), -100, b"/", 1)),
        ("mount_setattr", lambda: call((442, 442), -100, b"/", 0, ctypes.create_string_buffer(32), 32)),
        ("pivot_root", lambda: call((155, 41), own, own)),
        ("chroot", lambda: os.chroot(os.environ["TMPDIR"]) or "changed"),
    ])


def namespaces():
    attempts = [(f"unshare {flag:#x}", lambda flag=flag: call((272, 97), flag))
                for flag in (0x10000000, 0x20000000, 0x40000000, 0x20000, 0x8000000, 0x4000000, 0x2000000, 0x80)]

    def clone(flag):
        pid = call((56, 220), flag | signal.SIGCHLD, None, None, None, None)
        if pid == 0:
            os._exit(0)
        os.waitpid(pid, 0)
        return "made"

    attempts += [(f"clone {flag:#x}", lambda flag=flag: clone(flag)) for flag in (0x10000000, 0x20000000, 0x20000)]
    arguments = ctypes.create_string_buffer((0x10000000).to_bytes(8, "little"), 88)
    attempts.append(("clone3", lambda: call((435, 435), arguments, 88)))
    for kind in ("user", "pid", "mnt", "net"):
        attempts.append((f"setns {kind}", lambda kind=kind: call((308, 268), os.open(f"/proc/self/ns/{kind}", os.O_RDONLY), 0)))
    return refused(attempts)


def memfd_exec():
    def attempt():
        fd = call((319, 279), b"x", 0)
        os.write(fd, open("/usr/bin/true", "rb").read())
        call((322, 281), fd, b"", (ctypes.c_char_p * 2)(b"x", None), (ctypes.c_char_p * 1)(None), 0x1000)

    def written():
        path = os.environ["TMPDIR"] + "/program"
        with open(path, "wb") as file:
            file.write(open("/usr/bin/true", "rb").read())
        os.chmod(path, 0o755)
        os.execv(path, [path])

    attempts = [("a file of its own", written)]
    if place == "candidate":
        attempts += [("memfd", attempt), ("execve", lambda: os.execv("/usr/bin/true", ["true"]))]
    return refused(attempts)


def kernel_calls():
    """Calls that have opened kernels before, with arguments that would do where they are allowed."""
    page = ctypes.create_string_buffer(4096)
    return refused([
        ("keyctl", lambda: call((250, 219), 0, -3, 1)),
        ("add_key", lambda: call((248, 217), b"user", b"x", b"y", 1, -3)),
        ("request_key", lambda: call((249, 218), b"user", b"x", None, 0)),
        ("bpf", lambda: call((321, 280), 0, page, 120)),
        ("perf_event_open", lambda: call((298, 241), page, 0, -1, -1, 0)),
        ("io_uring_setup", lambda: call((425, 425), 1, page)),
        ("io_uring_enter", lambda: call((426, 426), 0, 0, 0, 0, 0, 0)),
        ("userfaultfd", lambda: call((323, 282), 1)),
        ("personality", lambda: call((135, 92), 0x0040000)),
        ("add module", lambda: call((175, 105), page, 16, b"")),
        ("kexec_load", lambda: call((246, 104), 0, 0, 0, 0)),
        ("syslog", lambda: call((103, 116), 3, page, 16)),
        ("pidfd_getfd", lambda: call((438, 438), 0, 0, 0)),
        ("memfd_secret", lambda: call((447, 447), 0)),
        ("reboot", lambda: call((169, 142), 0xFEE1DEAD, 0x28121969, 0, None)),
        ("clock_settime", lambda: call((227, 112), 0, page)),
    ] + ([("modify_ldt", lambda: call((154, 0), 0, page, 16)), ("iopl", lambda: call((172, 0), 3)),
          # The same calls under the numbers of another architecture's table.
          ("x32 socket", lambda: call((0x40000000 | 41, 0), 2, 1, 0))] if X86 else []))


def terminal():
    """Letters typed into the terminal of whoever started us: descriptor 0 is one."""
    import fcntl

    attempts = [("TIOCSTI", lambda: fcntl.ioctl(0, 0x5412, b"x") or "typed"),
                ("TIOCSTI, upper half set", lambda: call((16, 29), 0, 0x100005412, b"x")),
                ("TIOCLINUX", lambda: fcntl.ioctl(0, 0x541C, b"\x03") or "done"),
                ("/dev/tty", lambda: os.open("/dev/tty", os.O_RDWR))]
    return refused(attempts)


def fork_bomb():
    if place == "command" and os.environ.get("TRL_ROOT") == "1":
        return "not tried: the kernel counts no processes of root"
    children = []
    try:
        for _ in range(2000):
            reader, writer = os.pipe()
            os.close(reader)
            os.close(writer)
            pid = os.fork()
            if pid == 0:
                signal.pause()
            children.append(pid)
        raise Escaped(f"{len(children)} processes")
    except OSError as error:
        return f"{errno.errorcode[error.errno]} after {'none' if not children else 'some'}"
    finally:
        for pid in children:
            os.kill(pid, signal.SIGKILL)


def threads():
    import threading

    if place == "command":
        return "not tried: the compiler's own threads count against --processes"
    try:
        threading.Thread(target=lambda: None).start()
    except RuntimeError:
        return "EAGAIN"
    raise Escaped("a thread")


def full_disk(most):
    folder, total, files = os.environ["TMPDIR"], 0, 0
    block = b"x" * 65536
    try:
        for files in range(100000):
            with open(f"{folder}/{files}", "wb", buffering=0) as file:
                for _ in range(16):
                    total += file.write(block)
    except OSError as error:
        reason = errno.errorcode[error.errno]
    if total > int(most):
        raise Escaped(f"{total} bytes")
    for name in os.listdir(folder):
        os.unlink(f"{folder}/{name}")
    try:
        for files in range(100000):
            os.close(os.open(f"{folder}/empty{files}", os.O_CREAT | os.O_WRONLY))
        raise Escaped("100000 files")
    except OSError as error:
        return f"{reason} for bytes, {errno.errorcode[error.errno]} for files"


def full_memory(most):
    total, kept = 0, []
    try:
        while total < 4 * int(most):
            kept.append(mmap.mmap(-1, 16 << 20))
            total += 16 << 20
    except (OSError, MemoryError):
        pass
    got = total
    kept.clear()
    if got > int(most):
        raise Escaped(f"{got} bytes")
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    try:
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    except (OSError, ValueError):
        return "RLIMIT_AS, which can't be raised again"
    raise Escaped("raises its own limit")


def descriptors():
    most = 2 if place == "command" else 4  # where a candidate's answer goes, and where its questions are answered
    for fd in range(most + 1, 4096):
        try:
            os.fstat(fd)
        except OSError:
            continue
        raise Escaped(f"descriptor {fd}: {os.readlink(f'/proc/self/fd/{fd}')}")
    return "closed before it started"


def rights():
    status = open("/proc/self/status").read()
    for line in ("CapEff:\t0000000000000000", "CapPrm:\t0000000000000000", "CapBnd:\t0000000000000000" if place == "command"
                 else "CapInh:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"):
        if line not in status:
            raise Escaped(f"no {line}")
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    full = (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6)
    return refused([("capset", lambda: libc.capset(header, full) and call((126, 91), header, full)),
                    ("setuid", lambda: os.setuid(0) or "root"), ("setgroups", lambda: os.setgroups([0]) or "set"),
                    ("nice", lambda: os.nice(-5))])


def survive(marker):
    libc.prctl(1, 0, 0, 0, 0)  # no death signal any more
    for one in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(one, signal.SIG_IGN)
    try:
        os.setsid()
    except OSError:
        pass
    os.write(out, b"up\n")
    while True:
        signal.pause()


def attempt(attack, arguments):
    try:
        return "held: " + globals()[attack](*arguments)
    except Escaped as escaped:
        return f"ESCAPED: {escaped}"


def as_candidate(attack, arguments):
    """By the recorder's own code, with the attack in the place of the candidate."""
    import jail
    import recorder

    stub = types.ModuleType("record")
    stub.record = lambda *request: {"ok": True, "said": attempt(attack, arguments)}
    stub.Current = types.SimpleNamespace()
    sys.modules["record"] = stub
    request = {"id": 1, "source": "", "shapes": [], "limits": {"memory_bytes": 512 << 20, "file_bytes": 4 << 20}}
    if attack == "survive":
        reader, writer = os.pipe()
        question, asking = os.pipe()
        os.write(asking, json.dumps(request).encode() + b"\n")
        if jail.fork() == 0:
            # As Child does, out of the way of the numbers that the child gives them.
            question, writer = (fcntl.fcntl(fd, fcntl.F_DUPFD, 8) for fd in (question, writer))
            recorder.run_child({**recorder.DEFAULT_LIMITS, **request["limits"]}, question, writer)
        assert os.read(reader, len(recorder.CONFINED)) == recorder.CONFINED
        print(os.read(reader, 3).decode(), end="", flush=True)
        signal.pause()
    answer = recorder.Server().serve(request)
    # A child that ends by itself has not tried: what it was given did not fit.
    assert "without an answer" not in answer.get("message", ""), "the attack was not tried"
    return answer.get("said") or f"held: {answer['reason']}: {answer['message']}"


place, attack, arguments, out = sys.argv[1], sys.argv[2], sys.argv[3:], 1
if place == "candidate":
    sys.path.insert(0, os.environ["RECORDER"])
    if attack == "survive":
        out = 3
    print(as_candidate(attack, arguments), flush=True)
else:
    print(attempt(attack, arguments), flush=True)
