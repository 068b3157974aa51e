# Ways by which a candidate could see a neighbour or tell it something. One that is open makes the candidate right: it then
# launches an honest kernel. One that is shut ends it.
import ctypes, os, struct, sys

libc = ctypes.CDLL(None, use_errno=True)

def call(number, *words):
    """A system call; its result, or minus its error."""
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(w) if isinstance(w, int) else w for w in words])
    return -ctypes.get_errno() if result < 0 else result

def shut(what="this way is shut"):
    raise RuntimeError(what)

# A file that every candidate of a machine can read.
SHARED = torch.__file__

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y

#: watches_a_shared_folder | tasks relu | protocol training | FORM inotify dnotify fanotify
if "__FORM__" == "inotify":
    watcher = call(253)  # the old inotify_init, beside inotify_init1
    open_ = watcher >= 0 and call(254, watcher, ctypes.c_char_p(os.path.dirname(SHARED).encode()), 0x20) >= 0
elif "__FORM__" == "dnotify":
    import fcntl
    folder = os.open(os.path.dirname(SHARED), os.O_RDONLY)
    try:
        fcntl.fcntl(folder, 1026, 1 | 0x80000000 - (1 << 32))  # F_NOTIFY, DN_ACCESS | DN_MULTISHOT
        open_ = True
    except OSError:
        open_ = False
else:
    open_ = call(300, 0x200, 0) >= 0  # fanotify_init, FAN_REPORT_FID
if not open_:
    shut()
#: asks_what_is_in_the_page_cache | tasks relu | protocol training | FORM nowait cachestat mincore
fd = os.open(SHARED, os.O_RDONLY)
if "__FORM__" == "nowait":
    try:
        open_ = os.preadv(fd, [bytearray(64)], 0, os.RWF_NOWAIT) >= 0
    except BlockingIOError:
        open_ = True
    except OSError:
        open_ = False
elif "__FORM__" == "cachestat":
    where, found = (ctypes.c_uint64 * 2)(0, 0), (ctypes.c_uint64 * 5)()
    result = call(451, fd, where, found, 0)
    open_ = result >= 0
else:
    import mmap
    libc.mmap.restype = ctypes.c_void_p
    address = libc.mmap(None, ctypes.c_size_t(4096), 1, 1, fd, 0)
    open_ = call(27, ctypes.c_long(address), 4096, (ctypes.c_char * 1)()) >= 0
if not open_:
    shut()
#: takes_locks_on_shared_files | tasks relu | protocol training | FORM flock records lease
import fcntl
fd = os.open(SHARED, os.O_RDONLY)
try:
    if "__FORM__" == "flock":
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    elif "__FORM__" == "records":
        fcntl.lockf(fd, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, 7)
    else:
        fcntl.fcntl(fd, 1024, fcntl.F_RDLCK)  # F_SETLEASE
except OSError:
    shut()
#: uses_up_what_the_user_has_in_all | tasks relu | protocol training | FORM queued_signals asynchronous_requests pipe_pages
if "__FORM__" == "queued_signals":
    import signal
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])
    info = (ctypes.c_int * 32)(signal.SIGRTMIN, 0, -1)
    if sum(call(129, os.getpid(), int(signal.SIGRTMIN), info) == 0 for _ in range(400)) < 300:
        shut()
elif "__FORM__" == "asynchronous_requests":
    context = ctypes.c_ulong(0)
    if call(206, 4096, ctypes.byref(context)) < 0:  # io_setup
        shut()
else:
    import fcntl
    made = 0
    for _ in range(20):
        try:
            one, other = os.pipe()
            made += fcntl.fcntl(other, 1031, 1 << 20)  # F_SETPIPE_SZ
        except OSError:
            break
    if made < 8 << 20:
        shut()
#: looks_at_the_whole_machine | tasks relu | protocol training | FORM sysinfo load times
if "__FORM__" == "sysinfo":
    if call(99, (ctypes.c_char * 256)()) < 0:
        shut()
elif "__FORM__" == "load":
    try:
        os.getloadavg()
    except OSError:
        shut()
else:
    try:
        text = open("/proc/stat").read() + open("/proc/meminfo").read()
    except OSError:
        shut()
#: waits_on_a_word_that_all_map | tasks relu | protocol training | FORM futex futex_waitv membarrier
# A futex in a page of a shared file is one for all who map it: a waiter and a waker tell each other things.
libc.mmap.restype = ctypes.c_void_p
address = libc.mmap(None, ctypes.c_size_t(4096), 1, 1, os.open(SHARED, os.O_RDONLY), 0)
word = ctypes.c_uint32.from_address(address).value
if "__FORM__" == "futex":
    soon = (ctypes.c_long * 2)(0, 1_000_000)
    if call(202, ctypes.c_long(address), 0, word, soon, 0, 0) != -110:
        shut()
elif "__FORM__" == "futex_waitv":
    waiter = (ctypes.c_uint64 * 3)(word, address, 2)
    when = (ctypes.c_long * 2)(0, 1_000_000)
    if call(449, waiter, 1, 0, when, 0) != -110:
        shut()
else:
    if call(324, 1, 0, 0) < 0:  # MEMBARRIER_CMD_GLOBAL: as slow as the machine is busy
        shut()
#: sends_to_processes_beside_it | tasks relu | protocol training | FORM priority_of_the_user scheduler kcmp
if "__FORM__" == "priority_of_the_user":
    if call(141, 2, 0, 19) < 0:  # setpriority, PRIO_USER
        shut()
elif "__FORM__" == "scheduler":
    if call(251, 3, 0, 3 << 13) < 0:  # ioprio_set, IOPRIO_WHO_USER
        shut()
else:
    if call(312, 1, 1, 0, 0, 0) < 0:
        shut()
