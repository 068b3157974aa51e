#include "base/support/child_process.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include "base/support/files.hpp"

namespace trl {
namespace {

/// A descriptor that no child inherits. It lies above the descriptors that a child is given, and is closed
/// when this object is destroyed.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {
    if (number < 0 || number > ChildProcess::channel_descriptor) return;
    number_ = ::fcntl(number, F_DUPFD_CLOEXEC, ChildProcess::channel_descriptor + 1);
    ::close(number);
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  int get() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_ = -1;
};

struct Pair {
  Descriptor ours, childs;
};

/// Everything that the child needs. It is prepared before the fork, since the child may not allocate memory.
struct Start {
  std::vector<char*> words, variables;
  /// The descriptors that become the child's descriptors 0, 1, 2 and `channel_descriptor`; -1: the descriptor
  /// stays as it is.
  int descriptors[ChildProcess::channel_descriptor + 1] = {-1, -1, -1, -1};
  bool own_group = true, dies_with_us = false;
  pid_t parent = -1;
  sigset_t mask;
  volatile int failed = 0;  // errno of the call that failed in the child
};

// Runs in the child. The child shares its parent's memory until it executes another program, and its signals
// are blocked.
[[noreturn]] void become(Start& start) {
  if (start.own_group) ::setpgid(0, 0);
  if (start.dies_with_us) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != start.parent) ::_exit(1);
  }
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) != 0) continue;
    if (action.sa_handler == SIG_DFL || (action.sa_handler == SIG_IGN && !start.own_group)) continue;
    action = {};
    action.sa_handler = SIG_DFL;
    ::sigaction(signal, &action, nullptr);
  }
  for (int number = 0; number <= ChildProcess::channel_descriptor; ++number)
    if (start.descriptors[number] >= 0 && ::dup2(start.descriptors[number], number) < 0) {
      start.failed = errno;
      ::_exit(127);
    }
  if (start.own_group) ::sigemptyset(&start.mask);
  ::pthread_sigmask(SIG_SETMASK, &start.mask, nullptr);
  ::execvpe(start.words[0], start.words.data(), start.variables.data());
  start.failed = errno;
  ::_exit(127);
}

// vfork, since fork would copy the page tables of a process that holds gigabytes.
[[gnu::noinline]] pid_t fork_and_become(Start& start) {
  const pid_t child = ::vfork();
  if (child == 0) become(start);
  return child;
}

std::string name_of(const std::string& variable) { return variable.substr(0, variable.find('=')); }

