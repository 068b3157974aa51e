#include "runtime/verify/sandbox/filter.hpp"

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace trl::runtime::sandbox {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
#error "trl-sandbox knows the system calls of x86-64 and aarch64 only"
#endif

// Numbers that older kernel headers lack; the same on every architecture.
constexpr int quotactl_fd = 443, mount_setattr = 442, landlock_create_ruleset = 444, memfd_secret = 447;
constexpr int fsmount_family_first = 428, fsmount_family_last = 433;  // open_tree … fspick
constexpr int clone3 = 435, io_uring_first = 425, io_uring_last = 427, pidfd_getfd = 438,
              mount_family_new = 457;

void add_common(std::vector<int>& calls) {
  for (int call : {
         SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_keyctl, SYS_add_key, SYS_request_key,
             SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_kexec_load, SYS_kexec_file_load,
             SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_open_by_handle_at,
             SYS_name_to_handle_at, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_acct, SYS_quotactl, SYS_syslog,
             SYS_personality, SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept,
             SYS_accept4, SYS_sethostname, SYS_setdomainname, SYS_settimeofday, SYS_clock_settime,
             SYS_adjtimex, SYS_clock_adjtime, SYS_chroot, SYS_pivot_root, SYS_fanotify_init,
             SYS_lookup_dcookie, SYS_vhangup, SYS_kcmp, SYS_move_pages, SYS_migrate_pages, SYS_mbind,
             SYS_set_mempolicy, SYS_nfsservctl,
#if defined(__x86_64__)
             SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_uselib, SYS_ustat, SYS_sysfs, SYS__sysctl,
#endif
             quotactl_fd, mount_setattr, landlock_create_ruleset, memfd_secret, pidfd_getfd, mount_family_new
       })
    calls.push_back(call);
  for (int call = fsmount_family_first; call <= fsmount_family_last; ++call) calls.push_back(call);
  for (int call = io_uring_first; call <= io_uring_last; ++call) calls.push_back(call);
}

void add_namespaces(std::vector<int>& calls) {
  for (int call : {SYS_mount, SYS_umount2, SYS_unshare, SYS_setns}) calls.push_back(call);
}

void add_candidate(std::vector<int>& calls) {
  for (int call : {SYS_execve, SYS_execveat, SYS_memfd_create, SYS_shmget, SYS_shmat, SYS_shmctl, SYS_semget,
                   SYS_msgget, SYS_mq_open, SYS_seccomp, SYS_inotify_init1, SYS_signalfd4, SYS_timer_create})
    calls.push_back(call);
}

constexpr sock_filter statement(int code, std::uint32_t value) {
  return {static_cast<std::uint16_t>(code), 0, 0, value};
}

constexpr sock_filter jump(int code, std::uint32_t value, std::uint8_t when_true, std::uint8_t when_false) {
  return {static_cast<std::uint16_t>(code), when_true, when_false, value};
}

constexpr sock_filter load(std::size_t offset) {
  return statement(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}

constexpr sock_filter answer(std::uint32_t value) { return statement(BPF_RET | BPF_K, value); }
constexpr std::uint32_t refuse(int error) {
  return SECCOMP_RET_ERRNO | (static_cast<std::uint32_t>(error) & SECCOMP_RET_DATA);
}

// "When the loaded number is `call`, answer so", in two instructions.
void when(std::vector<sock_filter>& filter, int call, std::uint32_t verdict) {
  filter.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1));
  filter.push_back(answer(verdict));
}

// ioctls that type into a terminal, which may be that of whoever started us. The kernel looks at the lower
// half of the request alone, and so does this.
void refuse_typing(std::vector<sock_filter>& filter) {
  constexpr std::uint32_t tiocsti = 0x5412, tioclinux = 0x541C;
  constexpr std::size_t request = offsetof(seccomp_data, args) + sizeof(std::uint64_t);
  filter.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 5));
  filter.push_back(load(request));
  filter.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, tiocsti, 1, 0));
  filter.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, tioclinux, 0, 1));
  filter.push_back(answer(refuse(EPERM)));
  filter.push_back(answer(SECCOMP_RET_ALLOW));
}

}  // namespace

std::vector<sock_filter> make_filter(Profile profile) {
  std::vector<int> refused;
  add_common(refused);
  if (profile != Profile::nesting) add_namespaces(refused);
  if (profile == Profile::candidate) add_candidate(refused);

  std::vector<sock_filter> filter;
  filter.push_back(load(offsetof(seccomp_data, arch)));
  filter.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0));
  filter.push_back(answer(SECCOMP_RET_KILL_PROCESS));
  filter.push_back(load(offsetof(seccomp_data, nr)));
#if defined(__x86_64__)
  constexpr std::uint32_t x32_bit = 0x40000000;
  filter.push_back(jump(BPF_JMP | BPF_JGE | BPF_K, x32_bit, 0, 1));
  filter.push_back(answer(refuse(EPERM)));
#endif
  for (int call : refused) when(filter, call, refuse(EPERM));
  refuse_typing(filter);
  // clone3 hides its flags behind a pointer; told that it does not exist, libc falls back to clone.
  when(filter, clone3, refuse(profile == Profile::candidate ? EAGAIN : ENOSYS));
  if (profile == Profile::candidate) {
    when(filter, SYS_clone, refuse(EAGAIN));
#if defined(__x86_64__)
    when(filter, SYS_fork, refuse(EAGAIN));
    when(filter, SYS_vfork, refuse(EAGAIN));
#endif
  } else if (profile == Profile::plain) {
    constexpr std::uint32_t new_namespace_flags =
        0x7E020080;  // CLONE_NEW{CGROUP,UTS,IPC,USER,PID,NET,NS,TIME}
    filter.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3));
    filter.push_back(load(offsetof(seccomp_data, args)));
    filter.push_back(jump(BPF_JMP | BPF_JSET | BPF_K, new_namespace_flags & ~0x80u, 0, 1));
    filter.push_back(answer(refuse(EPERM)));
  }
  filter.push_back(answer(SECCOMP_RET_ALLOW));
  return filter;
}

bool install(const std::vector<sock_filter>& filter) {
  sock_fprog program{static_cast<unsigned short>(filter.size()), const_cast<sock_filter*>(filter.data())};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

std::string to_hex(const std::vector<sock_filter>& filter) {
  static constexpr char digits[] = "0123456789abcdef";
  const auto* bytes = reinterpret_cast<const unsigned char*>(filter.data());
  std::string text;
  for (std::size_t i = 0; i < filter.size() * sizeof(sock_filter); ++i) {
    text += digits[bytes[i] >> 4];
    text += digits[bytes[i] & 15];
  }
  return text;
}

}  // namespace trl::runtime::sandbox
