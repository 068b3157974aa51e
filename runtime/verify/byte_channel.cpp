#include "runtime/verify/byte_channel.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace trl::runtime {
namespace {

constexpr std::size_t piece = 1 << 16;

bool would_wait(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

}  // namespace

ByteChannel& ByteChannel::operator=(ByteChannel&& other) noexcept {
  if (this != &other) {
    close();
    descriptor_ = std::exchange(other.descriptor_, -1);
    pending_ = std::exchange(other.pending_, {});
    taken_ = std::exchange(other.taken_, 0);
    searched_ = std::exchange(other.searched_, 0);
  }
  return *this;
}

void ByteChannel::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  pending_.clear();
  taken_ = searched_ = 0;
}

ByteChannel::Wait ByteChannel::wait(short events, const Patience& patience) {
  using std::chrono::milliseconds;
  if (descriptor_ < 0) return Wait::over;
  // Without a deadline no poll is needed: the calls themselves block.
  if (!patience.until && !patience.going) return Wait::ready;
  while (true) {
    if (patience.going && !patience.going()) return Wait::over;
    long long left = 100;
    if (patience.until) {
      left = std::chrono::duration_cast<milliseconds>(*patience.until - std::chrono::steady_clock::now())
                 .count();
      if (left <= 0) return Wait::over;
    }
    pollfd watched{descriptor_, events, 0};
    if (poll(&watched, 1, static_cast<int>(std::min<long long>(left, 100))) > 0) return Wait::ready;
  }
}

bool ByteChannel::send(std::span<const std::byte> bytes, const Patience& patience) {
  const int flags = MSG_NOSIGNAL | (patience.until || patience.going ? MSG_DONTWAIT : 0);
  while (!bytes.empty()) {
    const ssize_t count = ::send(descriptor_, bytes.data(), bytes.size(), flags);
    if (count > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(count));
      continue;
    }
    if (count == 0 || !would_wait(errno) || wait(POLLOUT, patience) == Wait::over) return false;
  }
  return true;
}

bool ByteChannel::send_line(const std::string& line, const Patience& patience) {
  const std::string text = line + "\n";
  return send(std::as_bytes(std::span(text)), patience);
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

// Waits until bytes arrive and appends them to `pending_`.
bool ByteChannel::receive(const Patience& patience) {
  if (taken_ > 0) {
    pending_.erase(0, taken_);
    searched_ -= std::min(searched_, taken_);
    taken_ = 0;
  }
  const int flags = patience.until || patience.going ? MSG_DONTWAIT : 0;
  const std::size_t before = pending_.size();
  pending_.resize(before + piece);
  ssize_t count = -1;
  do {
    count = recv(descriptor_, pending_.data() + before, piece, flags);
  } while (count < 0 && would_wait(errno) && wait(POLLIN, patience) == Wait::ready);
  pending_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  return count > 0;
}

std::optional<std::string> ByteChannel::read_line(std::size_t most_bytes, const Patience& patience) {
  while (true) {
    if (auto line = take_line()) return line;
    if (pending_.size() - taken_ > most_bytes || !receive(patience)) return std::nullopt;
  }
}

std::optional<std::string> ByteChannel::line_at_hand() {
  if (auto line = take_line()) return line;
  char bytes[256];
  const ssize_t count = recv(descriptor_, bytes, sizeof bytes, MSG_DONTWAIT);
  if (count > 0) pending_.append(bytes, static_cast<std::size_t>(count));
  return take_line();
}

bool ByteChannel::read(std::span<std::byte> into, const Patience& patience) {
  const std::size_t held = std::min(into.size(), pending_.size() - taken_);
  if (held > 0) std::memcpy(into.data(), pending_.data() + taken_, held);
  taken_ += held;
  if (taken_ == pending_.size()) pending_.clear(), taken_ = searched_ = 0;
  into = into.subspan(held);
  // The rest is received directly into its destination, without another copy.
  const int flags = patience.until || patience.going ? MSG_DONTWAIT : 0;
  while (!into.empty()) {
    const ssize_t count = recv(descriptor_, into.data(), into.size(), flags);
    if (count > 0) {
      into = into.subspan(static_cast<std::size_t>(count));
      continue;
    }
    if (count == 0 || !would_wait(errno) || wait(POLLIN, patience) == Wait::over) return false;
  }
  return true;
}

}  // namespace trl::runtime
