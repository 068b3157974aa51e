#include "verifier/sandbox/calls.hpp"

#include <sys/syscall.h>

#include <algorithm>

namespace trl::runtime::sandbox {
namespace {

using enum Arguments;

// System call numbers that older kernel headers lack.
#if defined(__x86_64__)
constexpr int rseq = 334;
#else
constexpr int rseq = 293;
#endif
constexpr int pidfd_open = 434;  // the same on every architecture

// These calls were found by tracing the tests' honest candidates in both languages and the compilers of their
// kernels. Each row names the code that needs the call, or the reason for its restriction.
constexpr AllowedCall table[] = {
    // File descriptors.
    {SYS_read, all | executor, any, "files, pipes"},
    {SYS_write, all | executor, any, "the answer; files of its own"},
    {SYS_readv, all, any, "as read"},
    {SYS_writev, all, any, "as write; libc's message when it aborts"},
    {SYS_pread64, all, any, "programs' headers, when a library is loaded"},
    {SYS_pwrite64, programs, any, "ptxas's output"},
    {SYS_close, all, any, ""},
    {SYS_close_range, programs, any, "Python, before it starts a program"},
    {SYS_lseek, all, any, "Python's files"},
    {SYS_dup, all, any, ""},
    {SYS_dup3, all, any, ""},
    {SYS_fcntl, all, descriptor, "close-on-exec, non-blocking"},
    {SYS_ioctl, all, terminal, "Python asks of each file whether it is a terminal"},
    {SYS_ppoll, all, any, ""},
    {SYS_pselect6, all, any, "time.sleep"},
    {SYS_pipe2, programs, any,
     "to children; all pipes of a user share one limit, which would tell of others' pipes"},
    {SYS_sendfile, programs, any, "copies of files by Python and shells"},

    // Files. The mount namespace determines which files exist.
    {SYS_openat, all, any, "imports; files of its own"},
    {SYS_newfstatat, all, any, "imports"},
    {SYS_fstat, all, any, "imports"},
    {SYS_statx, all, any, "newer libraries' stat"},
    {SYS_faccessat, all, any, ""},
    {SYS_faccessat2, all, any, ""},
    {SYS_readlinkat, all, any, "os.path.realpath"},
    {SYS_getdents64, all, any, "imports look at folders"},
    {SYS_getcwd, all, any, "os.path.abspath"},
    {SYS_chdir, all, any, ""},
    {SYS_fchdir, programs, any, ""},
    {SYS_mkdirat, all, any, "temporary folders"},
    {SYS_unlinkat, all, any, "temporary files"},
    {SYS_renameat2, all, any, "files that are written aside and then renamed"},
    {SYS_ftruncate, all, any, ""},
    {SYS_truncate, programs, any, ""},
    {SYS_fallocate, programs, any, ""},
    {SYS_fsync, programs, any, ""},
    {SYS_fchmod, all, any, "temporary files"},
    {SYS_fchmodat, programs, any, "temporary files"},
    {SYS_fchown, programs, any, "programs of the system"},
    {SYS_fchownat, programs, any, "programs of the system"},
    {SYS_utimensat, programs, any, "shutil, touch"},
    {SYS_umask, programs, any, ""},
    {SYS_symlinkat, programs, any, ""},
    {SYS_linkat, programs, any, ""},
    {SYS_statfs, programs, any,
     "libselinux of some programs; for shared file systems it tells how much others wrote"},
    {SYS_fstatfs, programs, any, "likewise"},
    {SYS_fadvise64, programs, plan_to_read, "cat"},

    // Memory.
    {SYS_brk, all | executor, any, "malloc"},
    {SYS_mmap, candidate, private_map,
     "malloc, libraries; executable memory for a wrapper's C++ and for the functions that ctypes makes. "
     "Shared "
     "memory would have an inode number that tells how much of it others made"},
    {SYS_mmap, programs, any, "malloc, libraries"},
    {SYS_munmap, all | executor, any, "malloc"},
    {SYS_mremap, all | executor, any, "realloc"},
    {SYS_mmap, executor, no_code, "malloc; the stacks of its threads and fibers"},
    {SYS_mprotect, all, any, "libraries, malloc's arenas"},
    {SYS_mprotect, executor, no_code, "malloc's arenas, the stacks' guards"},
    {SYS_madvise, candidate, hint,
     "malloc gives pages back; copies of pages that will be written, for Clang"},
    {SYS_madvise, programs | executor, any, "malloc; huge pages for Clang's code"},

    // Time and random numbers.
    {SYS_clock_gettime, all | executor, any, "where the vDSO doesn't answer"},
    {SYS_clock_getres, all, any, "time.get_clock_info"},
    {SYS_clock_nanosleep, all, any, "time.sleep"},
    {SYS_nanosleep, all, any, "sleep"},
    {SYS_gettimeofday, all, any, "where the vDSO doesn't answer"},
    {SYS_getrandom, all, any, "os.urandom, seeds of hash functions"},
    {SYS_times, programs, any, "os.times"},
    {SYS_getrusage, programs, any, "MLIR's and LLVM's timers"},
    {SYS_getrusage, candidate, refused,
     "the number of major faults tells which pages others have read; MLIR's timers work without it"},

    // Information on the process itself.
    {SYS_getpid, all | executor, any, ""},
    {SYS_gettid, all | executor, any, "abort"},
    {SYS_getppid, all, any, ""},
    {SYS_getpgid, programs, any, ""},
    {SYS_getsid, programs, any, ""},
    {SYS_getuid, all, any, ""},
    {SYS_geteuid, all, any, ""},
    {SYS_getgid, all, any, ""},
    {SYS_getegid, all, any, ""},
    {SYS_getresuid, programs, any, ""},
    {SYS_getresgid, programs, any, ""},
    {SYS_getgroups, programs, any, ""},
    {SYS_uname, all, any, "platform.machine"},
    {SYS_sched_yield, programs | executor, any, "locks"},
    {SYS_sched_getaffinity, all | executor, any, "os.cpu_count"},
    {SYS_prlimit64, candidate, look_at_limit, "sysconf; the stack's size"},
    {SYS_prlimit64, programs, any, "the same; a child's limits, which only go down"},
    {SYS_getrlimit, all, any, "the same, by older libraries"},
    {SYS_sysinfo, programs, any, "sysconf; it tells how busy the machine is and how much memory is free"},
    {SYS_capget, all, any, ""},

    // Signals.
    {SYS_rt_sigaction, all, any, "Python's handlers"},
    {SYS_rt_sigprocmask, all | executor, any, "abort, handlers"},
    {SYS_rt_sigreturn, all | executor, any, "the end of a handler"},
    {SYS_sigaltstack, all, any, "LLVM's and faulthandler's"},
    {SYS_rt_sigsuspend, programs, any, "shells wait for children"},
    {SYS_rt_sigtimedwait, programs, any, ""},
    {SYS_rt_sigpending, programs, any, ""},
    {SYS_kill, all, second_is_signal, "itself; the pid namespace determines which other processes there are"},
    {SYS_tkill, programs, second_is_signal, "abort"},
    {SYS_tgkill, all, third_is_signal, "abort, raise"},
    {SYS_restart_syscall, all | executor, any, "the kernel's own, after a stop"},

    // Locks within a process.
    {SYS_futex, candidate, private_wait,
     "locks; a futex in a shared file's page could wake a process of another sandbox"},
    {SYS_futex, programs | executor, any, "locks; a thread's end"},
    {SYS_exit, all | executor, any, ""},
    {SYS_exit_group, all | executor, any, ""},

    // Processes, threads and programs.
    {SYS_clone, programs, no_namespace, "children, threads"},
    {SYS_clone, executor, thread, "threads"},
    {SYS_execve, programs, any, "ptxas; what trl-sandbox was told to start"},
    {SYS_wait4, programs, any, ""},
    {SYS_waitid, programs, any, ""},
    {SYS_setpgid, programs, any, "shells"},
    {SYS_setsid, programs, any, "a child's process group"},
    {SYS_set_tid_address, programs, any, "a program's beginning"},
    {SYS_set_robust_list, programs | executor, any, "a thread's beginning"},
    {rseq, programs | executor, any, "a thread's beginning"},
    {SYS_setrlimit, programs, any, "a child's limits; they only go down"},
    {SYS_prctl, candidate, own_name, "names of processes and of memory"},
    {SYS_prctl, programs, own_process, "names; the death signal; giving up rights"},
    {pidfd_open, nesting, any, "waiting for a child's end"},
    {SYS_setitimer, programs, any, "timeout, alarm"},
    {SYS_epoll_create1, programs, any, "programs of the system"},
    {SYS_epoll_ctl, programs, any, ""},
    {SYS_epoll_pwait, programs, any, ""},
    {SYS_eventfd2, programs, any, ""},
    {SYS_getpriority, programs, any, ""},
    {SYS_sched_getparam, programs, any, "pthread_create"},
    {SYS_sched_getscheduler, programs, any, "pthread_create"},
    {SYS_get_mempolicy, programs, any, "libnuma, where torch's libraries load it"},
    {SYS_sched_setaffinity, programs, any, "OpenMP's threads"},

    // A service and its zygote.
    {SYS_socketpair, plain | nesting, unix_pair, "between a service and its zygote"},
    {SYS_sendto, plain | nesting | executor, any, "on that pair"},
    {SYS_recvfrom, plain | nesting | executor, any, "on that pair"},
    {SYS_sendmsg, plain | nesting, any, "a child's pipes, on that pair"},
    {SYS_recvmsg, plain | nesting, any, "likewise"},
    {SYS_getsockopt, nesting, any, "Python asks what kind of socket it has"},
    {SYS_getsockname, nesting, any, "likewise"},
    {SYS_mount, nesting, any, "a child's own folder"},
    {SYS_umount2, nesting, any, ""},
    {SYS_unshare, nesting, any, "a child's namespaces"},
    {SYS_setns, nesting, any, "back to the service's own"},
    {SYS_capset, plain | nesting, any, "rights, given up: a child's, and a service's that wasn't isolated"},
    {SYS_seccomp, nesting, any, "a child's filter"},
#if defined(__x86_64__)
    // Older names of calls above.
    {SYS_open, all, any, ""},
    {SYS_stat, all, any, ""},
    {SYS_lstat, all, any, ""},
    {SYS_access, all, any, ""},
    {SYS_readlink, all, any, ""},
    {SYS_mkdir, all, any, ""},
    {SYS_rmdir, all, any, ""},
    {SYS_unlink, all, any, ""},
    {SYS_rename, all, any, ""},
    {SYS_renameat, all, any, ""},
    {SYS_chmod, programs, any, ""},
    {SYS_chown, programs, any, ""},
    {SYS_symlink, programs, any, ""},
    {SYS_link, programs, any, ""},
    {SYS_getdents, programs, any, ""},
    {SYS_dup2, all, any, ""},
    {SYS_poll, all, any, ""},
    {SYS_select, all, any, ""},
    {SYS_pipe, programs, any, ""},
    {SYS_time, all, any, ""},
    {SYS_getpgrp, programs, any, ""},
    {SYS_alarm, programs, any, ""},
    {SYS_pause, programs, any, ""},
    {SYS_fork, programs, any, ""},
    {SYS_vfork, programs, any, ""},
    {SYS_arch_prctl, programs, any, "a program's beginning"},
    {SYS_epoll_create, programs, any, ""},
    {SYS_epoll_wait, programs, any, ""},
    {SYS_utimes, programs, any, ""},
#else
    {SYS_renameat, all, any, ""},
#endif
};

static_assert(std::ranges::all_of(table,
                                  [](const AllowedCall& call) { return call.number < first_young_call; }));

}  // namespace

std::span<const AllowedCall> allowed_calls() { return table; }

}  // namespace trl::runtime::sandbox
