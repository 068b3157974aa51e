// A trl-worker that a test starts, and the test's end of the protocol.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/worker/channel.hpp"

namespace trl::runtime::testing {

/// The real trl-worker at the other end of a socket pair.
class Worker {
 public:
  Worker() {
    int ends[2];
    ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
    // Room for a few events, so that a worker isn't far ahead of what the test has read.
    const int least = 1;
    ::setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &least, sizeof least);
    const auto descriptor = std::to_string(ends[1]);
    child_ = ::vfork();
    if (child_ == 0) {
      ::fcntl(ends[1], F_SETFD, 0);
      ::execl(TRL_WORKER, TRL_WORKER, "--protocol-fd", descriptor.c_str(), nullptr);
      ::_exit(127);
    }
    ::close(ends[1]);
    channel_ = std::make_unique<Channel>(ends[0]);
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    if (child_ > 0) ::kill(child_, SIGKILL);
    wait();
    hang_up();
  }

  void send(const nlohmann::json& message) { channel_->send(message); }
  void send_text(const std::string& text) {
    ASSERT_EQ(::write(channel_->descriptor(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }

  nlohmann::json next() {
    for (;;) {
      if (const auto line = channel_->next_line()) return nlohmann::json::parse(*line);
      if (!channel_->receive()) return {{"event", "gone"}};
    }
  }

  /// Returns the first event that is no sign of life.
  nlohmann::json next_said() {
    for (;;)
      if (auto event = next(); event["event"] != "alive") return event;
  }

  /// Returns the first event that is no progress, metric or sign of life.
  nlohmann::json last() {
    for (;;) {
      auto event = next();
      if (event["event"] != "progress" && event["event"] != "metric" && event["event"] != "alive")
        return event;
    }
  }

  void hang_up() {
    if (channel_) ::close(channel_->descriptor());
    channel_.reset();
  }

  int wait() {
    if (child_ <= 0) return -1;
    int status = 0;
    ::waitpid(child_, &status, 0);
    child_ = 0;
    return status;
  }

  void signal(int number) { ::kill(child_, number); }

 private:
  pid_t child_ = 0;
  std::unique_ptr<Channel> channel_;
};

}  // namespace trl::runtime::testing
