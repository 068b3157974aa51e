#include "interpreter/schedule/verifier_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "interpreter/error.hpp"
#include "interpreter/schedule/worker_client.hpp"
#include "interpreter/schedule/worker_process.hpp"

namespace trl::interpreter {
using nlohmann::json;
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

File temporary_file() {
  File file(std::tmpfile());
  if (!file) throw UserError(std::string("cannot make a temporary file: ") + std::strerror(errno));
  ::fcntl(::fileno(file.get()), F_SETFD, FD_CLOEXEC);
  return file;
}

/// A started trl-verify; the destructor kills it with its process group.
class Verifier {
 public:
  explicit Verifier(const std::string& request) : in_(temporary_file()), errors_(temporary_file()) {
    std::fwrite(request.data(), 1, request.size(), in_.get());
    if (std::fflush(in_.get()) != 0)
      throw UserError(std::string("cannot ask trl-verify: ") + std::strerror(errno));
    std::rewind(in_.get());
    const std::string program = find_verifier().string();
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
      throw UserError(std::string("cannot talk to trl-verify: ") + std::strerror(errno));
    const pid_t parent = ::getpid();
    process_ = ::fork();
    if (process_ == 0) {
      ::setpgid(0, 0);
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) ::_exit(1);
      ::dup2(::fileno(in_.get()), 0);
      ::dup2(ends[1], 1);
      ::dup2(::fileno(errors_.get()), 2);
      ::execl(program.c_str(), program.c_str(), "--request", static_cast<char*>(nullptr));
      ::_exit(127);
    }
    ::close(ends[1]);
    output_ = ends[0];
    if (process_ < 0) throw UserError(std::string("cannot start trl-verify: ") + std::strerror(errno));
  }
  ~Verifier() {
    if (process_ > 0) {
      ::kill(-process_, SIGKILL);
      ::kill(process_, SIGKILL);
      ::waitpid(process_, nullptr, 0);
    }
    if (output_ >= 0) ::close(output_);
  }
  Verifier(const Verifier&) = delete;
  Verifier& operator=(const Verifier&) = delete;

  /// The next line of its output, or nothing at the end.
  bool receive(std::string& line, const Interrupt& interrupt) {
    while (true) {
      if (const auto end = buffer_.find('\n'); end != std::string::npos) {
        line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        return true;
      }
      pollfd waiting[2] = {{output_, POLLIN, 0}, {interrupt.descriptor(), POLLIN, 0}};
      if (::poll(waiting, 2, -1) < 0 && errno != EINTR) return false;
      if (waiting[1].revents) throw Interrupted();
      if (!waiting[0].revents) continue;
      char block[65536];
      const auto n = ::read(output_, block, sizeof block);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      buffer_.append(block, static_cast<std::size_t>(n));
    }
  }

  /// Waits until it ends. Throws UserError if it failed.
  void finish() {
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    const auto [message, help] = last_words();
    if (!message.empty()) throw UserError(message, help);
    throw UserError(WIFSIGNALED(status)
                        ? "trl-verify was killed by signal " + std::to_string(WTERMSIG(status))
                        : "trl-verify ended with exit status " + std::to_string(WEXITSTATUS(status)));
  }

 private:
  /// The texts after `error: ` and `help: ` on its standard error.
  std::pair<std::string, std::string> last_words() {
    std::rewind(errors_.get());
    std::string message, help;
    char line[4096];
    while (std::fgets(line, sizeof line, errors_.get())) {
      std::string text = line;
      while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
      if (text.starts_with("error: ")) text.erase(0, 7);
      if (text.starts_with("  help: "))
        help = text.substr(8);
      else if (!text.empty())
        message += (message.empty() ? "" : "\n") + text;
    }
    return {message, help};
  }

  File in_, errors_;
  pid_t process_ = -1;
  int output_ = -1;
  std::string buffer_;
};

}  // namespace

std::filesystem::path find_verifier() { return find_program("trl-verify", "TRL_VERIFY"); }

void ask_verifier(const json& request, const std::function<void(const json&)>& row,
                  const Interrupt& interrupt) {
  Verifier verifier(request.dump(-1, ' ', false, json::error_handler_t::replace));
  std::string line;
  while (verifier.receive(line, interrupt)) {
    const json answer = json::parse(line, nullptr, false);
    if (!answer.is_object())
      throw UserError("trl-verify answered something that isn't JSON: " + line.substr(0, 200));
    row(answer);
  }
  verifier.finish();
}

}  // namespace trl::interpreter
