#include "runtime/verify/kernel_check/serve.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <utility>

#include "runtime/verify/kernel_check/embedded.hpp"
#include "runtime/verify/kernel_check/huge_text.hpp"
#include "runtime/verify/kernel_check/own_pages.hpp"
#include "runtime/verify/kernel_check/session.hpp"

namespace trl::kernel_check {

namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr std::size_t largest_source = std::size_t{256} << 10;
constexpr std::size_t largest_request = std::size_t{2} << 20;
constexpr std::size_t largest_answer = std::size_t{8} << 20;
constexpr rlim_t child_memory = rlim_t{2} << 30;  // of address space; Clang's libraries take 0.25 GiB

void write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::string dumped(const json& answer) {
  return answer.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

void limit(int resource, rlim_t most) {
  const rlimit value{most, most};
  setrlimit(static_cast<__rlimit_resource>(resource), &value);
}

/// Of the process that parses a candidate.
void confine() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  limit(RLIMIT_AS, child_memory);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, 62);  // seconds; the parent's deadline comes first
  signal(SIGXFSZ, SIG_IGN);
  limit(RLIMIT_FSIZE, 0);
}

enum class Ended { line, end, late };

/// Reads a line, with its newline.
Ended read_line(int file, Clock::time_point deadline, std::string& text) {
  char piece[65536];
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return Ended::late;
    pollfd waiting{file, POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(left));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return Ended::late;
    const ssize_t count = read(file, piece, sizeof piece);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return Ended::end;
    text.append(piece, static_cast<std::size_t>(count));
    if (text.back() == '\n') return Ended::line;
    if (text.size() > largest_answer) return Ended::late;
  }
}

/// A process that waits for its one candidate.
struct Child {
  pid_t process = -1;
  int request = -1, answer = -1;  ///< pipes to it and from it; in the child itself, its ends of them

  /// Ends it and waits until it is gone; its exit status as waitpid gives it.
  int end(bool kill_it) {
    if (process < 0) return 0;
    if (kill_it) kill(process, SIGKILL);
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    close(request);
    close(answer);
    *this = {};
    return status;
  }
};

/// Forks. `process` is 0 in the child, which has its limits but the one of time.
Child forked() {
  int to[2], from[2];
  if (pipe2(to, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  if (pipe2(from, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  const pid_t process = fork();
  if (process < 0) throw std::runtime_error("no process for a candidate");
  close(process ? to[0] : to[1]);
  close(process ? from[1] : from[0]);
  if (process) return {process, to[1], from[0]};
  confine();
  return {0, to[0], from[1]};
}

/// The child's answer to a request that was sent to it, with its newline; or what became of the child.
std::string answer_of(Child& child, const Request& request) {
  std::string text;
  const Ended ended =
      read_line(child.answer, Clock::now() + std::chrono::milliseconds(request.milliseconds), text);
  if (ended == Ended::line) return text;
  const int status = child.end(ended == Ended::late);
  if (ended == Ended::late)
    return dumped(
        to_json(lost("too_slow", fmt::format("not parsed after {} ms", request.milliseconds)), request.id));
  const std::string how = WIFSIGNALED(status) ? fmt::format("ended by signal {}", WTERMSIG(status))
                                              : fmt::format("ended with {}", WEXITSTATUS(status));
  return dumped(to_json(lost("crashed", "Clang " + how + " on this source"), request.id));
}

/// In the process of a candidate, after its check.
[[noreturn]] void finish(int file, const Answer& answer, const json& id) {
  write_all(file, dumped(to_json(answer, id)));
  _exit(0);
}

/// The prelude's example as a candidate.
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
  // Clang recurses with the nesting of what it reads; its own limit of brackets comes first.
  rlimit stack{};
  getrlimit(RLIMIT_STACK, &stack);
  stack.rlim_cur = std::min<rlim_t>(rlim_t{64} << 20, stack.rlim_max);
  setrlimit(RLIMIT_STACK, &stack);
}

}  // namespace

int serve() {
  raise_stack();
  signal(SIGPIPE, SIG_IGN);
  move_to_huge_pages("libclang-cpp.so");
  move_to_huge_pages("libLLVM");
  std::ios::sync_with_stdio(false);
  Request request;
  Child self;
  OwnPages pages;
  bool rehearses = false;
  Session session;
  session.warm_code = true;
  const auto received = [&](const Child& child) -> const Request& {
    pages.take();
    std::string line;
    const auto deadline = Clock::now() + std::chrono::hours(24 * 365);
    if (read_line(child.request, deadline, line) != Ended::line) _exit(0);
    request = parse_request(line);
    return request;
  };
  session.next = [&]() -> const Request& {
    const auto output = [](std::string_view text) { write_all(STDOUT_FILENO, text); };
    Child first = forked();
    if (first.process == 0) {
      rehearses = true;
      return request = rehearsal();
    }
    first.end(false);
    Child waiting = forked(), previous;
    if (waiting.process == 0) return received(self = waiting);
    std::string line;
    while (std::getline(std::cin, line)) {
      if (line.size() > largest_request) {
        output(dumped(to_json(lost("too_large", "a request of more than 2 MiB"), nullptr)));
        continue;
      }
      try {
        request = parse_request(line);
      } catch (const std::invalid_argument& error) {
        output(dumped({{"id", nullptr}, {"error", error.what()}}));
        continue;
      }
      if (request.source.size() > largest_source) {
        output(dumped(to_json(lost("too_large", "the source has more than 256 KiB"), request.id)));
        continue;
      }
      line += '\n';
      write_all(waiting.request, line);
      // While this one works, the one before it is cleared away.
      previous.end(true);
      output(answer_of(waiting, request));
      previous = std::exchange(waiting, forked());
      if (waiting.process == 0) return received(self = waiting);
    }
    previous.end(true);
    waiting.end(true);
    _exit(0);
  };
  session.done = [&](const Answer& answer) {
    if (rehearses) {
      pages.note();
      _exit(0);
    }
    finish(self.answer, answer, request.id);
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
