#include "verifier/sandbox/filter.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "verifier/sandbox/calls.hpp"

namespace trl::runtime::sandbox {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
#error "trl-sandbox knows the system calls of x86-64 and aarch64 only"
#endif

// System call numbers that older kernel headers lack; they are the same on every architecture.
constexpr int clone3 = 435, first_young_call = 439;

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

using Code = std::vector<sock_filter>;

// Loads the lower half of an argument; the kernel reads no more of those that are checked.
sock_filter load_argument(std::size_t index, std::size_t half = 0) {
  return load(offsetof(seccomp_data, args) + index * sizeof(std::uint64_t) + half * sizeof(std::uint32_t));
}

// Pieces of filter code that examine the loaded number and end by allowing or refusing the call.

Code one_of(std::initializer_list<std::uint32_t> values) {
  Code code;
  for (const std::uint32_t value : values) {
    code.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
    code.push_back(answer(SECCOMP_RET_ALLOW));
  }
  code.push_back(answer(refuse(EPERM)));
  return code;
}

Code less_than(std::uint32_t value) {
  return {jump(BPF_JMP | BPF_JGE | BPF_K, value, 0, 1), answer(refuse(EPERM)), answer(SECCOMP_RET_ALLOW)};
}

Code none_of_bits(std::uint32_t bits) {
  return {jump(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1), answer(refuse(EPERM)), answer(SECCOMP_RET_ALLOW)};
}

Code on_argument(std::size_t index, Code code) {
  code.insert(code.begin(), load_argument(index));
  return code;
}

Code null_pointer(std::size_t index) {
  return {load_argument(index, 0),  jump(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0), answer(refuse(EPERM)),
          load_argument(index, 1),  jump(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0), answer(refuse(EPERM)),
          answer(SECCOMP_RET_ALLOW)};
}

Code code_of(Arguments arguments) {
  constexpr std::uint32_t first_realtime_signal = 32, set_vma = 0x53564d41, map_kind = 0x0F;
  constexpr std::uint32_t new_namespaces = 0x7E020000;  // CLONE_NEW{CGROUP,UTS,IPC,USER,PID,NET,NS}
  switch (arguments) {
    case Arguments::any:
      return {answer(SECCOMP_RET_ALLOW)};
    case Arguments::refused:
      return {answer(refuse(EPERM))};
    case Arguments::descriptor:
      return on_argument(1, one_of({F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC}));
    case Arguments::terminal:
      return on_argument(1, one_of({TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX}));
    case Arguments::own_name:
      return on_argument(0, one_of({PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, set_vma}));
    case Arguments::own_process:
      return on_argument(
          0, one_of({PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, PR_SET_DUMPABLE, set_vma, PR_SET_PDEATHSIG,
                     PR_GET_PDEATHSIG, PR_SET_SECCOMP, PR_GET_SECCOMP, PR_SET_NO_NEW_PRIVS,
                     PR_GET_NO_NEW_PRIVS, PR_CAP_AMBIENT, PR_CAPBSET_READ}));
    case Arguments::private_map:
      return {load_argument(3),
              jump(BPF_JMP | BPF_JSET | BPF_K, MAP_HUGETLB, 0, 1),
              answer(refuse(EPERM)),
              statement(BPF_ALU | BPF_AND | BPF_K, map_kind),
              jump(BPF_JMP | BPF_JEQ | BPF_K, MAP_PRIVATE, 1, 0),
              answer(refuse(EPERM)),
              answer(SECCOMP_RET_ALLOW)};
    case Arguments::private_wait:
      return {load_argument(1), jump(BPF_JMP | BPF_JSET | BPF_K, FUTEX_PRIVATE_FLAG, 1, 0),
              answer(refuse(EPERM)), answer(SECCOMP_RET_ALLOW)};
    case Arguments::hint:
      return on_argument(2, one_of({MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL, MADV_WILLNEED, MADV_DONTNEED,
                                    MADV_FREE, MADV_HUGEPAGE, MADV_NOHUGEPAGE, MADV_DONTDUMP, MADV_DODUMP}));
    case Arguments::plan_to_read:
      return on_argument(3, less_than(POSIX_FADV_DONTNEED));
    case Arguments::second_is_signal:
      return on_argument(1, less_than(first_realtime_signal));
    case Arguments::third_is_signal:
      return on_argument(2, less_than(first_realtime_signal));
    case Arguments::look_at_limit:
      return null_pointer(2);
    case Arguments::no_namespace:
      return on_argument(0, none_of_bits(new_namespaces));
    case Arguments::unix_pair:
      return on_argument(0, one_of({1 /* AF_UNIX */}));
  }
  return {answer(refuse(EPERM))};
}

// Adds: if the loaded number is `call`, run `code`, which ends the filter.
void when(Code& filter, int call, const Code& code) {
  filter.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0,
                        static_cast<std::uint8_t>(code.size())));
  filter.insert(filter.end(), code.begin(), code.end());
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
  }
  return 0;
}

}  // namespace

std::vector<sock_filter> make_filter(Profile profile) {
  Code filter;
  filter.push_back(load(offsetof(seccomp_data, arch)));
  filter.push_back(jump(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0));
  filter.push_back(answer(SECCOMP_RET_KILL_PROCESS));
  filter.push_back(load(offsetof(seccomp_data, nr)));
#if defined(__x86_64__)
  constexpr std::uint32_t x32_bit = 0x40000000;
  filter.push_back(jump(BPF_JMP | BPF_JGE | BPF_K, x32_bit, 0, 1));
  filter.push_back(answer(refuse(EPERM)));
#endif
  for (const AllowedCall& call : allowed_calls())
    if (call.who & who(profile)) when(filter, call.number, code_of(call.arguments));

  const bool candidate = profile == Profile::candidate;
  // clone3 has its flags in memory, where a filter can't see them. When it seems not to exist, libc falls
  // back to clone.
  when(filter, clone3, {answer(refuse(candidate ? EAGAIN : ENOSYS))});
  // A candidate gets the error of a reached limit, since code that creates a pipe usually wants another
  // process.
  if (candidate)
    for (const int call : {
           SYS_clone, SYS_pipe2,
#if defined(__x86_64__)
               SYS_fork, SYS_vfork, SYS_pipe
#endif
         })
      when(filter, call, {answer(refuse(EAGAIN))});
  for (const int call : {SYS_preadv2, SYS_pwritev2, SYS_copy_file_range, SYS_membarrier})
    when(filter, call, {answer(refuse(ENOSYS))});
  filter.push_back(jump(BPF_JMP | BPF_JGE | BPF_K, first_young_call, 0, 1));
  filter.push_back(answer(refuse(ENOSYS)));
  filter.push_back(answer(refuse(EPERM)));
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
