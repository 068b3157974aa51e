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
struct Patience {
  using Clock = std::chrono::steady_clock;

  /// For ever.
  Patience() = default;
  Patience(Clock::time_point end, std::function<bool()> ask = {}) : until(end), cancelled(std::move(ask)) {}
  template <typename Rep, typename Period>
  Patience(std::chrono::duration<Rep, Period> time, std::function<bool()> ask = {})
      : Patience(Clock::now() + std::chrono::duration_cast<Clock::duration>(time), std::move(ask)) {}
  /// Until this descriptor can be read.
  static Patience until_readable(int descriptor) {
    Patience patience;
    patience.interrupt = descriptor;
    return patience;
  }

  std::optional<Clock::time_point> until;
  /// Asked about ten times a second while waiting; true gives up.
  std::function<bool()> cancelled;
  int interrupt = -1;

  bool endless() const { return !until && !cancelled && interrupt < 0; }
};

/// A stream socket, or a stream socket to write to and a pipe to read from. Closes what it holds. Used by one
/// thread at a time.
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
  /// The other side reads an end of file; what it writes can still be read.
  void close_for_writing();

  /// Sends all bytes. False when the other side is gone, or patience ends.
  bool send(std::span<const std::byte> bytes, const Patience& patience = {});
  bool send_line(const std::string& line, const Patience& patience = {});
  /// Gives the other side a descriptor, which stays open here: one byte carries it. False when that side is
  /// gone.
  bool hand_over(int descriptor);
  /// The next line without its newline; none at the end, when patience ends, or when the line is longer than
  /// `most_bytes`.
  std::optional<std::string> read_line(std::size_t most_bytes, const Patience& patience = {});
  /// A line that is there already; never waits. Of a socket alone.
  std::optional<std::string> line_at_hand();
  /// Fills `into` completely; false where `read_line` would return none.
  bool read(std::span<std::byte> into, const Patience& patience = {});
  /// All that comes until the end, or until patience ends.
  std::string read_to_end(const Patience& patience = {});

 private:
  enum class Wait { ready, over };
  Wait wait(int descriptor, short events, const Patience& patience) const;
  std::optional<std::string> take_line();
  std::size_t receive_into(void* into, std::size_t most, const Patience& patience);
  bool receive(const Patience& patience);

  int to_ = -1, from_ = -1;
  std::string pending_;
  std::size_t taken_ = 0;     // bytes of pending_ that were returned already
  std::size_t searched_ = 0;  // bytes of pending_ behind `taken_` that are known to hold no newline
};

}  // namespace trl
