#pragma once
// Sends lines and bytes between two programs of this project.
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace trl {

/// How long to wait for the program at the other end. A wait ends at the time `until`, when `cancelled`
/// returns true, or when the descriptor `interrupt` can be read, whichever comes first.
struct WaitLimit {
  using Clock = std::chrono::steady_clock;

  /// Waits without a limit.
  WaitLimit() = default;
  WaitLimit(Clock::time_point end, std::function<bool()> ask = {}) : until(end), cancelled(std::move(ask)) {}
  template <typename Rep, typename Period>
  WaitLimit(std::chrono::duration<Rep, Period> time, std::function<bool()> ask = {})
      : WaitLimit(Clock::now() + std::chrono::duration_cast<Clock::duration>(time), std::move(ask)) {}
  /// Waits until this descriptor can be read.
  static WaitLimit until_readable(int descriptor) {
    WaitLimit wait_limit;
    wait_limit.interrupt = descriptor;
    return wait_limit;
  }

  std::optional<Clock::time_point> until;
  /// Called about ten times a second while waiting; true ends the wait.
  std::function<bool()> cancelled;
  int interrupt = -1;

  bool endless() const { return !until && !cancelled && interrupt < 0; }
};

/// One end of a connection: a stream socket, or a stream socket to write to and a pipe to read from. The
/// destructor closes the descriptors. Used by one thread at a time.
class ByteChannel {
 public:
  ByteChannel() = default;
  explicit ByteChannel(int socket) : to_(socket), from_(socket) {}
  /// Makes `pipe` non-blocking.
  ByteChannel(int socket, int pipe);
  ~ByteChannel() { close(); }
  ByteChannel(const ByteChannel&) = delete;
  ByteChannel& operator=(const ByteChannel&) = delete;
  ByteChannel(ByteChannel&& other) noexcept { *this = std::move(other); }
  ByteChannel& operator=(ByteChannel&& other) noexcept;

  bool open() const { return from_ >= 0; }
  /// The descriptor from which messages come, for poll(2); -1 if the channel is closed.
  int descriptor() const { return from_; }
  void close();
  /// Makes the other end read an end of file. Messages from the other end can still be read.
  void close_for_writing();

  /// Sends all bytes. Returns false when the other end is closed or `wait_limit` is reached.
  bool send(std::span<const std::byte> bytes, const WaitLimit& wait_limit = {});
  bool send_line(const std::string& line, const WaitLimit& wait_limit = {});
  /// Passes a file descriptor to the other end, together with one byte. The descriptor stays open here, too.
  /// Returns false when the other end is closed.
  bool hand_over(int descriptor);
  /// Returns the next line without its newline; nothing at the end of the file, when `wait_limit` is reached,
  /// or when the line is longer than `most_bytes`.
  std::optional<std::string> read_line(std::size_t most_bytes, const WaitLimit& wait_limit = {});
  /// Returns the next line if it has arrived already; never waits. Only for a channel without a pipe.
  std::optional<std::string> line_at_hand();
  /// Returns whether the other end is closed and has sent nothing that wasn't received yet. Only for a
  /// channel without a pipe.
  bool at_end() const;
  /// Fills `into` completely. Returns false at the end of the file or when `wait_limit` is reached.
  bool read(std::span<std::byte> into, const WaitLimit& wait_limit = {});
  /// Returns all bytes until the end of the file, or until `wait_limit` is reached.
  std::string read_to_end(const WaitLimit& wait_limit = {});

 private:
  enum class Wait { ready, over };
  Wait wait(int descriptor, short events, const WaitLimit& wait_limit) const;
  std::optional<std::string> take_line();
  std::size_t receive_into(void* into, std::size_t most, const WaitLimit& wait_limit);
  bool receive(const WaitLimit& wait_limit);

  int to_ = -1, from_ = -1;
  std::string pending_;
  std::size_t taken_ = 0;     // bytes of pending_ that were returned already
  std::size_t searched_ = 0;  // bytes of pending_ behind `taken_` that are known to hold no newline
};

}  // namespace trl
