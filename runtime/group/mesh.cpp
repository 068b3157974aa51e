#include "runtime/group/mesh.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <utility>

#include "base/support/error.hpp"

namespace trl::runtime {
namespace {

constexpr auto kMeeting = std::chrono::minutes(10);
constexpr auto kBetweenTries = std::chrono::milliseconds(5);

/// A descriptor that is closed at the end of its scope unless it is taken.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  int take() { return std::exchange(number, -1); }
};

/// Returns the address of a rank's socket. An address has room for 107 bytes, which a folder's path may
/// exceed, so the path goes through a descriptor of the folder.
sockaddr_un address_of(int folder, int rank) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const auto path = fmt::format("/proc/self/fd/{}/{}", folder, rank);
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

int new_socket(int flags) {
  const int made = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
  if (made < 0) throw UserError(fmt::format("no socket can be made: {}", std::strerror(errno)));
  return made;
}

}  // namespace

Mesh::Lost::Lost(int other) : std::runtime_error(fmt::format("rank {} is gone", other)), rank(other) {}

Mesh::Mesh(int rank, int size, const std::filesystem::path& meeting, const std::function<void()>& check)
    : rank_(rank), sockets_(static_cast<std::size_t>(size), -1) {
  const auto refuse = [&](const std::string& what) {
    throw UserError(fmt::format("{}: {}", meeting.string(), what),
                    "give the processes of a group the same new folder on a local disk");
  };
  const Descriptor folder{::open(meeting.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (folder.number < 0) refuse(fmt::format("cannot be opened: {}", std::strerror(errno)));
  const Descriptor listening{new_socket(SOCK_NONBLOCK)};
  const auto own = address_of(folder.number, rank);
  if (::bind(listening.number, reinterpret_cast<const sockaddr*>(&own), sizeof own) != 0 ||
      ::listen(listening.number, size) != 0)
    refuse(fmt::format("rank {} has no place there: {}", rank, std::strerror(errno)));

  const auto until = std::chrono::steady_clock::now() + kMeeting;
  const auto wait_for = [&](int other) {
    check();
    if (std::chrono::steady_clock::now() > until)
      throw UserError(
          fmt::format("rank {} of {} has not come to {} within ten minutes", other, size, meeting.string()),
          "start all processes of a group together");
    std::this_thread::sleep_for(kBetweenTries);
  };
  try {
    // Each process connects to the lower ranks and tells them its own rank. The higher ranks connect to it.
    for (int other = 0; other < rank; ++other) {
      const auto theirs = address_of(folder.number, other);
      Descriptor made{new_socket(0)};
      while (::connect(made.number, reinterpret_cast<const sockaddr*>(&theirs), sizeof theirs) != 0)
        wait_for(other);
      if (::send(made.number, &rank, sizeof rank, MSG_NOSIGNAL) != sizeof rank) throw Lost(other);
      sockets_[static_cast<std::size_t>(other)] = made.take();
    }
    for (int missing = size - 1 - rank; missing > 0;) {
      Descriptor made{::accept4(listening.number, nullptr, nullptr, SOCK_CLOEXEC)};
      if (made.number < 0) {
        wait_for(
            static_cast<int>(std::find(sockets_.begin() + rank + 1, sockets_.end(), -1) - sockets_.begin()));
        continue;
      }
      int other = -1;
      if (::recv(made.number, &other, sizeof other, MSG_WAITALL) != sizeof other) continue;
      if (other <= rank || other >= size || sockets_[static_cast<std::size_t>(other)] >= 0)
        refuse(
            fmt::format("a process calls itself rank {} of {}, which is impossible or taken", other, size));
      sockets_[static_cast<std::size_t>(other)] = made.take();
      --missing;
    }
  } catch (...) {
    for (const int one : sockets_) Descriptor{one};
    throw;
  }
}

Mesh::~Mesh() {
  for (const int one : sockets_) Descriptor{one};
}

void Mesh::exchange(const std::vector<std::span<const char>>& out,
                    const std::vector<std::span<char>>& in) const {
  const auto size = sockets_.size();
  std::vector<std::size_t> sent(size), received(size);
  const auto own = static_cast<std::size_t>(rank_);
  std::copy(out[own].begin(), out[own].end(), in[own].begin());
  const auto again = [] { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; };
  for (;;) {
    std::vector<pollfd> watched;
    std::vector<std::size_t> ranks;
    for (std::size_t r = 0; r < size; ++r) {
      if (r == own) continue;
      short events = 0;
      if (sent[r] < out[r].size()) events |= POLLOUT;
      if (received[r] < in[r].size()) events |= POLLIN;
      if (events == 0) continue;
      watched.push_back({sockets_[r], events, 0});
      ranks.push_back(r);
    }
    if (watched.empty()) return;
    if (::poll(watched.data(), watched.size(), -1) < 0) continue;  // interrupted
    for (std::size_t i = 0; i < watched.size(); ++i) {
      const auto r = ranks[i];
      if (watched[i].revents == 0) continue;
      if (received[r] < in[r].size()) {
        const auto count =
            ::recv(watched[i].fd, in[r].data() + received[r], in[r].size() - received[r], MSG_DONTWAIT);
        if (count == 0 || (count < 0 && !again())) throw Lost(static_cast<int>(r));
        received[r] += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
      }
      if (sent[r] < out[r].size()) {
        const auto count = ::send(watched[i].fd, out[r].data() + sent[r], out[r].size() - sent[r],
                                  MSG_DONTWAIT | MSG_NOSIGNAL);
        if (count < 0 && !again()) throw Lost(static_cast<int>(r));
        sent[r] += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
      }
    }
  }
}

}  // namespace trl::runtime
