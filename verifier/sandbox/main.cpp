// trl-sandbox runs a command that can access only the files and limits given to it.
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "verifier/sandbox/filesystem.hpp"
#include "verifier/sandbox/options.hpp"
#include "verifier/sandbox/privileges.hpp"

namespace {

using namespace trl::runtime::sandbox;

constexpr int status_usage = 124, status_no_command = 127;

// Prints one line: which step the machine refuses, and how to allow it.
int report_refusal(const std::string& what) {
  std::fprintf(
      stderr,
      "trl-sandbox: this machine does not allow the isolation of candidates: %s. Allow user namespaces "
      "(as root: sysctl user.max_user_namespaces=15000 kernel.unprivileged_userns_clone=1 "
      "kernel.apparmor_restrict_unprivileged_userns=0, whichever exist; inside a chroot the kernel refuses "
      "them always: enter the folder by pivot_root or systemd-nspawn), or pass --no-sandbox to run "
      "candidates with your own rights.\n",
      what.c_str());
  return status_refused;
}

bool write_file(const std::string& path, const std::string& text) {
  int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  bool good = write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(fd);
  return good;
}

[[noreturn]] void exec_command(const SandboxOptions& options) {
  std::vector<std::string> environment = make_environment(options);
  std::vector<char*> names, words;
  for (std::string& one : environment) names.push_back(one.data());
  std::vector<std::string> command = options.command;
  for (std::string& one : command) words.push_back(one.data());
  names.push_back(nullptr);
  words.push_back(nullptr);
  execvpe(words[0], words.data(), names.data());
  std::fprintf(stderr, "trl-sandbox: cannot run %s: %s\n", words[0], std::strerror(errno));
  _exit(status_no_command);
}

// Waits for the child. If the process that started trl-sandbox ends, the child is killed, whichever of that
// process's threads had started trl-sandbox.
int wait_for(pid_t child, pid_t parent) {
  int parent_fd = static_cast<int>(syscall(434 /* pidfd_open */, parent, 0));
  int child_fd = static_cast<int>(syscall(434 /* pidfd_open */, child, 0));
  pollfd watched[2] = {{child_fd, POLLIN, 0}, {parent_fd, POLLIN, 0}};
  while (child_fd >= 0 && getppid() == parent) {
    int ready = poll(watched, parent_fd < 0 ? 1 : 2, 1000);
    if (ready < 0 && errno != EINTR) break;
    if (watched[0].revents != 0 || watched[1].revents != 0) break;
  }
  if (getppid() != parent || watched[1].revents != 0) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

struct Setup {
  const SandboxOptions* options;
  int mapped[2];   // the parent closes this pipe once the user namespace has its ids
  int refused[2];  // carries the message about the step that failed in the child
};

int run_isolated_child(Setup& setup) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  close(setup.mapped[1]);
  close(setup.refused[0]);
  char byte = 0;
  if (read(setup.mapped[0], &byte, 1) != 1) _exit(status_refused);
  try {
    enter_private_root(*setup.options);
    set_limits(*setup.options);
    if (!drop_privileges(*setup.options))
      throw Refused(std::string("cannot drop privileges: ") + std::strerror(errno));
  } catch (const Refused& refused) {
    std::string what = refused.what();
    if (write(setup.refused[1], what.data(), what.size()) < 0) _exit(status_refused);
    _exit(status_refused);
  }
  // A change of capabilities clears the death signal, so it is set again.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  close_descriptors();
  exec_command(*setup.options);
}

int run_isolated(const SandboxOptions& options, pid_t parent) {
  Setup setup{&options, {}, {}};
  if (pipe2(setup.mapped, O_CLOEXEC) != 0 || pipe2(setup.refused, O_CLOEXEC) != 0)
    return report_refusal("no descriptors left");
  const uid_t user = geteuid();
  const gid_t group = getegid();
  const unsigned long flags =
      CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | SIGCHLD;
  pid_t child = static_cast<pid_t>(syscall(SYS_clone, flags, nullptr, nullptr, nullptr, nullptr));
  if (child < 0) return report_refusal(std::string("cannot make namespaces: ") + std::strerror(errno));
  if (child == 0) return run_isolated_child(setup);
  close(setup.mapped[0]);
  close(setup.refused[1]);
  const std::string folder = "/proc/" + std::to_string(child);
  const bool mapped = write_file(folder + "/setgroups", "deny") &&
                      write_file(folder + "/uid_map", "1000 " + std::to_string(user) + " 1\n") &&
                      write_file(folder + "/gid_map", "1000 " + std::to_string(group) + " 1\n");
  if (!mapped) {
    std::string what = std::string("cannot map user ids: ") + std::strerror(errno);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    return report_refusal(what);
  }
  if (write(setup.mapped[1], "x", 1) != 1) kill(child, SIGKILL);
  std::string what;
  char text[512];
  for (ssize_t length; (length = read(setup.refused[0], text, sizeof text)) > 0;)
    what.append(text, static_cast<std::size_t>(length));
  if (!what.empty()) {
    waitpid(child, nullptr, 0);
    return report_refusal(what);
  }
  return wait_for(child, parent);
}

int run_unconfined(const SandboxOptions& options, pid_t parent) {
  pid_t child = fork();
  if (child < 0) return report_refusal(std::string("cannot fork: ") + std::strerror(errno));
  if (child > 0) return wait_for(child, parent);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  set_limits(options);
  if (!drop_privileges(options)) {
    std::fprintf(stderr, "trl-sandbox: cannot filter system calls: %s\n", std::strerror(errno));
    _exit(status_refused);
  }
  close_descriptors();
  exec_command(options);
}

}  // namespace

int main(int count, char** words) {
  const pid_t parent = getppid();
  SandboxOptions options;
  std::string error;
  if (!parse_options({words + 1, words + count}, options, error)) {
    std::fprintf(stderr, "trl-sandbox: %s\n%s", error.c_str(), usage().c_str());
    return status_usage;
  }
  return options.isolate ? run_isolated(options, parent) : run_unconfined(options, parent);
}
