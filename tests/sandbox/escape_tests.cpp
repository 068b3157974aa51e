// Attempts to get out of the sandbox by real code (escapes.py), both as the command that trl-sandbox starts
// and as a candidate that the recorder has confined. For each test there is something outside that a
// successful attempt would reach.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/support/child_process.hpp"
#include "tests/sandbox/processes.hpp"

namespace trl::runtime {
namespace {

namespace fs = std::filesystem;

/// What an attack could reach: a file, a secret in the environment, two listening sockets, an open
/// descriptor.
class Outside {
 public:
  Outside() {
    char name[] = "/tmp/trl-escape-XXXXXX";
    folder = mkdtemp(name);
    secret = (folder / "secret.txt").string();
    std::ofstream(secret) << "expected values\n";
    descriptor_ = open(secret.c_str(), O_RDONLY);  // not close-on-exec
    setenv("TRL_TEST_SECRET", "hunter2", 1);
    listen_on_loopback();
    listen_on_abstract_name();
  }
  ~Outside() {
    for (const int fd : {descriptor_, inet_, local_})
      if (fd >= 0) close(fd);
    unsetenv("TRL_TEST_SECRET");
    fs::remove_all(folder);
  }
  Outside(const Outside&) = delete;
  Outside& operator=(const Outside&) = delete;

  fs::path folder;
  std::string secret;
  int port = 0;
  std::string name = "trl-escape-" + std::to_string(getpid());

 private:
  void listen_on_loopback() {
    inet_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(inet_, reinterpret_cast<sockaddr*>(&address), size) == 0 && listen(inet_, 4) == 0 &&
        getsockname(inet_, reinterpret_cast<sockaddr*>(&address), &size) == 0)
      port = ntohs(address.sin_port);
  }
  void listen_on_abstract_name() {
    local_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path + 1, name.data(), name.size());
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
    if (bind(local_, reinterpret_cast<sockaddr*>(&address), size) == 0) listen(local_, 4);
  }

  int descriptor_ = -1, inet_ = -1, local_ = -1;
};

std::vector<std::string> confined(const std::string& place, const std::string& attack,
                                  const std::vector<std::string>& arguments,
                                  const std::vector<std::string>& options) {
  std::vector<std::string> command = {TRL_SANDBOX};
  if (place == "candidate") command.emplace_back("--nesting");
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {"--read", ESCAPES, "--read", TRL_RECORDER, "--read", TRL_ZYGOTE, "--env",
                                 "RECORDER=" TRL_RECORDER, "--env", "ZYGOTE=" TRL_ZYGOTE, "--env",
                                 geteuid() == 0 ? "TRL_ROOT=1" : "TRL_ROOT=0", "--", "/usr/bin/python3", "-S",
                                 "-B", ESCAPES, place, attack});
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

bool refused_here() {
  static const bool refused = [] {
    ChildProcess probe({TRL_SANDBOX, "--", "/bin/true"});
    return probe.wait(std::chrono::seconds(20)) == 125;
  }();
  return refused;
}

class Escape : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (refused_here()) GTEST_SKIP() << "this machine allows no user namespaces";
  }

  void expect_held(const std::string& attack, const std::vector<std::string>& arguments = {},
                   const std::vector<std::string>& options = {}) {
    ChildProcess child(confined(GetParam(), attack, arguments, options));
    const auto line = child.read_line(std::chrono::seconds(60));
    const std::string errors = child.errors();
    ASSERT_TRUE(line) << errors;
    EXPECT_TRUE(line->starts_with("held: ")) << *line << "\n" << errors;
    if (line->find("not tried") != std::string::npos) GTEST_SKIP() << *line;
    // Prints what stopped the attempt, for readers of the log.
    std::cout << GetParam() << ", " << attack << ": " << *line << "\n";
  }

  Outside outside_;
};

TEST_P(Escape, ReadsNoFilesOfTheUser) { expect_held("user_files", {outside_.secret}); }

TEST_P(Escape, ReadsNoSecretsOfTheEnvironment) { expect_held("environment", {"hunter2"}); }

TEST_P(Escape, WritesNowhereButInItsOwnFolder) {
  expect_held("write_outside", {outside_.folder}, {"--read", outside_.folder});
  EXPECT_FALSE(fs::exists(outside_.folder / "new"));
  EXPECT_EQ(fs::file_size(outside_.secret), 16u);
}

TEST_P(Escape, ReachesNoNetwork) {
  ASSERT_GT(outside_.port, 0);
  expect_held("network", {std::to_string(outside_.port), outside_.name});
}

