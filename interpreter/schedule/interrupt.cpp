#include "interpreter/schedule/interrupt.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <csignal>

namespace trl::interpreter {
namespace {

// A signal handler can only use globals.
int signal_pipe[2] = {-1, -1};

void on_signal(int signal) {
  const char byte = static_cast<char>(signal);
  [[maybe_unused]] const auto written = ::write(signal_pipe[1], &byte, 1);
}

/// The signals that ask the program to end. A terminal that is closed sends SIGHUP.
constexpr int signals[] = {SIGINT, SIGTERM, SIGHUP};

/// Installs a handler for these signals. An ignored SIGHUP stays ignored, as nohup requires.
void at_signals(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  for (const int signal : signals) {
    struct sigaction now {};
    const bool ignored = ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
    if (signal != SIGHUP || !ignored) ::sigaction(signal, &action, nullptr);
  }
}

}  // namespace

Interrupt::Interrupt() {
  if (::pipe2(signal_pipe, O_CLOEXEC | O_NONBLOCK) == 0) at_signals(on_signal);
}

Interrupt::~Interrupt() {
  at_signals(SIG_DFL);
  for (int& end : signal_pipe) ::close(end), end = -1;
}

bool Interrupt::requested() const {
  pollfd waiting{signal_pipe[0], POLLIN, 0};
  return ::poll(&waiting, 1, 0) > 0;
}

int Interrupt::times() const {
  int bytes = 0;
  return ::ioctl(signal_pipe[0], FIONREAD, &bytes) == 0 ? bytes : 0;
}

bool Interrupt::forget() {
  for (char signal = 0; ::read(signal_pipe[0], &signal, 1) == 1;) {
    if (signal == SIGINT) continue;
    on_signal(signal);
    return false;
  }
  return true;
}

int Interrupt::descriptor() const { return signal_pipe[0]; }

}  // namespace trl::interpreter
