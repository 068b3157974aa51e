#include "verifier/kernel_check/serve.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <utility>

#include "base/support/json_text.hpp"
#include "verifier/kernel_check/embedded.hpp"
#include "verifier/kernel_check/own_pages.hpp"
#include "verifier/kernel_check/session.hpp"
#include "verifier/sandbox/filter.hpp"

namespace trl::kernel_check {

namespace {

using nlohmann::json;

constexpr std::size_t largest_source = std::size_t{256} << 10;
constexpr std::size_t largest_request = std::size_t{2} << 20;
constexpr std::size_t largest_answer = std::size_t{8} << 20;
// Address space in bytes; Clang's libraries take 0.25 GiB of it.
constexpr rlim_t child_memory = rlim_t{2} << 30;

void write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::string line_of(const json& answer) { return dumped(answer) + "\n"; }

void limit(int resource, rlim_t most) {
  const rlimit value{most, most};
  setrlimit(static_cast<__rlimit_resource>(resource), &value);
}

std::vector<sock_filter> candidate_filter() {
  return runtime::sandbox::make_filter(runtime::sandbox::Profile::candidate);
}

/// Confines the process that parses a candidate.
void confine(const std::vector<sock_filter>& filter) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#ifndef TRL_SANITIZED  // AddressSanitizer reserves terabytes
  limit(RLIMIT_AS, child_memory);
#endif
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, 62);  // seconds; the parent's limit comes first
  signal(SIGXFSZ, SIG_IGN);
  limit(RLIMIT_FSIZE, 0);
  // The process only needs to write to a pipe. The following limits hold if a candidate takes over Clang.
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (!runtime::sandbox::install(filter)) _exit(3);
}

enum class Ended { line, end, late };

/// Returns the CPU time that a process has used.
std::chrono::milliseconds computed(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return {};
  return std::chrono::milliseconds(time.tv_sec * 1000 + time.tv_nsec / 1'000'000);
}

/// Reads a line, including its newline, from a process that may compute for some time. A process that sleeps
/// is ended by the program that sent the request; a process for which nobody waits any more is ended by this
/// one.
Ended read_line(int file, pid_t process, std::chrono::milliseconds most, std::string& text) {
  constexpr int between_looks = 50, most_looks = 12'000;  // ten minutes
  char piece[65536];
  for (int looks = 0;;) {
    pollfd waiting{file, POLLIN, 0};
    const int ready = poll(&waiting, 1, process > 0 ? between_looks : -1);
    if (ready < 0 && errno != EINTR) return Ended::late;
    if (ready <= 0 && process > 0 && (++looks > most_looks || computed(process) > most)) return Ended::late;
    if (ready <= 0) continue;
    const ssize_t count = read(file, piece, sizeof piece);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return Ended::end;
    text.append(piece, static_cast<std::size_t>(count));
    if (text.back() == '\n') return Ended::line;
    if (text.size() > largest_answer) return Ended::late;
  }
}

