#include "verifier/sandbox/options.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/audit.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <set>
#include <utility>

#include "verifier/sandbox/calls.hpp"
#include "verifier/sandbox/filter.hpp"

namespace trl::runtime::sandbox {
namespace {

TEST(SandboxOptions, TakeWhatComesBeforeTheDashes) {
  SandboxOptions options;
  std::string error;
  ASSERT_TRUE(parse_options({"--nesting", "--memory", "1000", "--read", "/a", "--read", "/b", "--env", "A=1",
                             "--", "cmd", "--read"},
                            options, error));
  EXPECT_TRUE(options.isolate);
  EXPECT_TRUE(options.nesting);
  EXPECT_EQ(options.memory, 1000u);
  EXPECT_EQ(options.read, (std::vector<std::string>{"/a", "/b"}));
  EXPECT_EQ(options.environment, (std::vector<std::string>{"A=1"}));
  EXPECT_EQ(options.command, (std::vector<std::string>{"cmd", "--read"}));
}

TEST(SandboxOptions, RefuseWhatTheyDoNotKnow) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--memory", "lots", "--", "cmd"},
                                                {"--sneaky", "1", "--", "cmd"},
                                                {"--read", "--"},
                                                {"--read", "relative", "--", "cmd"},
                                                {"--env", "NAME", "--", "cmd"},
                                                {"--"},
                                                {}}) {
    SandboxOptions options;
    std::string error;
    EXPECT_FALSE(parse_options(words, options, error));
    EXPECT_FALSE(error.empty());
  }
}

constexpr std::array profiles = {Profile::plain, Profile::nesting, Profile::compiler, Profile::candidate,
                                 Profile::executor};
constexpr std::uint32_t allowed = SECCOMP_RET_ALLOW;
constexpr std::uint32_t refused(int error) { return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error); }

#if defined(__x86_64__)
constexpr std::uint32_t native = AUDIT_ARCH_X86_64, foreign = AUDIT_ARCH_I386;
#else
constexpr std::uint32_t native = AUDIT_ARCH_AARCH64, foreign = AUDIT_ARCH_ARM;
#endif

/// What a filter does with a call: interprets its instructions as the kernel does (seccomp(2)).
std::uint32_t verdict(Profile profile, int call, std::array<std::uint64_t, 6> arguments = {},
                      std::uint32_t architecture = native) {
  seccomp_data data{};
  data.nr = call;
  data.arch = architecture;
  std::copy(arguments.begin(), arguments.end(), data.args);
  const auto* bytes = reinterpret_cast<const unsigned char*>(&data);
  const std::vector<sock_filter> filter = make_filter(profile);
  std::uint32_t held = 0;
  for (std::size_t at = 0; at < filter.size(); ++at) {
    const sock_filter& one = filter[at];
    const auto jump = [&](bool condition) { at += condition ? one.jt : one.jf; };
    switch (one.code) {
      case BPF_LD | BPF_W | BPF_ABS:
        std::memcpy(&held, bytes + one.k, sizeof held);
        break;
      case BPF_ALU | BPF_AND | BPF_K:
        held &= one.k;
        break;
      case BPF_JMP | BPF_JEQ | BPF_K:
        jump(held == one.k);
        break;
      case BPF_JMP | BPF_JGE | BPF_K:
        jump(held >= one.k);
        break;
      case BPF_JMP | BPF_JGT | BPF_K:
        jump(held > one.k);
        break;
      case BPF_JMP | BPF_JA:
        at += one.k;
        break;
      case BPF_JMP | BPF_JSET | BPF_K:
        jump((held & one.k) != 0);
        break;
      case BPF_RET | BPF_K:
        return one.k;
      default:
        ADD_FAILURE() << "an instruction that this test doesn't know: " << one.code;
        return 0;
    }
  }
  ADD_FAILURE() << "the filter doesn't end";
  return 0;
}

TEST(Filter, RefusesWhatNoTableNames) {
  std::set<int> named;
  for (const AllowedCall& call : allowed_calls()) named.insert(call.number);
  for (const Profile profile : profiles)
    for (int call = 0; call < 1024; ++call)
      if (!named.contains(call)) {
        EXPECT_NE(verdict(profile, call), allowed) << call;
      }
}

TEST(Filter, TellsWhichErrorACallHas) {
  for (const Profile profile : profiles) {
    EXPECT_EQ(verdict(profile, SYS_bpf), refused(EPERM));
    for (const int call : {first_young_call, 470, 5000, 0x3fffffff})
      EXPECT_EQ(verdict(profile, call), refused(ENOSYS)) << call;
    for (const int call : {SYS_read, SYS_bpf, 470, 0x40000000 | SYS_read})
      EXPECT_EQ(verdict(profile, call, {}, foreign), SECCOMP_RET_KILL_PROCESS) << call;
#if defined(__x86_64__)
    EXPECT_EQ(verdict(profile, 0x40000000 | SYS_read), refused(EPERM));
    EXPECT_EQ(verdict(profile, -1), refused(EPERM));
#endif
  }
}

