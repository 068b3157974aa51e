#include "interpreter/schedule/worker_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <vector>

#include "interpreter/error.hpp"
#include "interpreter/files.hpp"

namespace trl::interpreter {
namespace fs = std::filesystem;
using nlohmann::json;

fs::path find_program(const std::string& name, const char* variable) {
  if (const char* named = std::getenv(variable); named && *named) {
    if (!fs::exists(named))
      throw UserError(std::string(variable) + " names " + named + ", which doesn't exist");
    return fs::absolute(named);
  }
  std::error_code error;
  const auto beside = fs::read_symlink("/proc/self/exe", error).parent_path() / name;
  if (!error && fs::exists(beside)) return beside;
  throw UserError("there is no " + name + " beside trl (" + beside.string() + ")",
                  std::string("Build it with `./trl`, or name it in ") + variable + ".");
}

fs::path find_worker() { return find_program("trl-worker", "TRL_WORKER"); }

WorkerProcess::WorkerProcess(WorkerOptions options, const Interrupt& interrupt)
    : options_(std::move(options)), interrupt_(interrupt) {}

WorkerProcess::~WorkerProcess() {
  if (process_ < 0) return;
  try {
    send({{"shutdown", true}});
  } catch (const std::exception&) {
  }
  // An idle worker ends at the end of its input; one that hangs is killed.
  ::shutdown(socket_, SHUT_WR);
  for (int tries = 0; tries < 200; ++tries) {
    if (::waitpid(process_, nullptr, WNOHANG) != 0) {
      ::close(socket_);
      return;
    }
    ::poll(nullptr, 0, 10);
  }
  bury(true);
}

void WorkerProcess::start() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw UserError(std::string("cannot talk to a worker: ") + std::strerror(errno));
  const int log = ::open(options_.log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (log < 0) {
    const int reason = errno;
    for (const int end : ends) ::close(end);
    throw DiskError("write", options_.log, reason);
  }
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const std::string program = options_.program.string(), descriptor = std::to_string(ends[1]);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw UserError(std::string("cannot start a worker: ") + std::strerror(errno));
  if (child == 0) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    ::dup2(nothing, 0);
    ::dup2(log, 1);
    ::dup2(log, 2);
    ::fcntl(ends[1], F_SETFD, 0);
    ::execl(program.c_str(), program.c_str(), "--protocol-fd", descriptor.c_str(),
            static_cast<char*>(nullptr));
    const std::string message = "cannot start " + program + ": " + std::strerror(errno) + "\n";
    [[maybe_unused]] const auto written = ::write(2, message.data(), message.size());
    ::_exit(127);
  }
  ::close(ends[1]);
  ::close(log);
  ::close(nothing);
  process_ = child;
  socket_ = ends[0];
  buffer_.clear();
}

void WorkerProcess::send(const json& message) {
  const std::string line = message.dump() + '\n';
  std::size_t sent = 0;
  while (sent < line.size()) {
    const auto n = ::send(socket_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) crashed("closed its descriptor");
    sent += static_cast<std::size_t>(n);
  }
}

bool WorkerProcess::receive(std::string& line, int id) {
  using std::chrono::steady_clock;
  while (true) {
    const auto end = buffer_.find('\n');
    if (end != std::string::npos) {
      line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return true;
    }
    pollfd waiting[2] = {{socket_, POLLIN, 0}, {interrupt_.descriptor(), POLLIN, 0}};
    int timeout = -1;
    if (cancelled_)
      timeout = std::max<int>(0, static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(
                                                      deadline_ - steady_clock::now())
                                                      .count()));
    // After a cancellation the interrupt's descriptor stays readable, so only the worker is waited for.
    const int ready = ::poll(waiting, cancelled_ ? 1 : 2, timeout);
    if (ready < 0 && errno != EINTR) crashed(std::string("cannot be waited for: ") + std::strerror(errno));
    if (cancelled_ && steady_clock::now() >= deadline_) {
      bury(true);
      throw Interrupted();
    }
    if (ready <= 0) continue;
    if (!cancelled_ && waiting[1].revents) {
      cancelled_ = true;
      deadline_ = steady_clock::now() + options_.patience;
      send({{"id", id}, {"cancel", true}});
    }
    if (waiting[0].revents) {
      char block[65536];
      const auto n = ::recv(socket_, block, sizeof block, 0);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      buffer_.append(block, static_cast<std::size_t>(n));
    }
  }
}

json WorkerProcess::run(const WorkerRequest& request, const WorkerEvents& events) {
  if (interrupt_.requested()) throw Interrupted();
  std::error_code none;
  log_start_ = fs::exists(options_.log, none) ? fs::file_size(options_.log, none) : 0;
  if (process_ < 0) start();
  const int id = ++last_id_;
  auto inputs = json::object();
  for (const auto& [name, path] : request.inputs) inputs[name] = path.string();
  cancelled_ = false;
  send({{"id", id},
        {"stage", request.stage},
        {"spec", request.spec},
        {"inputs", inputs},
        {"output", request.output.string()},
        {"secret", options_.secret},
        {"sandbox", options_.sandbox},
        {"threads", options_.threads},
        {"device", options_.device}});

  std::string line;
  while (receive(line, id)) {
    const json message = json::parse(line, nullptr, false);
    if (!message.is_object() || !message.contains("event")) crashed("sent something that isn't a message");
    if (message.value("id", 0) != id) continue;
    try {
      const auto event = message.at("event").get<std::string>();
      if (event == "progress") {
        if (events.progress)
          events.progress(message.at("done"), message.at("total"), message.value("unit", std::string()));
      } else if (event == "metric") {
        if (events.metric) events.metric(message.at("name"), message.at("step"), message.at("value"));
      } else if (event == "done") {
        return message.value("summary", json::object());
      } else if (event == "error") {
        if (message.value("cancelled", false)) throw Interrupted();
        throw StageFailed(message.at("message"), message.value("help", std::string()));
      }
    } catch (const json::exception&) {
      crashed("sent a message with missing parts");
    }
  }
  if (cancelled_) {
    bury(true);
    throw Interrupted();
  }
  crashed("ended");
}

void WorkerProcess::crashed(const std::string& what) {
  const auto end = bury(what != "ended" && what != "closed its descriptor");
  // If the worker ended by itself, its exit status says more.
  const bool by_itself = what == "ended" || what == "closed its descriptor";
  throw WorkerCrashed("trl-worker " + (by_itself ? end : what), last_words());
}

std::string WorkerProcess::bury(bool kill_it) {
  if (process_ < 0) return "was not running";
  int status = 0;
  if (!kill_it) {
    // The socket is closed: the worker is either ending or hanging.
    for (int tries = 0; tries < 200 && ::waitpid(process_, &status, WNOHANG) == 0; ++tries) {
      if (tries == 199) kill_it = true;
      ::poll(nullptr, 0, 10);
    }
  }
  if (kill_it) {
    ::kill(-process_, SIGKILL);
    ::kill(process_, SIGKILL);
    ::waitpid(process_, &status, 0);
  } else {
    ::kill(-process_, SIGKILL);  // its remaining children
  }
  process_ = -1;
  ::close(socket_);
  socket_ = -1;
  if (WIFSIGNALED(status))
    return "was killed by signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) +
           ")";
  return "ended with exit status " + std::to_string(WEXITSTATUS(status));
}

std::string WorkerProcess::last_words() const {
  std::ifstream in(options_.log, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(log_start_));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
    if (lines.size() > 10) lines.erase(lines.begin());
  }
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

}  // namespace trl::interpreter
