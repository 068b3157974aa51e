// Tests what a command inside trl-sandbox can access. Every test runs the real launcher.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/support/child_process.hpp"
#include "tests/sandbox/processes.hpp"

namespace trl::runtime {
namespace {

namespace fs = std::filesystem;

struct Result {
  int status = 0;
  std::string output, errors;
};

Result run(std::vector<std::string> command) {
  ChildProcess child(command);
  Result result;
  while (auto line = child.read_line(std::chrono::seconds(60))) result.output += *line + "\n";
  // The output has ended, and the process is about to.
  std::string errors = child.errors();
  result.status = child.wait(std::chrono::seconds(20));
  result.errors = errors;
  return result;
}

Result confined(const std::vector<std::string>& options, const std::string& script) {
  std::vector<std::string> command = {TRL_SANDBOX};
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {"--", "/bin/sh", "-c", script});
  return run(command);
}

Result python(const std::vector<std::string>& options, const std::string& script) {
  std::vector<std::string> command = {TRL_SANDBOX};
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {"--", "/usr/bin/python3", "-S", "-c", script});
  return run(command);
}

class Sandbox : public testing::Test {
 protected:
  void SetUp() override {
    if (run({TRL_SANDBOX, "--", "/bin/true"}).status == 125)
      GTEST_SKIP() << "this machine allows no user namespaces";
    char name[] = "/tmp/trl-sandbox-test-XXXXXX";
    folder_ = mkdtemp(name);
    std::ofstream(folder_ / "secret.txt") << "expected values\n";
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }
  fs::path folder_;
};

TEST_F(Sandbox, PassesOnTheExitStatus) {
  EXPECT_EQ(confined({}, "exit 7").status, 7);
  EXPECT_EQ(run({TRL_SANDBOX, "--", "/nowhere/at/all"}).status, 127);
  EXPECT_EQ(run({TRL_SANDBOX, "--unknown"}).status, 124);
}

TEST_F(Sandbox, SeesOnlyTheFoldersThatWereNamed) {
  EXPECT_EQ(confined({}, "ls / | tr '\\n' ' '").output.find("home"), std::string::npos);
  const std::string cat = "cat " + (folder_ / "secret.txt").string();
  EXPECT_NE(confined({}, cat).status, 0);
  EXPECT_EQ(confined({"--read", folder_.string()}, cat).output, "expected values\n");
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home == '/') {
    EXPECT_NE(confined({}, std::string("ls -d ") + home + "/.").status, 0);
  }
}

TEST_F(Sandbox, CannotWriteWhatItReads) {
  const std::string file = (folder_ / "secret.txt").string();
  EXPECT_NE(confined({"--read", folder_.string()}, "echo x > " + file).status, 0);
  EXPECT_NE(confined({"--read", folder_.string()}, "touch " + (folder_ / "new").string()).status, 0);
  for (const char* place : {"/", "/usr", "/etc", "/dev", "/proc"})
    EXPECT_NE(confined({}, std::string("touch ") + place + "/new").status, 0) << place;
  // A name that nothing else on this machine has: a file that somebody left in /tmp says nothing about the
  // sandbox.
  const std::string own = "/tmp/" + folder_.filename().string() + ".new";
  EXPECT_EQ(confined({}, "echo x > " + own + " && cat " + own).output, "x\n");
  EXPECT_FALSE(fs::exists(own));
}

TEST_F(Sandbox, CannotLeaveThroughThePathsOfItsOldRoot) {
  EXPECT_NE(confined({}, "ls /../" + folder_.string()).status, 0);
  EXPECT_NE(confined({}, "ls /proc/1/root" + folder_.string()).status, 0);
}

TEST_F(Sandbox, HasNoNetwork) {
  const Result result = python({}, R"(
import _socket
for family in (_socket.AF_INET, _socket.AF_INET6, _socket.AF_UNIX, 16):
    try: _socket.socket(family, _socket.SOCK_STREAM); print("open")
    except PermissionError: print("refused")
)");
  EXPECT_EQ(result.output, "refused\nrefused\nrefused\nrefused\n") << result.errors;
}

TEST_F(Sandbox, SeesNoOtherProcess) {
  EXPECT_EQ(confined({}, "ls /proc | grep -c '^[0-9]' | awk '{print ($1 < 8)}'").output, "1\n");
  EXPECT_NE(confined({}, "kill -0 " + std::to_string(getpid())).status, 0);
}

