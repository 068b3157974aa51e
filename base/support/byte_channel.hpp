#pragma once
// Lines and bytes between two programs of ours.
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace trl {

/// How long to wait for the other side.
struct WaitLimit {
  using Clock = std::chrono::steady_clock;

  /// Waits for ever.
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
  /// Asked about ten times a second while waiting; true gives up.
  std::function<bool()> cancelled;
  int interrupt = -1;

  bool endless() const { return !until && !cancelled && interrupt < 0; }
};

/// A stream socket, or a stream socket to write to and a pipe to read from. Closes its descriptors. Used by
/// one thread at a time.
class ByteChannel {
 public:
  ByteChannel() = default;
  explicit ByteChannel(int socket) : to_(socket), from_(socket) {}
  /// `pipe` is made one that never blocks.
  ByteChannel(int socket, int pipe);
  ~ByteChannel() { close(); }
  ByteChannel(const ByteChannel&) = delete;
  ByteChannel& operator=(const ByteChannel&) = delete;
  ByteChannel(ByteChannel&& other) noexcept { *this = std::move(other); }
  ByteChannel& operator=(ByteChannel&& other) noexcept;

  bool open() const { return from_ >= 0; }
  void close();
  /// Makes the other side read an end of file; its own messages can still be read.
  void close_for_writing();

  /// Sends all bytes. False when the other side is gone, or `wait_limit` is reached.
  bool send(std::span<const std::byte> bytes, const WaitLimit& wait_limit = {});
  bool send_line(const std::string& line, const WaitLimit& wait_limit = {});
  /// Gives the other side a descriptor, which stays open here: one byte carries it. False when that side is
  /// gone.
  bool hand_over(int descriptor);
  /// The next line without its newline; none at the end, when `wait_limit` is reached, or when the line is
  /// longer than `most_bytes`.
  std::optional<std::string> read_line(std::size_t most_bytes, const WaitLimit& wait_limit = {});
  /// A line that is there already; never waits. Of a socket alone.
  std::optional<std::string> line_at_hand();
  /// Fills `into` completely; false where `read_line` would return none.
  bool read(std::span<std::byte> into, const WaitLimit& wait_limit = {});
  /// All that comes until the end, or until `wait_limit` is reached.
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
