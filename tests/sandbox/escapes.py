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
import struct
import sys
import types

libc = ctypes.CDLL(None, use_errno=True)
X86 = platform.machine() == "x86_64"


class Escaped(Exception):
    pass


def number(x86, aarch64):
    return x86 if X86 else aarch64


def call(name, *arguments):
    """Makes a raw system call by its (x86-64, aarch64) numbers. Returns its result or raises OSError."""
    ctypes.set_errno(0)
    result = libc.syscall(number(*name), *(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments))
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def refused(attempts, allowed=()):
    """Runs all attempts, each of which must raise OSError (or a subclass). Returns the errors."""
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
        # Goes up by file descriptors, which a careless chroot allows.
        fd = os.open("/", os.O_RDONLY)
        for _ in range(20):
            fd = os.open("..", os.O_RDONLY, dir_fd=fd)
        return open(os.open(secret.lstrip("/"), os.O_RDONLY, dir_fd=fd), "rb").read(64)

    handle = ctypes.create_string_buffer(b"\x08\0\0\0\x01\0\0\0" + b"\x02" * 8, 64)
    by_handle = lambda: call((304, 265), os.open("/", os.O_RDONLY), handle, 0)
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
                ("abstract", connect(socket.AF_UNIX, "\0" + name))]
    if place == "candidate":  # a service has a socket pair to its own processes
        attempts.append(("pair", lambda: socket.socketpair() and "made"))
    for family in (16, 17, 38, 40):  # netlink, packet, alg, vsock
        attempts.append((str(family), lambda family=family: socket.socket(family, socket.SOCK_RAW) and "made"))
    return refused(attempts)


def other_processes(outside):
    """Tries to read the memory of the parent, of the first visible process, and of one outside."""
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
    """/proc/self/mem gives access only to the process's own pages."""
    seen = [name for name in os.listdir("/proc") if name.isdigit()]
    if set(seen) - {str(os.getpid())}:
        raise Escaped("sees the processes " + " ".join(seen))
    return "its own pid namespace" if seen else "no /proc"


def signals(outside):
    outside = int(outside)
    attempts = [("kill", lambda: os.kill(outside, 0) or "sent"), ("killpg", lambda: os.killpg(outside, 0) or "sent"),
                ("tgkill", lambda: call((234, 131), outside, outside, 0)),
                ("pidfd", lambda: call((434, 434), outside, 0)),
                ("sigqueue", lambda: call((129, 138), outside, signal.SIGTERM, ctypes.create_string_buffer(128)))]
    if os.getpid() == 1:
        # Signals all processes that this one may signal: there are none.
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
    """Tries calls that were used in exploits of kernels before, with arguments that work where the calls are allowed."""
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
          # The same calls, by the numbers of another architecture's table.
          ("x32 socket", lambda: call((0x40000000 | 41, 0), 2, 1, 0))] if X86 else []))


