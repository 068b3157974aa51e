"""What a forked candidate gives up before its code runs: sight of other processes, files, rights, calls."""

import ctypes
import os
import resource

CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWPID = 0x00020000, 0x08000000, 0x20000000
MS_NOSUID, MS_NODEV, MS_NOEXEC = 2, 4, 8
PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_CAP_AMBIENT, PR_SET_NO_NEW_PRIVS = 1, 22, 47, 38
SECCOMP_MODE_FILTER, PR_CAP_AMBIENT_CLEAR_ALL, SIGKILL = 2, 4, 9

libc = ctypes.CDLL(None, use_errno=True)
isolated = os.environ.get("TRL_ISOLATED") == "1"
_filter = bytes.fromhex(os.environ.pop("TRL_CANDIDATE_FILTER", ""))


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def check(status, what):
    if status != 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def fork():
    """Forks; in isolation the child is the first process of a pid namespace of its own, which ends with it."""
    if not isolated:
        return os.fork()
    own = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC) if fork.own is None else fork.own
    fork.own = own
    check(libc.unshare(CLONE_NEWPID), "unshare")
    pid = os.fork()
    if pid != 0:
        check(libc.setns(own, CLONE_NEWPID), "setns")
    return pid


fork.own = None


def address_space():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def limit(kind, value):
    hard = resource.getrlimit(kind)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (value, value))


def enter(limits):
    """Called in the child. Raises OSError where the machine refuses; then no candidate may run."""
    check(libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0), "prctl")
    space = address_space()
    os.setsid()  # a process group of its own: signals to it reach nobody else
    if isolated:
        check(libc.unshare(CLONE_NEWNS | CLONE_NEWIPC), "unshare")
        size = f"mode=1777,nr_inodes=4096,size={int(limits['file_bytes'])}".encode()
        folder = os.environ["TMPDIR"]
        check(libc.mount(b"tmpfs", folder.encode(), b"tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, size), "mount tmpfs")
        check(libc.mount(b"proc", b"/proc", b"proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, b"subset=pid"), "mount /proc")
        os.chdir(folder)
    limit(resource.RLIMIT_CPU, int(limits["seconds"]))
    limit(resource.RLIMIT_AS, space + int(limits["memory_bytes"]))
    limit(resource.RLIMIT_FSIZE, int(limits["file_bytes"]))
    limit(resource.RLIMIT_NOFILE, 64)
    limit(resource.RLIMIT_CORE, 0)
    drop_rights()


def drop_rights():
    check(libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0), "prctl")
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    check(libc.capset(header, (ctypes.c_uint32 * 6)()), "capset")
    check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl")
    if not _filter:
        raise OSError("there is no filter of system calls; start the recorder by trl-sandbox")
    program = Program(len(_filter) // 8, _filter)
    check(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0), "seccomp")
