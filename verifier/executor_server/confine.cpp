#include "verifier/executor_server/confine.hpp"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <sched.h>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <vector>

namespace trl::runtime {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
#error "trl-executor knows the system calls of x86-64 and aarch64 only"
#endif

constexpr std::uint32_t allow = SECCOMP_RET_ALLOW, refuse = SECCOMP_RET_ERRNO | EPERM,
                        absent = SECCOMP_RET_ERRNO | ENOSYS;

sock_filter statement(int code, std::uint32_t value) {
  return {static_cast<std::uint16_t>(code), 0, 0, value};
}

sock_filter jump(int code, std::uint32_t value, std::uint8_t when_true, std::uint8_t when_false) {
  return {static_cast<std::uint16_t>(code), when_true, when_false, value};
}

sock_filter load(std::size_t offset) {
  return statement(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}

sock_filter answer(std::uint32_t verdict) { return statement(BPF_RET | BPF_K, verdict); }

void when(std::vector<sock_filter>& filter, long call, std::uint32_t verdict) {
  filter.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1));
  filter.push_back(answer(verdict));
}

// Allows a call if an argument has one of the bits, or if it has none of them.
void when_argument(std::vector<sock_filter>& filter, long call, std::size_t argument, std::uint32_t bits,
                   std::uint32_t with, std::uint32_t without) {
  // The lower half comes first, since both architectures are little endian.
  constexpr std::size_t width = sizeof(std::uint64_t);
  filter.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 4));
  filter.push_back(load(offsetof(seccomp_data, args) + argument * width));
  filter.push_back(jump(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1));
  filter.push_back(answer(with));
  filter.push_back(answer(without));
}

std::vector<sock_filter> make_filter() {
  std::vector<sock_filter> filter;
  filter.push_back(load(offsetof(seccomp_data, arch)));
  filter.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0));
  filter.push_back(answer(SECCOMP_RET_KILL_PROCESS));
  filter.push_back(load(offsetof(seccomp_data, nr)));
  for (const long call : {SYS_read,
                          SYS_write,
                          SYS_recvfrom,
                          SYS_sendto,
                          SYS_futex,
                          SYS_munmap,
                          SYS_mremap,
                          SYS_madvise,
                          SYS_brk,
                          SYS_exit,
                          SYS_exit_group,
                          SYS_rt_sigprocmask,
                          SYS_rt_sigreturn,
                          SYS_set_robust_list,
                          SYS_rseq,
                          SYS_gettid,
                          SYS_getpid,
                          SYS_sched_yield,
                          SYS_sched_getaffinity,
                          SYS_clock_gettime,
                          SYS_restart_syscall})
    when(filter, call, allow);
  when_argument(filter, SYS_mmap, 2, PROT_EXEC, refuse, allow);
  when_argument(filter, SYS_mprotect, 2, PROT_EXEC, refuse, allow);
  when_argument(filter, SYS_clone, 0, CLONE_THREAD, allow, refuse);
  // Its flags are in memory, where a filter can't see them; libc falls back to clone.
  when(filter, SYS_clone3, absent);
  filter.push_back(answer(refuse));
  return filter;
}

bool limit(__rlimit_resource resource, rlim_t value) {
  const rlimit both{value, value};
  return setrlimit(resource, &both) == 0;
}

}  // namespace

bool confine(std::uint64_t memory_bytes) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  // RLIMIT_DATA counts private writable memory, and not what threads reserve without using it.
  if (!limit(RLIMIT_DATA, memory_bytes) || !limit(RLIMIT_CORE, 0) || !limit(RLIMIT_FSIZE, 0) ||
      !limit(RLIMIT_NOFILE, 0))
    return false;
  std::vector<sock_filter> filter = make_filter();
  sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

}  // namespace trl::runtime