TEST_P(Escape, ReachesNoOtherProcess) { expect_held("other_processes", {std::to_string(getpid())}); }

TEST_P(Escape, SeesItsOwnMemoryAlone) { expect_held("own_memory"); }

TEST_P(Escape, SignalsNobodyOutside) { expect_held("signals", {std::to_string(getpid())}); }

TEST_P(Escape, MountsNothing) { expect_held("mounts"); }

TEST_P(Escape, MakesNoNamespaces) { expect_held("namespaces"); }

TEST_P(Escape, StartsNoProgramOfItsOwnMaking) { expect_held("memfd_exec"); }

TEST_P(Escape, ReachesNoRareCallsOfTheKernel) { expect_held("kernel_calls"); }

TEST_P(Escape, WatchesNoFileThatOthersHaveToo) { expect_held("watched_files"); }

TEST_P(Escape, CountsNothingThatOthersHaveToo) { expect_held("counted_things"); }

TEST_P(Escape, HasNoRightsAndGetsNone) { expect_held("rights"); }

TEST_P(Escape, ForksNoBomb) { expect_held("fork_bomb"); }

TEST_P(Escape, StartsNoThreads) { expect_held("threads"); }

TEST_P(Escape, FillsNoDisk) { expect_held("full_disk", {"5000000"}, {"--write-tmp", "4194304"}); }

TEST_P(Escape, FillsNoMemory) {
  // A candidate may use 512 MiB more than Python itself.
  const bool candidate = std::string(GetParam()) == "candidate";
  expect_held("full_memory", {"600000000"},
              candidate ? std::vector<std::string>{} : std::vector<std::string>{"--memory", "600000000"});
}

TEST_P(Escape, InheritsNoDescriptors) { expect_held("descriptors"); }

TEST_P(Escape, TypesIntoNoTerminal) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) GTEST_SKIP() << "no terminals here";
  std::string command = "exec <" + std::string(ptsname(terminal));
  for (const auto& word : confined(GetParam(), "terminal", {}, {}))
    command += (command.find("; exec") == std::string::npos ? "; exec '" : " '") + word + "'";
  ChildProcess child({"/bin/sh", "-c", command});
  const auto line = child.read_line(std::chrono::seconds(60));
  ASSERT_TRUE(line) << child.errors();
  EXPECT_TRUE(line->starts_with("held: ")) << *line;
  std::cout << GetParam() << ", terminal: " << *line << "\n";
  close(terminal);
}

// Outside of the sandbox the same code succeeds, which proves that the tests above really attempt it.
TEST(EscapeOutside, Succeeds) {
  const Outside outside;
  const std::string pid = std::to_string(getpid());
  for (const std::vector<std::string>& attack : {std::vector<std::string>{"user_files", outside.secret},
                                                 {"environment", "hunter2"},
                                                 {"network", std::to_string(outside.port), outside.name},
                                                 {"signals", pid},
                                                 {"own_memory"},
                                                 {"watched_files"},
                                                 {"counted_things"}}) {
    std::vector<std::string> command = {"/usr/bin/python3", "-S", "-B", ESCAPES, "command"};
    command.insert(command.end(), attack.begin(), attack.end());
    ChildProcess child(command);
    const auto line = child.read_line(std::chrono::seconds(60));
    EXPECT_TRUE(line && line->starts_with("ESCAPED")) << attack[0] << ": " << line.value_or("");
  }
}

TEST_P(Escape, DoesNotSurviveItsParent) {
  const std::string marker = "survivor-" + std::to_string(getpid()) + "-" + GetParam();
  std::string command;
  for (const auto& word : confined(GetParam(), "survive", {}, {"--env", "MARKER=1"}))
    command += (command.empty() ? "'" : " '") + word + "'";
  // The launcher keeps descriptor 3, the output, open until it has ended. A shell that reads "up" kills its
  // parent.
  ChildProcess child({"/bin/sh", "-c",
                      "exec 3>&1; " + command + " " + marker + " | { read line; echo $line; kill -9 $$; }"});
  EXPECT_EQ(child.read_line(std::chrono::seconds(60)), "up") << child.errors();
  while (child.read_line(std::chrono::seconds(20))) {
  }
  // The pipe has closed, so its last holder has ended or is about to.
  for (int tries = 0; tries < 100 && somebody_runs(marker); ++tries) usleep(20'000);
  EXPECT_FALSE(somebody_runs(marker));
}

INSTANTIATE_TEST_SUITE_P(Of, Escape, testing::Values("command", "candidate"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace trl::runtime
