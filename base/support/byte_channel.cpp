#include "base/support/byte_channel.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace trl {
namespace {

constexpr std::size_t piece = 1 << 16;

bool would_wait(int error) { return error == EAGAIN || error == EWOULDBLOCK; }

}  // namespace

ByteChannel::ByteChannel(int socket, int pipe) : to_(socket), from_(pipe) {
  ::fcntl(pipe, F_SETFL, ::fcntl(pipe, F_GETFL) | O_NONBLOCK);
}

ByteChannel& ByteChannel::operator=(ByteChannel&& other) noexcept {
  if (this != &other) {
    close();
    to_ = std::exchange(other.to_, -1);
    from_ = std::exchange(other.from_, -1);
    pending_ = std::exchange(other.pending_, {});
    taken_ = std::exchange(other.taken_, 0);
    searched_ = std::exchange(other.searched_, 0);
  }
  return *this;
}

void ByteChannel::close() {
  if (to_ >= 0 && to_ != from_) ::close(to_);
  if (from_ >= 0) ::close(from_);
  to_ = from_ = -1;
  pending_.clear();
  taken_ = searched_ = 0;
}

void ByteChannel::close_for_writing() {
  if (to_ >= 0) ::shutdown(to_, SHUT_WR);
}

ByteChannel::Wait ByteChannel::wait(int descriptor, short events, const WaitLimit& wait_limit) const {
  using std::chrono::milliseconds;
  constexpr long long between_questions = 100;  // milliseconds
  if (descriptor < 0) return Wait::over;
  while (true) {
    if (wait_limit.cancelled && wait_limit.cancelled()) return Wait::over;
    long long most = wait_limit.cancelled || wait_limit.until ? between_questions : -1;
    if (wait_limit.until) {
      // Rounded up: a caller who learns that the wait is over may rely on `until` having passed.
      const auto left = std::chrono::ceil<milliseconds>(*wait_limit.until - WaitLimit::Clock::now()).count();
      if (left <= 0) return Wait::over;
      most = std::min<long long>(left, most);
    }
    pollfd watched[2] = {{descriptor, events, 0}, {wait_limit.interrupt, POLLIN, 0}};
    const int ready = ::poll(watched, wait_limit.interrupt < 0 ? 1 : 2, static_cast<int>(most));
    if (ready < 0 && errno != EINTR) return Wait::over;
    if (ready <= 0) continue;
    if (watched[1].revents) return Wait::over;
    if (watched[0].revents) return Wait::ready;
  }
}

bool ByteChannel::send(std::span<const std::byte> bytes, const WaitLimit& wait_limit) {
  const int flags = MSG_NOSIGNAL | (wait_limit.endless() ? 0 : MSG_DONTWAIT);
  while (!bytes.empty()) {
    const ssize_t count = ::send(to_, bytes.data(), bytes.size(), flags);
    if (count > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(count));
      continue;
    }
    if (count < 0 && errno == EINTR) continue;
    if (count == 0 || !would_wait(errno) || wait(to_, POLLOUT, wait_limit) == Wait::over) return false;
  }
  return true;
}

bool ByteChannel::send_line(const std::string& line, const WaitLimit& wait_limit) {
  const std::string text = line + "\n";
  return send(std::as_bytes(std::span(text)), wait_limit);
}

bool ByteChannel::hand_over(int descriptor) {
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
    sent = ::sendmsg(to_, &message, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == 1;
}

std::optional<std::string> ByteChannel::take_line() {
  const std::size_t end = pending_.find('\n', std::max(taken_, searched_));
  searched_ = pending_.size();
  if (end == std::string::npos) return std::nullopt;
  std::string line = pending_.substr(taken_, end - taken_);
  taken_ = end + 1;
  searched_ = taken_;
  if (taken_ == pending_.size()) pending_.clear(), taken_ = searched_ = 0;
  return line;
}

// Waits until bytes arrive and reads them. Returns 0 at the end of the file and when `wait_limit` is reached.
// With an endless wait limit at a socket, the only system call is recv, since confined processes may make no
// other.
std::size_t ByteChannel::receive_into(void* into, std::size_t most, const WaitLimit& wait_limit) {
  const bool socket = from_ == to_;
  while (true) {
    // The limit is checked even if there is always something to read, as from a child that writes without
    // end.
    if (wait_limit.until && WaitLimit::Clock::now() >= *wait_limit.until) return 0;
    const ssize_t count = socket ? ::recv(from_, into, most, wait_limit.endless() ? 0 : MSG_DONTWAIT)
                                 : ::read(from_, into, most);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno == EINTR) continue;
    if (!would_wait(errno) || wait(from_, POLLIN, wait_limit) == Wait::over) return 0;
  }
}

bool ByteChannel::receive(const WaitLimit& wait_limit) {
  if (taken_ > 0) {
    pending_.erase(0, taken_);
    searched_ -= std::min(searched_, taken_);
    taken_ = 0;
  }
  const std::size_t before = pending_.size();
  pending_.resize(before + piece);
  const std::size_t count = receive_into(pending_.data() + before, piece, wait_limit);
  pending_.resize(before + count);
  return count > 0;
}

std::optional<std::string> ByteChannel::read_line(std::size_t most_bytes, const WaitLimit& wait_limit) {
  while (true) {
    if (auto line = take_line()) return line;
    if (pending_.size() - taken_ > most_bytes || !receive(wait_limit)) return std::nullopt;
  }
}

std::optional<std::string> ByteChannel::line_at_hand() {
  while (true) {
    if (auto line = take_line()) return line;
    char bytes[4096];
    const ssize_t count = ::recv(from_, bytes, sizeof bytes, MSG_DONTWAIT);
    if (count <= 0) return std::nullopt;
    pending_.append(bytes, static_cast<std::size_t>(count));
  }
}

bool ByteChannel::at_end() const {
  char byte = 0;
  const ssize_t count = ::recv(from_, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return count == 0 || (count < 0 && !would_wait(errno) && errno != EINTR);
}

bool ByteChannel::read(std::span<std::byte> into, const WaitLimit& wait_limit) {
  const std::size_t held = std::min(into.size(), pending_.size() - taken_);
  if (held > 0) std::memcpy(into.data(), pending_.data() + taken_, held);
  taken_ += held;
  if (taken_ == pending_.size()) pending_.clear(), taken_ = searched_ = 0;
  into = into.subspan(held);
  // The rest is received directly into its destination, without another copy.
  while (!into.empty()) {
    const std::size_t count = receive_into(into.data(), into.size(), wait_limit);
    if (count == 0) return false;
    into = into.subspan(count);
  }
  return true;
}

std::string ByteChannel::read_to_end(const WaitLimit& wait_limit) {
  while (receive(wait_limit)) {
  }
  std::string text = pending_.substr(taken_);
  pending_.clear();
  taken_ = searched_ = 0;
  return text;
}

}  // namespace trl
