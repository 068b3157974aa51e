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

#include "runtime/verify/kernel_check/session.hpp"

namespace trl::kernel_check {

namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr std::size_t largest_source = std::size_t{256} << 10;
constexpr std::size_t largest_request = std::size_t{2} << 20;
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
void confine(int milliseconds) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  limit(RLIMIT_AS, child_memory);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, static_cast<rlim_t>(milliseconds / 1000 + 2));
  signal(SIGXFSZ, SIG_IGN);
  limit(RLIMIT_FSIZE, 0);
}

/// Reads until `file` ends; false past the deadline.
bool read_to_end(int file, Clock::time_point deadline, std::string& text) {
  char piece[65536];
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd waiting{file, POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(left));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    const ssize_t count = read(file, piece, sizeof piece);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    text.append(piece, static_cast<std::size_t>(count));
  }
}

/// Forks. In the child: the descriptor to answer to. In the parent: -1, once the child's answer was written
/// to `output`.
int answer_apart(const Request& request, const std::function<void(std::string_view)>& output) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    output(dumped(to_json(lost("crashed", "no process for it: the machine is out of them"), request.id)));
    return -1;
  }
  if (child == 0) {
    close(ends[0]);
    confine(request.milliseconds);
    return ends[1];
  }
  close(ends[1]);
  std::string text;
  const bool ended =
      read_to_end(ends[0], Clock::now() + std::chrono::milliseconds(request.milliseconds), text);
  close(ends[0]);
  if (!ended) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!ended) {
    text = dumped(
        to_json(lost("too_slow", fmt::format("not parsed after {} ms", request.milliseconds)), request.id));
  } else if (status != 0 || text.empty() || text.back() != '\n') {
    const std::string how = WIFSIGNALED(status) ? fmt::format("ended by signal {}", WTERMSIG(status))
                                                : fmt::format("ended with {}", WEXITSTATUS(status));
    text = dumped(to_json(lost("crashed", "Clang " + how + " on this source"), request.id));
  }
  output(text);
  return -1;
}

/// In the process of a candidate, after its check.
[[noreturn]] void finish(int file, const Answer& answer, const json& id) {
  write_all(file, dumped(to_json(answer, id)));
  _exit(0);
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
  std::ios::sync_with_stdio(false);
  Request request;
  int answer_to = -1;
  const auto output = [](std::string_view text) { write_all(STDOUT_FILENO, text); };
  const auto next = [&]() -> const Request& {
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
      answer_to = answer_apart(request, output);
      if (answer_to >= 0) return request;
    }
    _exit(0);
  };
  check_candidate(next, [&](const Answer& answer) { finish(answer_to, answer, request.id); });
  return 2;
}

Answer check_apart(const Request& request) {
  raise_stack();
  if (request.source.size() > largest_source) return lost("too_large", "the source has more than 256 KiB");
  std::string text;
  const int answer_to = answer_apart(request, [&](std::string_view answer) { text = answer; });
  if (answer_to >= 0) {
    check_candidate([&]() -> const Request& { return request; },
                    [&](const Answer& answer) { finish(answer_to, answer, request.id); });
    _exit(2);
  }
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