std::vector<std::string> environment_with(const std::vector<std::string>& changes) {
  std::vector<std::string> variables;
  for (const std::string& change : changes)
    if (change.find('=') != std::string::npos) variables.push_back(change);
  for (char** variable = environ; *variable; ++variable)
    if (std::none_of(changes.begin(), changes.end(),
                     [&](const std::string& c) { return name_of(c) == name_of(*variable); }))
      variables.emplace_back(*variable);
  return variables;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (auto& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

Descriptor made(int number, const std::string& program) {
  Descriptor descriptor(number);
  if (descriptor.get() < 0) throw StartError(program, errno);
  return descriptor;
}

Pair socket_pair(const std::string& program) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw StartError(program, errno);
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

Pair pipe_from(const std::string& program) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw StartError(program, errno);
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

Descriptor file_with(const std::string& text, const std::string& program) {
  Descriptor file = made(::memfd_create("input", MFD_CLOEXEC), program);
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t count =
        ::pwrite(file.get(), text.data() + written, text.size() - written, static_cast<off_t>(written));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw StartError(program, errno);
    written += static_cast<std::size_t>(count);
  }
  return file;
}

int decode(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

}  // namespace

StartError::StartError(const std::string& program, int error_code)
    : UserError("cannot start " + program + ": " + std::strerror(error_code),
                "Is the installation whole? Build or install it again."),
      code(error_code) {}

ChildProcess::ChildProcess(const std::vector<std::string>& command, const ChildOptions& options) {
  const std::string& program = command[0];
  Descriptor input, output, errors;
  Pair to_child, from_child;
  Start start;
  if (!options.log.empty()) {
    output = Descriptor(::open(options.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    if (output.get() < 0) throw DiskError("write", options.log, errno);
    input = made(::open("/dev/null", O_RDONLY | O_CLOEXEC), program);
    to_child = socket_pair(program);
    start.descriptors[0] = input.get();
    start.descriptors[1] = start.descriptors[2] = output.get();
    start.descriptors[channel_descriptor] = to_child.childs.get();
  } else {
    // A socket instead of a pipe: writing to a child that has ended is then an error, not a signal.
    to_child = socket_pair(program);
    from_child = pipe_from(program);
    errors = made(::memfd_create("errors", MFD_CLOEXEC), program);
    if (options.input) input = file_with(*options.input, program);
    start.descriptors[0] = options.input ? input.get() : to_child.childs.get();
    start.descriptors[1] = from_child.childs.get();
    start.descriptors[2] = errors.get();
  }

  std::vector<std::string> words = command, variables = environment_with(options.environment);
  start.words = pointers_to(words);
  start.variables = pointers_to(variables);
  start.own_group = options.own_group;
  start.dies_with_us = options.dies_with_us;
  start.parent = ::getpid();
  // No handler of this process may run in the child.
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &start.mask);
  const sigset_t before = start.mask;
  const pid_t child = fork_and_become(start);
  const int failed = child < 0 ? errno : start.failed;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (failed != 0) {
    if (child > 0) ::waitpid(child, nullptr, 0);
    throw StartError(program, failed);
  }
  pid_ = child;
  group_ = options.own_group;
  errors_ = errors.release();
  const int to = to_child.ours.release();
  channel_ = options.log.empty() ? ByteChannel(to, from_child.ours.release()) : ByteChannel(to);
}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this != &other) {
    stop();
    pid_ = std::exchange(other.pid_, -1);
    group_ = other.group_;
    errors_ = std::exchange(other.errors_, -1);
    channel_ = std::move(other.channel_);
  }
  return *this;
}

std::optional<std::vector<std::byte>> ChildProcess::read_bytes(std::size_t count,
                                                               const WaitLimit& wait_limit) {
  // The buffer grows as bytes arrive: a false `count` from the child can't allocate memory.
  constexpr std::size_t piece = std::size_t{1} << 20;
  std::vector<std::byte> bytes;
  while (bytes.size() < count) {
    const std::size_t begun = bytes.size();
    bytes.resize(begun + std::min(piece, count - begun));
    if (!channel_.read(std::span(bytes).subspan(begun), wait_limit)) return std::nullopt;
  }
  return bytes;
}

int ChildProcess::stop() {
  int status = -1;
  if (pid_ > 0) {
    ::kill(group_ ? -pid_ : pid_, SIGKILL);
    int raw = 0;
    while (::waitpid(pid_, &raw, 0) < 0 && errno == EINTR) {
    }
    status = decode(raw);
    pid_ = -1;
  }
  channel_.close();
  if (errors_ >= 0) ::close(std::exchange(errors_, -1));
  return status;
}

bool ChildProcess::alive() {
  if (pid_ <= 0) return false;
  siginfo_t ended{};
  if (::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0)
    return true;
  stop();
  return false;
}

int ChildProcess::wait(std::optional<std::chrono::milliseconds> time) {
  const auto begun = std::chrono::steady_clock::now();
  const int flags = WEXITED | WNOWAIT | (time ? WNOHANG : 0);
  while (pid_ > 0) {
    siginfo_t ended{};
    const int failed = ::waitid(P_PID, static_cast<id_t>(pid_), &ended, flags);
    if (failed != 0 && errno == EINTR) continue;
    if (failed != 0 || ended.si_pid != 0) break;
    if (std::chrono::steady_clock::now() - begun >= *time) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  // A child that has ended is reaped and keeps its exit status; a child that still runs is killed. The
  // processes of its group are killed as well.
  return stop();
}

std::string ChildProcess::errors(std::size_t most_bytes) const {
  std::string text(most_bytes, '\0');
  const ssize_t count = errors_ < 0 ? 0 : ::pread(errors_, text.data(), text.size(), 0);
  text.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::string how_it_ended(int status) {
  constexpr int signalled = 128;
  if (status <= signalled) return "ended with exit status " + std::to_string(status);
  return "was killed by signal " + std::to_string(status - signalled) + " (" + strsignal(status - signalled) +
         ")";
}

}  // namespace trl