def terminal():
    """Tries to type into the terminal of the user; descriptor 0 is a terminal."""
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
            kept.append(mmap.mmap(-1, 16 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
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
    most = 2 if place == "command" else 4  # where a candidate sends its answer, and where its questions are answered
    for fd in range(most + 1, 4096):
        try:
            os.fstat(fd)
        except OSError:
            continue
        raise Escaped(f"descriptor {fd}: {os.readlink(f'/proc/self/fd/{fd}')}")
    return "closed before it started"


def capabilities():
    """The effective, permitted and inheritable capabilities, as numbers."""
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    held = (ctypes.c_uint32 * 6)()
    call((125, 90), header, held)
    return [held[at] | held[at + 3] << 32 for at in range(3)]


def rights():
    if any(capabilities()):
        raise Escaped(f"capabilities {capabilities()}")
    if place == "command":  # a candidate has no /proc
        status = open("/proc/self/status").read()
        for line in ("CapBnd:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"):
            if line not in status:
                raise Escaped(f"no {line}")
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    full = (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6)
    return refused([("capset", lambda: libc.capset(header, full) and call((126, 91), header, full)),
                    ("setuid", lambda: os.setuid(0) or "root"), ("setgroups", lambda: os.setgroups([0]) or "set"),
                    ("nice", lambda: os.nice(-5))])


def shared_file():
    """A file that every sandbox of this machine can read, so that all share its pages in the page cache."""
    return os.open(next(path for path in ("/usr/bin/python3", "/bin/sh") if os.path.exists(path)), os.O_RDONLY)


def mapped(fd, flags, size=4096):
    """Maps a file or anonymous memory and returns the address. Raises OSError where the kernel refuses."""
    libc.mmap.restype = ctypes.c_void_p
    ctypes.set_errno(0)
    address = libc.mmap(None, ctypes.c_size_t(size), mmap.PROT_READ, flags, fd, ctypes.c_long(0))
    if address == ctypes.c_void_p(-1).value:
        raise OSError(ctypes.get_errno(), "mmap")
    return address


def watched_files():
    """Tries to notice that another process opens, reads or locks a shared file."""
    fd = shared_file()
    lock = struct.pack("hhqqi4x", fcntl.F_RDLCK, os.SEEK_SET, 0, 1, 0)
    page = ctypes.create_string_buffer(4096)
    vector = (ctypes.c_void_p * 2)(ctypes.addressof(page), 4096)
    attempts = [
        ("inotify_init1", lambda: call((294, 26), 0)),
        ("fanotify_init", lambda: call((300, 262), 0, 0)),
        ("F_NOTIFY", lambda: fcntl.fcntl(os.open("/usr", os.O_RDONLY), fcntl.F_NOTIFY, 1)),
        ("flock", lambda: fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB) or "locked"),
        ("F_SETLK", lambda: fcntl.fcntl(fd, fcntl.F_SETLK, lock) and "locked"),
        ("F_GETLK", lambda: fcntl.fcntl(fd, fcntl.F_GETLK, lock) and "asked"),
        ("F_OFD_SETLK", lambda: fcntl.fcntl(fd, 37, lock) and "locked"),
        ("F_SETLEASE", lambda: fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_RDLCK) or "leased"),
        ("F_GETLEASE", lambda: fcntl.fcntl(fd, fcntl.F_GETLEASE)),
        ("preadv2, RWF_NOWAIT", lambda: call((327, 286), fd, vector, 1, 0, 0, 8)),
        ("cachestat", lambda: call((451, 451), fd, (ctypes.c_uint64 * 2)(0, 1 << 20), (ctypes.c_uint64 * 5)(), 0)),
        ("mincore", lambda: call((27, 232), mapped(fd, mmap.MAP_PRIVATE), 4096, page)),
        ("readahead", lambda: call((187, 213), fd, 0, 4096)),
        ("fadvise, DONTNEED", lambda: os.posix_fadvise(fd, 0, 4096, os.POSIX_FADV_DONTNEED) or "evicted"),
    ]
    if place == "candidate":
        attempts += [
            ("madvise, PAGEOUT", lambda: call((28, 233), mapped(fd, mmap.MAP_PRIVATE), 4096, 21)),
            ("a shared map of it", lambda: mapped(fd, mmap.MAP_SHARED)),
            ("futex on its page", lambda: call((202, 98), mapped(fd, mmap.MAP_PRIVATE), 1, 1, None, None, 0)),
            ("statfs", lambda: os.statvfs("/usr") and "told"),
            ("smaps", read("/proc/self/smaps")), ("pagemap", read("/proc/self/pagemap")),
        ]
    return refused(attempts)