TEST_F(Sandbox, InheritsNoEnvironmentAndNoDescriptors) {
  setenv("TRL_TEST_SECRET", "hunter2", 1);
  EXPECT_EQ(confined({}, "env").output.find("hunter2"), std::string::npos);
  const Result given = confined({"--env", "GIVEN=1"}, "echo $GIVEN");
  EXPECT_EQ(given.output, "1\n");
  unsetenv("TRL_TEST_SECRET");
  const int fd = dup(0);  // not close-on-exec
  // Descriptors 0, 1, 2 and the one by which ls lists them.
  EXPECT_EQ(confined({}, "ls /proc/self/fd | wc -l").output, "4\n");
  close(fd);
}

TEST_F(Sandbox, HasNoRightsAndCannotGetAny) {
  const std::string status = confined({}, "cat /proc/self/status").output;
  EXPECT_NE(status.find("CapEff:\t0000000000000000"), std::string::npos);
  EXPECT_NE(status.find("CapBnd:\t0000000000000000"), std::string::npos);
  EXPECT_NE(status.find("NoNewPrivs:\t1"), std::string::npos);
  EXPECT_NE(status.find("Seccomp:\t2"), std::string::npos);
}

TEST_F(Sandbox, RefusesCallsThatReachTheKernel) {
  // ptrace, bpf, perf_event_open, userfaultfd, io_uring_setup, keyctl, unshare, mount
  const Result result = python({}, R"(
import ctypes, sys
libc = ctypes.CDLL(None, use_errno=True)
numbers = (101, 321, 298, 323, 425, 250, 272, 165)
import platform
if platform.machine() == "aarch64": numbers = (117, 280, 241, 282, 425, 219, 97, 40)
for number in numbers:
    ctypes.set_errno(0)
    print(libc.syscall(number, 0, 0, 0, 0, 0, 0), ctypes.get_errno())
)");
  EXPECT_EQ(result.output, "-1 1\n-1 1\n-1 1\n-1 1\n-1 1\n-1 1\n-1 1\n-1 1\n") << result.errors;
}

TEST_F(Sandbox, LimitsFilesAndMemory) {
  const Result disk =
      confined({"--write-tmp", "1000000"}, "head -c 5000000 /dev/zero > /tmp/full; wc -c < /tmp/full");
  EXPECT_LE(std::stol(disk.output), 1'000'000);
  const Result memory = python({"--memory", "300000000"}, R"(
try: bytearray(400_000_000); print("had it")
except MemoryError: print("refused")
)");
  EXPECT_EQ(memory.output, "refused\n") << memory.errors;
}

TEST_F(Sandbox, DiesWithItsParent) {
  const std::string marker = "1000." + std::to_string(getpid());
  // The launcher keeps descriptor 3, the output, open until it has ended.
  run({"/bin/sh", "-c",
       "exec 3>&1; " TRL_SANDBOX " -- /bin/sh -c 'echo up; exec sleep " + marker +
           "' | { read line; kill -9 $$; }"});
  EXPECT_FALSE(somebody_runs(marker));
}

TEST(SandboxRefusal, SaysWhatTheMachineRefusesAndHowToMendIt) {
  // Runs in a user namespace that allows no nested ones.
  const Result result = run({"/usr/bin/unshare", "-U", "-r", "/bin/sh", "-c",
                             std::string("echo 0 > /proc/sys/user/max_user_namespaces && exec ") +
                                 TRL_SANDBOX + " -- /bin/echo ran"});
  if (result.status == 1) GTEST_SKIP() << "no user namespace to try it in";
  EXPECT_EQ(result.status, 125);
  EXPECT_EQ(result.output, "");
  EXPECT_NE(result.errors.find("cannot make namespaces"), std::string::npos);
  EXPECT_NE(result.errors.find("--no-sandbox"), std::string::npos);
  EXPECT_EQ(result.errors.find('\n'), std::string::npos);
}

TEST(SandboxRefusal, WithoutIsolationStillLimitsAndFilters) {
  const Result result =
      run({TRL_SANDBOX, "--no-sandbox", "--", "/usr/bin/python3", "-S", "-c",
           "import _socket\ntry: _socket.socket()\nexcept PermissionError: print('refused')"});
  EXPECT_EQ(result.output, "refused\n");
}

}  // namespace
}  // namespace trl::runtime
