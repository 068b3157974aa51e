#include "verifier/sandbox/filter.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <system_error>

#include "verifier/sandbox/calls.hpp"

namespace trl::runtime::sandbox {
namespace {

constexpr int clone3 = 435;  // older kernel headers lack it; it is the same on every architecture

using Comparisons = std::vector<scmp_arg_cmp>;

// Compares bits of the lower half of an argument; the kernel reads no more of the checked arguments.
constexpr scmp_arg_cmp bits(unsigned argument, std::uint32_t mask, std::uint32_t value) {
  return {argument, SCMP_CMP_MASKED_EQ, mask, value};
}

Comparisons one_of(unsigned argument, std::initializer_list<std::uint32_t> values) {
  Comparisons comparisons;
  for (const std::uint32_t value : values) comparisons.push_back(bits(argument, ~0u, value));
  return comparisons;
}

// `limit` is a power of two.
Comparisons less_than(unsigned argument, std::uint32_t limit) { return {bits(argument, ~(limit - 1), 0)}; }

/// Returns the comparisons of which one must hold for the call to be allowed; none if its arguments don't
/// matter.
Comparisons comparisons_of(Arguments arguments) {
  constexpr std::uint32_t first_realtime_signal = 32, set_vma = 0x53564d41, map_kind = 0x0F;
  constexpr std::uint32_t new_namespaces = 0x7E020000;  // CLONE_NEW{CGROUP,UTS,IPC,USER,PID,NET,NS}
  switch (arguments) {
    case Arguments::any:
    case Arguments::refused:
      return {};
    case Arguments::descriptor:
      return one_of(1, {F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC});
    case Arguments::terminal:
      return one_of(1, {TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX});
    case Arguments::own_name:
      return one_of(0, {PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, set_vma});
    case Arguments::own_process:
      return one_of(0, {PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, PR_SET_DUMPABLE, set_vma, PR_SET_PDEATHSIG,
                        PR_GET_PDEATHSIG, PR_SET_SECCOMP, PR_GET_SECCOMP, PR_SET_NO_NEW_PRIVS,
                        PR_GET_NO_NEW_PRIVS, PR_CAP_AMBIENT, PR_CAPBSET_READ});
    case Arguments::private_map:
      return {bits(3, MAP_HUGETLB | map_kind, MAP_PRIVATE)};
    case Arguments::no_code:
      return {bits(2, PROT_EXEC, 0)};
    case Arguments::private_wait:
      return {bits(1, FUTEX_PRIVATE_FLAG, FUTEX_PRIVATE_FLAG)};
    case Arguments::hint:
      return one_of(2, {MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL, MADV_WILLNEED, MADV_DONTNEED, MADV_FREE,
                        MADV_HUGEPAGE, MADV_NOHUGEPAGE, MADV_DONTDUMP, MADV_DODUMP, MADV_POPULATE_WRITE});
    case Arguments::plan_to_read:
      return less_than(3, POSIX_FADV_DONTNEED);
    case Arguments::second_is_signal:
      return less_than(1, first_realtime_signal);
    case Arguments::third_is_signal:
      return less_than(2, first_realtime_signal);
    case Arguments::look_at_limit:
      return {{2, SCMP_CMP_EQ, 0, 0}};
    case Arguments::no_namespace:
      return {bits(0, new_namespaces, 0)};
    case Arguments::thread:
      return {bits(0, CLONE_THREAD, CLONE_THREAD)};
    case Arguments::unix_pair:
      return one_of(0, {AF_UNIX});
  }
  return {};
}

unsigned who(Profile profile) {
  switch (profile) {
    case Profile::plain:
      return Who::plain;
    case Profile::nesting:
      return Who::nesting;
    case Profile::compiler:
      return Who::compiler;
    case Profile::candidate:
      return Who::candidate;
    case Profile::executor:
      return Who::executor;
  }
  return 0;
}

void check(int status) {
  if (status < 0)
    throw std::system_error(-status, std::generic_category(), "cannot make a filter of system calls");
}

void add(scmp_filter_ctx rules, std::uint32_t action, int call, const Comparisons& comparisons = {}) {
  if (comparisons.empty()) check(seccomp_rule_add_array(rules, action, call, 0, nullptr));
  for (const scmp_arg_cmp& one : comparisons) check(seccomp_rule_add_array(rules, action, call, 1, &one));
}

// libseccomp only writes programs to descriptors. It writes each program at once, and a socket has room for
// it.
void append_program(scmp_filter_ctx rules, std::vector<sock_filter>& program) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) check(-errno);
  const int status = seccomp_export_bpf(rules, ends[1]);
  close(ends[1]);
  for (sock_filter one; read(ends[0], &one, sizeof one) == sizeof one;) program.push_back(one);
  close(ends[0]);
  check(status);
}

// Appends instructions: calls whose number is at least this one end with the error.
void refuse_from(std::uint32_t number, std::uint32_t error, std::vector<sock_filter>& program) {
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, number, 0, 1));
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error));
}

}  // namespace

std::vector<sock_filter> make_filter(Profile profile) {
  // Without this, the library would ask the kernel for its abilities by a call that a sandboxed process may
  // not make. Level 3 stands for Linux 4.14, which can end a process.
  check(seccomp_api_set(3));
  const std::unique_ptr<void, decltype(&seccomp_release)> made(seccomp_init(SCMP_ACT_ERRNO(EPERM)),
                                                               seccomp_release);
  const scmp_filter_ctx rules = made.get();
  if (rules == nullptr) check(-ENOMEM);
  check(seccomp_attr_set(rules, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS));
  check(seccomp_attr_set(rules, SCMP_FLTATR_CTL_OPTIMIZE, 2));  // a binary tree of calls

  for (const AllowedCall& call : allowed_calls())
    if ((call.who & who(profile)) && call.arguments != Arguments::refused)
      add(rules, SCMP_ACT_ALLOW, call.number, comparisons_of(call.arguments));

  const bool candidate = profile == Profile::candidate;
  // clone3 has its flags in memory, where a filter can't see them. When it seems not to exist, libc falls
  // back to clone.
  add(rules, SCMP_ACT_ERRNO(candidate ? EAGAIN : ENOSYS), clone3);
  // A candidate gets the error of a reached limit, since code that creates a pipe usually wants another
  // process.
  if (candidate)
    for (const int call : {
           SYS_clone, SYS_pipe2,
#if defined(__x86_64__)
               SYS_fork, SYS_vfork, SYS_pipe
#endif
         })
      add(rules, SCMP_ACT_ERRNO(EAGAIN), call);
  for (const int call : {SYS_preadv2, SYS_pwritev2, SYS_copy_file_range, SYS_membarrier})
    add(rules, SCMP_ACT_ERRNO(ENOSYS), call);

  // libseccomp has no rules for ranges of calls, and would end a process for x86-64's second set of numbers.
  std::vector<sock_filter> ranges = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
#if defined(__x86_64__)
  constexpr std::uint32_t x32_bit = 0x40000000;
  refuse_from(x32_bit, EPERM, ranges);
#endif
  refuse_from(first_young_call, ENOSYS, ranges);
  std::vector<sock_filter> program = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
                                      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, seccomp_arch_native(), 0,
                                               static_cast<std::uint8_t>(ranges.size()))};
  program.insert(program.end(), ranges.begin(), ranges.end());
  append_program(rules, program);
  return program;
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