def counted_things():
    """Tries to use limits and counters that all processes of the user or the machine share."""
    signal.signal(40, signal.SIG_IGN)
    page = ctypes.create_string_buffer(4096)
    event = struct.pack("qiiq", 0, 34, 4, 0) + bytes(64)  # SIGEV_NONE
    attempts = [
        ("rt_sigqueueinfo", lambda: call((129, 138), os.getpid(), 40, page)),
        ("rt_tgsigqueueinfo", lambda: call((297, 240), os.getpid(), os.getpid(), 40, page)),
        ("a realtime signal", lambda: call((62, 129), os.getpid(), 40)),
        ("tgkill, realtime", lambda: call((234, 131), os.getpid(), os.getpid(), 40)),
        ("timer_create", lambda: call((222, 107), 1, event, page)),
        ("shmget", lambda: call((29, 194), 0x1234, 4096, 0o1600)), ("semget", lambda: call((64, 190), 0x1234, 1, 0o1600)),
        ("msgget", lambda: call((68, 186), 0x1234, 0o1600)),
        ("mq_open", lambda: call((240, 180), b"note", 0o102, 0o600, None)),
        ("memfd_create", lambda: call((319, 279), b"note", 2)),
        ("io_setup", lambda: call((206, 0), 1, (ctypes.c_uint64 * 1)())),
        ("keyctl", lambda: call((250, 219), 0, -3, 1)),
        ("sched_setattr", lambda: call((314, 274), 0, page, 0)),
    ]
    if place == "candidate":
        attempts += [
            ("sysinfo", lambda: call((99, 179), page)), ("loadavg", read("/proc/loadavg")), ("stat", read("/proc/stat")),
            ("meminfo", read("/proc/meminfo")), ("locks", read("/proc/locks")), ("uptime", read("/proc/uptime")),
            ("its own status", read("/proc/self/status")),
            ("pipes", lambda: os.pipe() and "made"), ("a pipe's size", lambda: fcntl.fcntl(3, 1032)),
            ("epoll", lambda: call((291, 20), 0)), ("eventfd", lambda: call((290, 19), 0, 0)),
            ("shared memory", lambda: mapped(-1, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)),
            ("huge pages", lambda: mapped(-1, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40000, 2 << 20)),
            ("limits", lambda: resource.setrlimit(resource.RLIMIT_SIGPENDING, (0, 0)) or "set"),
            ("affinity", lambda: os.sched_setaffinity(0, {0}) or "set"), ("priority", lambda: os.getpriority(os.PRIO_USER, 0)),
            ("rusage of others", lambda: call((247, 95), 0, -1, page, 5, page)),
        ]
    return refused(attempts)


def survive(marker):
    libc.prctl(1, 0, 0, 0, 0)  # disables the death signal
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
    """Confines itself by the recorder's own code, with the attack in place of the candidate."""
    import recorder
    import service
    import zygote

    stub = types.ModuleType("record")
    stub.record = lambda *request: {"ok": True, "said": attempt(attack, arguments)}
    stub.Current = types.SimpleNamespace()
    sys.modules["record"] = stub
    limits = {**recorder.LIMITS, "memory_bytes": 512 << 20, "file_bytes": 4 << 20}
    request = json.dumps({"source": "", "shapes": []}).encode()
    if attack == "survive":
        child = zygote.Zygote(lambda: "", recorder.run_child).fork(limits)
        child.tell(request + b"\n")
        assert os.read(child.answer, len(service.CONFINED)) == service.CONFINED
        print(os.read(child.answer, 3).decode(), end="", flush=True)
        signal.pause()
    serving = service.Service(lambda: "", recorder.run_child, recorder.interpret, limits)
    assert not serving.zygote.problem, serving.zygote.problem
    head, body = serving.serve({"id": 1}, request, serving.limits({}))
    answer = json.loads(body) if body else head
    # A child that ended without an answer has not tried the attack, because its input was malformed.
    assert "without an answer" not in answer.get("message", ""), "the attack was not tried"
    return answer.get("said") or f"held: {answer['reason']}: {answer['message']}"


place, attack, arguments, out = sys.argv[1], sys.argv[2], sys.argv[3:], 1
if place == "candidate":
    sys.path[:0] = [os.environ["RECORDER"], os.environ["ZYGOTE"]]
    if attack == "survive":
        out = 3
    print(as_candidate(attack, arguments), flush=True)
else:
    print(attempt(attack, arguments), flush=True)