/// Waits for a process, which is killed first with `kill_it`, and returns its status as waitpid does.
int status_of(pid_t process, bool kill_it) {
  if (kill_it) kill(process, SIGKILL);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

struct Pipes {
  int to[2], from[2];
};

Pipes pipes() {
  Pipes made{};
  if (pipe2(made.to, O_CLOEXEC) != 0 || pipe2(made.from, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  return made;
}

/// An order from the process that reads candidates to the process that forks: either to fork a process with
/// two file descriptors that are sent with the order, or to wait for the end of a process.
struct Order {
  pid_t process = 0;  ///< the process to wait for; 0: fork
  bool kill_it = false;
};

/// The requesting end of a socket pair. At its other end is a process that forks but reads no candidate: a
/// child of a process that had read a candidate could find it in its memory or registers.
class Forker {
 public:
  explicit Forker(int socket) : socket_(socket) {}

  /// Returns the process id, or -1 when the forker is gone.
  pid_t fork(int request, int answer) {
    const Order order;
    iovec data{const_cast<Order*>(&order), sizeof order};
    alignas(cmsghdr) char room[CMSG_SPACE(2 * sizeof(int))]{};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = room;
    message.msg_controllen = sizeof room;
    cmsghdr* head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(2 * sizeof(int));
    const int descriptors[2] = {request, answer};
    std::memcpy(CMSG_DATA(head), descriptors, sizeof descriptors);
    return sendmsg(socket_, &message, MSG_NOSIGNAL) < 0 ? -1 : reply();
  }

  int end(pid_t process, bool kill_it) {
    const Order order{process, kill_it};
    return write(socket_, &order, sizeof order) < 0 ? 0 : reply();
  }

 private:
  int reply() const {
    int status = -1;
    if (read(socket_, &status, sizeof status) != sizeof status) _exit(0);
    return status;
  }

  int socket_;
};

/// Carries out orders until there are no more. In each process that it forks, it returns with that process's
/// two file descriptors.
std::pair<int, int> fork_by_order(int socket) {
  const std::vector<sock_filter> filter = candidate_filter();
  for (;;) {
    Order order;
    iovec data{&order, sizeof order};
    alignas(cmsghdr) char room[CMSG_SPACE(2 * sizeof(int))]{};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = room;
    message.msg_controllen = sizeof room;
    const ssize_t count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (count < 0 && errno == EINTR) continue;
    if (count != sizeof order) _exit(0);
    int status = 0;
    if (order.process) {
      status = status_of(order.process, order.kill_it);
    } else {
      const cmsghdr* head = CMSG_FIRSTHDR(&message);
      if (!head || head->cmsg_len != CMSG_LEN(2 * sizeof(int))) _exit(2);
      int descriptors[2];
      std::memcpy(descriptors, CMSG_DATA(head), sizeof descriptors);
      status = fork();
      if (status == 0) {
        close(socket);
        confine(filter);
        return {descriptors[0], descriptors[1]};
      }
      close(descriptors[0]);
      close(descriptors[1]);
    }
    if (write(socket, &status, sizeof status) != sizeof status) _exit(0);
  }
}

/// A process that waits for its one candidate.
struct Child {
  pid_t process = -1;
  int request = -1, answer = -1;  ///< pipes to the child and from it
  Forker* forker = nullptr;       ///< the forker that is the child's parent; null if this process is

  /// Waits until the process is gone, killing it first with `kill_it`. Returns its exit status as waitpid
  /// does.
  int end(bool kill_it) {
    if (process < 0) return 0;
    const int status = forker ? forker->end(process, kill_it) : status_of(process, kill_it);
    close(request);
    close(answer);
    *this = {};
    return status;
  }
};

Child forked(Forker& forker) {
  const Pipes made = pipes();
  const pid_t process = forker.fork(made.to[0], made.from[1]);
  close(made.to[0]);
  close(made.from[1]);
  if (process < 0) throw std::runtime_error("no process for a candidate");
  return {process, made.to[1], made.from[0], &forker};
}

/// Forks this process. In the child, `process` is 0, and the child has its own ends of the pipes and is
/// confined (`confine`).
Child forked() {
  static const std::vector<sock_filter> filter = candidate_filter();
  const Pipes made = pipes();
  const pid_t process = fork();
  if (process < 0) throw std::runtime_error("no process for a candidate");
  close(process ? made.to[0] : made.to[1]);
  close(process ? made.from[1] : made.from[0]);
  if (process) return {process, made.to[1], made.from[0], nullptr};
  confine(filter);
  return {0, made.to[0], made.from[1], nullptr};
}

/// Returns the child's answer, with its newline, to the request that was sent to it. If the child ended
/// instead, the text says how.
std::string answer_of(Child& child, const Request& request) {
  std::string text;
  const std::chrono::milliseconds most(request.milliseconds);
  const Ended ended = read_line(child.answer, child.process, computed(child.process) + most, text);
  if (ended == Ended::line) return text;
  const int status = child.end(ended == Ended::late);
  if (ended == Ended::late)
    return line_of(
        to_json(lost("too_slow", fmt::format("not parsed after {} ms of computing", request.milliseconds)),
                request.id));
  const std::string how = WIFSIGNALED(status) ? fmt::format("ended by signal {}", WTERMSIG(status))
                                              : fmt::format("ended with {}", WEXITSTATUS(status));
  return line_of(to_json(lost("crashed", "Clang " + how + " on this source"), request.id));
}

/// Sends the answer about a candidate and ends this process, which checks only that candidate.
[[noreturn]] void finish(int file, const Answer& answer, const json& id) {
  write_all(file, line_of(to_json(answer, id)));
  _exit(0);
}

/// A request to check the prelude's example.
Request rehearsal() {
  Request request;
  request.source = embedded().at("example.h");
  for (const std::string word : {"#pragma once", "namespace trl_example {", "}  // namespace trl_example"})
    if (const std::size_t at = request.source.find(word); at != std::string::npos)
      request.source.erase(at, word.size());
  request.emit = true;
  return request;
}

void raise_stack() {
  // Clang recurses with the nesting of its input. The stack is large enough for Clang's own limit on brackets
  // to apply first.
  rlimit stack{};
  getrlimit(RLIMIT_STACK, &stack);
  stack.rlim_cur = std::min<rlim_t>(rlim_t{64} << 20, stack.rlim_max);
  setrlimit(RLIMIT_STACK, &stack);
}

// Reads requests and has each one answered by a process that the forker forks.
[[noreturn]] void answer_requests(Forker forker) {
  const auto output = [](std::string_view text) { write_all(STDOUT_FILENO, text); };
  Child waiting = forked(forker), previous;
  std::string line;
  while (std::getline(std::cin, line)) {
    if (line.size() > largest_request) {
      output(line_of(to_json(lost("too_large", "a request of more than 2 MiB"), nullptr)));
      continue;
    }
    Request request;
    try {
      request = parse_request(line);
    } catch (const std::invalid_argument& error) {
      output(line_of({{"id", nullptr}, {"error", error.what()}}));
      continue;
    }
    if (request.source.size() > largest_source) {
      output(line_of(to_json(lost("too_large", "the source has more than 256 KiB"), request.id)));
      continue;
    }
    line += '\n';
    write_all(waiting.request, line);
    // The process of the previous candidate is cleaned up while this one works.
    previous.end(true);
    output(answer_of(waiting, request));
    previous = std::exchange(waiting, forked(forker));
  }
  previous.end(true);
  waiting.end(true);
  _exit(0);
}

// Starts the process that reads requests. Returns the end of a socket pair on which it orders further
// processes.
int start_answering() {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0)
    throw std::runtime_error("no pair of sockets");
  const pid_t process = fork();
  if (process < 0) throw std::runtime_error("no process that reads requests");
  if (process == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close(sockets[0]);
    answer_requests(Forker(sockets[1]));
  }
  close(sockets[1]);
  return sockets[0];
}

}  // namespace

int serve() {
  raise_stack();
  signal(SIGPIPE, SIG_IGN);
  std::ios::sync_with_stdio(false);
  Request request;
  int answer_file = -1;
  OwnPages pages;
  bool rehearses = false;
  Session session;
  session.warm_code = true;
  session.next = [&]() -> const Request& {
    Child first = forked();
    if (first.process == 0) {
      rehearses = true;
      return request = rehearsal();
    }
    first.end(false);
    const auto [request_file, file] = fork_by_order(start_answering());
    answer_file = file;
    pages.take();
    std::string line;
    if (read_line(request_file, 0, {}, line) != Ended::line) _exit(0);
    return request = parse_request(line);
  };
  session.done = [&](const Answer& answer) {
    if (rehearses) {
      pages.note();
      _exit(0);
    }
    finish(answer_file, answer, request.id);
  };
  check_candidate(session);
  return 2;
}

Answer check_apart(const Request& request) {
  raise_stack();
  if (request.source.size() > largest_source) return lost("too_large", "the source has more than 256 KiB");
  Child child = forked();
  if (child.process == 0) {
    check_candidate({[&]() -> const Request& { return request; },
                     [&](const Answer& answer) { finish(child.answer, answer, request.id); }, false});
    _exit(2);
  }
  const std::string text = answer_of(child, request);
  child.end(true);
  Answer answer;
  const json document = json::parse(text);
  for (const json& one : document.at("findings"))
    answer.findings.push_back(
        {one.at("check"), one.at("severity") == "warn" ? Severity::warn : Severity::refuse, one.at("reason"),
         one.at("message"), one.at("help"), one.at("line"), one.at("column")});
  for (const json& one : document.at("facts").at("kernels")) {
    Facts::Kernel kernel{one.at("name"), one.at("line"), one.at("template"), {}};
    for (const json& parameter : one.at("parameters"))
      kernel.parameters.push_back({parameter.at("name"), parameter.at("type")});
    answer.facts.kernels.push_back(std::move(kernel));
  }
  for (const json& one : document.at("facts").at("launches"))
    answer.facts.launches.push_back({one.at("kernel"), one.at("line")});
  return answer;
}

}  // namespace trl::kernel_check