TEST(Filter, LeavesTheExecutorsChildrenFewCalls) {
  const auto child = [](int call, std::array<std::uint64_t, 6> arguments) {
    return verdict(Profile::executor, call, arguments);
  };
  for (const int call : {SYS_read, SYS_sendto, SYS_futex, SYS_exit_group})
    EXPECT_EQ(child(call, {}), allowed);
  for (const int call : {SYS_openat, SYS_kill, SYS_socketpair, SYS_prctl, SYS_execve, SYS_dup, SYS_ppoll})
    EXPECT_EQ(child(call, {}), refused(EPERM)) << call;
  for (const int call : {SYS_mmap, SYS_mprotect}) {
    EXPECT_EQ(child(call, {0, 4096, PROT_READ | PROT_WRITE}), allowed);
    EXPECT_EQ(child(call, {0, 4096, PROT_READ | PROT_EXEC}), refused(EPERM));
  }
  EXPECT_EQ(child(SYS_clone, {CLONE_THREAD | CLONE_VM}), allowed);
  EXPECT_EQ(child(SYS_clone, {SIGCHLD}), refused(EPERM));
  EXPECT_EQ(child(435 /* clone3 */, {}), refused(ENOSYS));
}

TEST(Filter, AllowsAChildNothingThatItsServiceMayNot) {
  // A child has two filters: its service's and its own.
  for (const AllowedCall& call : allowed_calls())
    for (const auto& [who, profile] :
         {std::pair{Who::candidate, Profile::candidate}, std::pair{Who::compiler, Profile::compiler}})
      if (call.who & who && call.arguments == Arguments::any) {
        EXPECT_EQ(verdict(Profile::nesting, call.number), allowed) << call.number;
      }
}

TEST(Filter, LooksAtArguments) {
  const auto candidate = [](int call, std::array<std::uint64_t, 6> arguments) {
    return verdict(Profile::candidate, call, arguments);
  };
  EXPECT_EQ(candidate(SYS_fcntl, {3, F_SETFL, 0}), allowed);
  for (const int command : {F_SETLK, F_SETLKW, F_OFD_SETLK, F_SETLEASE, F_NOTIFY, F_SETPIPE_SZ, F_SETSIG,
                            F_SETOWN, F_ADD_SEALS, F_GETPIPE_SZ})
    EXPECT_EQ(candidate(SYS_fcntl, {3, static_cast<std::uint64_t>(command), 0}), refused(EPERM)) << command;
  EXPECT_EQ(candidate(SYS_mmap, {0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS}), allowed);
  EXPECT_EQ(candidate(SYS_mmap, {0, 4096, PROT_READ, MAP_SHARED}), refused(EPERM));
  EXPECT_EQ(candidate(SYS_mmap, {0, 4096, PROT_READ, MAP_SHARED_VALIDATE}), refused(EPERM));
  EXPECT_EQ(candidate(SYS_mmap, {0, 4096, PROT_READ, MAP_PRIVATE | MAP_HUGETLB}), refused(EPERM));
  EXPECT_EQ(candidate(SYS_futex, {0, FUTEX_WAKE | FUTEX_PRIVATE_FLAG}), allowed);
  EXPECT_EQ(candidate(SYS_futex, {0, FUTEX_WAKE}), refused(EPERM));
  EXPECT_EQ(candidate(SYS_kill, {1, SIGABRT}), allowed);
  EXPECT_EQ(candidate(SYS_kill, {1, 40}), refused(EPERM));
  EXPECT_EQ(candidate(SYS_tgkill, {1, 1, 40}), refused(EPERM));
  EXPECT_EQ(candidate(SYS_prlimit64, {0, RLIMIT_STACK, 0, 1}), allowed);
  EXPECT_EQ(candidate(SYS_prlimit64, {0, RLIMIT_STACK, 1, 0}), refused(EPERM));
  EXPECT_EQ(candidate(SYS_prlimit64, {0, RLIMIT_STACK, std::uint64_t{1} << 32, 0}), refused(EPERM));
  EXPECT_EQ(candidate(SYS_madvise, {0, 0, MADV_DONTNEED}), allowed);
  EXPECT_EQ(candidate(SYS_madvise, {0, 0, MADV_POPULATE_WRITE}), allowed);
  EXPECT_EQ(candidate(SYS_madvise, {0, 0, 21 /* MADV_PAGEOUT */}), refused(EPERM));
  EXPECT_EQ(candidate(SYS_prctl, {PR_SET_NAME}), allowed);
  EXPECT_EQ(candidate(SYS_prctl, {PR_SET_PDEATHSIG}), refused(EPERM));
  EXPECT_EQ(candidate(SYS_clone, {SIGCHLD}), refused(EAGAIN));
  EXPECT_EQ(verdict(Profile::nesting, SYS_clone, {SIGCHLD}), allowed);
  EXPECT_EQ(verdict(Profile::nesting, SYS_clone, {0x10000000 | SIGCHLD}), refused(EPERM));
  EXPECT_EQ(verdict(Profile::nesting, SYS_socketpair, {AF_UNIX}), allowed);
  EXPECT_EQ(verdict(Profile::nesting, SYS_socketpair, {AF_INET}), refused(EPERM));
  EXPECT_EQ(verdict(Profile::compiler, SYS_socketpair, {AF_UNIX}), refused(EPERM));
}

TEST(Filter, IsWrittenAsHexadecimal) {
  EXPECT_EQ(to_hex(make_filter(Profile::plain)).size(),
            make_filter(Profile::plain).size() * sizeof(sock_filter) * 2);
}

}  // namespace
}  // namespace trl::runtime::sandbox
