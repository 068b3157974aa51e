"""Confines a forked child before a candidate's code runs: it loses access to other processes, files, rights and system calls."""

import ctypes
import os
import resource

CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWPID = 0x00020000, 0x08000000, 0x20000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAP_AMBIENT, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 47, 38
SECCOMP_MODE_FILTER, PR_CAP_AMBIENT_CLEAR_ALL, SIGKILL = 2, 4, 9

libc = ctypes.CDLL(None, use_errno=True)
isolated = os.environ.get("TRL_ISOLATED") == "1"
_filters = {name: bytes.fromhex(os.environ.pop(f"TRL_{name.upper()}_FILTER", "")) for name in ("candidate", "compiler")}


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def check(status, what):
    if status != 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")


def fork():
    """Forks. With isolation the child is the first process of a new pid namespace, all of which ends with it."""
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


def die_with(parent):
    """Makes the calling process end when its parent, which had this pid, ends."""
    check(libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0), "prctl")
    if os.getppid() != parent:
        os._exit(0)


def address_space():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def limit(kind, value):
    hard = resource.getrlimit(kind)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (value, value))


def enter(limits, filter_name):
    """Called in the child; `filter_name` is the filter of system calls that it gets. Raises OSError where the machine refuses; then
    no candidate may run."""
    check(libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0), "prctl")
    space = address_space()
    os.setsid()  # a process group of its own: its signals reach no other process
    if isolated:
        check(libc.unshare(CLONE_NEWNS | CLONE_NEWIPC), "unshare")
        size = f"mode=1777,nr_inodes=4096,size={int(limits['file_bytes'])}".encode()
        folder = os.environ["TMPDIR"]
        check(libc.mount(b"tmpfs", folder.encode(), b"tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, size), "mount tmpfs")
        # The information on a process in /proc also reveals other processes' activity, such as
        # which pages of a library are in memory.
        check(libc.mount(b"tmpfs", b"/proc", b"tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, b"mode=555,size=4096"),
              "hide /proc")
        os.chdir(folder)
    limit(resource.RLIMIT_CPU, int(limits["seconds"]))
    limit(resource.RLIMIT_AS, space + int(limits["memory_bytes"]))
    limit(resource.RLIMIT_FSIZE, int(limits["file_bytes"]))
    limit(resource.RLIMIT_NOFILE, 64)
    limit(resource.RLIMIT_CORE, 0)
    drop_rights(filter_name)


def drop_capabilities():
    check(libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0), "prctl")
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    check(libc.capset(header, (ctypes.c_uint32 * 6)()), "capset")


def keep_to_itself():
    """Confines the process that reads requests: it has no rights, and no other process of the user can read its memory."""
    drop_capabilities()
    check(libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0), "prctl")


def drop_rights(filter_name):
    """Gives up capabilities, and the system calls that the filter of this name refuses, for good."""
    drop_capabilities()
    check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl")
    code = _filters[filter_name]
    if not code:
        raise OSError("there is no filter of system calls; start the service by trl-sandbox")
    program = Program(len(code) // 8, code)
    check(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0), "seccomp")
