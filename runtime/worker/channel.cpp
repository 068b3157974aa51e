#include "runtime/worker/channel.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

#include "base/support/json_text.hpp"

namespace trl::runtime {

bool Channel::send(const nlohmann::json& message) {
  const std::string line = dumped(message) + "\n";
  const std::lock_guard lock(mutex_);
  std::size_t sent = 0;
  while (sent < line.size()) {
    // Writing to a closed socket must not raise SIGPIPE; other descriptors than sockets need write().
    auto count = ::send(descriptor_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == ENOTSOCK) count = ::write(descriptor_, line.data() + sent, line.size() - sent);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

bool Channel::receive() {
  char buffer[65536];
  ssize_t count = 0;
  do {
    count = ::read(descriptor_, buffer, sizeof buffer);
  } while (count < 0 && errno == EINTR);
  if (count <= 0) return false;
  arrived_.append(buffer, static_cast<std::size_t>(count));
  return true;
}

std::optional<std::string> Channel::next_line() {
  const auto end = arrived_.find('\n', searched_);
  if (end == std::string::npos) {
    searched_ = arrived_.size();
    return std::nullopt;
  }
  std::string line = arrived_.substr(0, end);
  arrived_.erase(0, end + 1);
  searched_ = 0;
  return line;
}

}  // namespace trl::runtime
