#include "runtime/verify/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

extern char** environ;

namespace trl::runtime {
namespace {

void close_if_open(int& fd) {
  if (fd >= 0) close(fd);
  fd = -1;
}

int decode(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command) {
  // A socket instead of a pipe: writing to a child that has ended is then an error, not a signal.
  int input[2], output[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input) != 0 || pipe2(output, O_CLOEXEC) != 0)
    throw std::system_error(errno, std::generic_category(), "no file descriptors for a child process");
  errors_ = memfd_create("errors", MFD_CLOEXEC);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input[1], 0);
  posix_spawn_file_actions_adddup2(&actions, output[1], 1);
  if (errors_ >= 0) posix_spawn_file_actions_adddup2(&actions, errors_, 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);

  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int error = posix_spawn(&pid_, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(input[1]);
  close(output[1]);
  socket_ = input[0];
  output_ = output[0];
  if (error != 0) {
    pid_ = -1;
    stop();
    throw std::system_error(error, std::generic_category(), "cannot start " + command[0]);
  }
}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this != &other) {
    stop();
    pid_ = std::exchange(other.pid_, -1);
    socket_ = std::exchange(other.socket_, -1);
    output_ = std::exchange(other.output_, -1);
    errors_ = std::exchange(other.errors_, -1);
    pending_ = std::exchange(other.pending_, {});
  }
  return *this;
}

bool ChildProcess::write_line(const std::string& line) {
  const std::string text = line + "\n";
  return write_bytes(std::as_bytes(std::span(text)));
}

bool ChildProcess::write_bytes(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

bool ChildProcess::hand_over(int descriptor) {
  char byte = 'd';
  iovec text{&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof descriptor)] = {};
  msghdr message{};
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* const header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof descriptor);
  std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  ssize_t sent = -1;
  do {
    sent = sendmsg(socket_, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == 1;
}

// Waits a while for bytes of the child and appends them to `pending_`. False at the child's end, past the
// deadline, or once cancelled.
bool ChildProcess::read_more(std::chrono::steady_clock::time_point deadline,
                             const std::function<bool()>& cancelled) {
  if (cancelled && cancelled()) return false;
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now())
          .count();
  if (left <= 0 || output_ < 0) return false;
  pollfd watched{output_, POLLIN, 0};
  if (poll(&watched, 1, static_cast<int>(std::min<long long>(left, 100))) <= 0) return true;
  char bytes[1 << 16];
  const ssize_t count = read(output_, bytes, sizeof bytes);
  if (count < 0 && errno == EINTR) return true;
  if (count <= 0) return false;
  pending_.append(bytes, static_cast<std::size_t>(count));
  return true;
}

std::optional<std::string> ChildProcess::read_line(std::chrono::milliseconds time,
                                                   const std::function<bool()>& cancelled,
                                                   std::size_t max_bytes) {
  const auto deadline = std::chrono::steady_clock::now() + time;
  std::size_t searched = 0;
  while (true) {
    if (std::size_t end = pending_.find('\n', searched); end != std::string::npos) {
      std::string line = pending_.substr(0, end);
      pending_.erase(0, end + 1);
      return line;
    }
    searched = pending_.size();
    if (pending_.size() > max_bytes || !read_more(deadline, cancelled)) return std::nullopt;
  }
}

std::optional<std::vector<std::byte>> ChildProcess::read_bytes(std::size_t count,
                                                               std::chrono::milliseconds time,
                                                               const std::function<bool()>& cancelled) {
  const auto deadline = std::chrono::steady_clock::now() + time;
  while (pending_.size() < count)
    if (!read_more(deadline, cancelled)) return std::nullopt;
  const auto* begin = reinterpret_cast<const std::byte*>(pending_.data());
  std::vector<std::byte> out(begin, begin + count);
  pending_.erase(0, count);
  return out;
}

int ChildProcess::stop() {
  int status = -1;
  if (pid_ > 0) {
    kill(-pid_, SIGKILL);
    int raw = 0;
    while (waitpid(pid_, &raw, 0) < 0 && errno == EINTR) {
    }
    status = decode(raw);
    pid_ = -1;
  }
  close_if_open(socket_);
  close_if_open(output_);
  close_if_open(errors_);
  pending_.clear();
  return status;
}

bool ChildProcess::alive() {
  if (pid_ <= 0) return false;
  siginfo_t ended{};
  if (waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0)
    return true;
  stop();
  return false;
}

int ChildProcess::wait(std::chrono::milliseconds time) {
  const auto deadline = std::chrono::steady_clock::now() + time;
  while (pid_ > 0 && std::chrono::steady_clock::now() < deadline) {
    int raw = 0;
    if (waitpid(pid_, &raw, WNOHANG) == pid_) {
      kill(-pid_, SIGKILL);
      pid_ = -1;
      return decode(raw);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return stop();
}

std::string ChildProcess::errors() const {
  std::string text(4096, '\0');
  const ssize_t count = errors_ < 0 ? 0 : pread(errors_, text.data(), text.size(), 0);
  text.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace trl::runtime
