#pragma once
// Lines and bytes over a stream socket, between two of the project's own programs.
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace trl::runtime {

/// One end of a stream socket, which it closes. Used by one thread at a time.
class ByteChannel {
 public:
  /// How long to wait for the other side.
  struct Patience {
    /// Without a value, it waits for ever.
    std::optional<std::chrono::steady_clock::time_point> until;
    /// Called about ten times a second while waiting; false gives up.
    std::function<bool()> going;
  };

  ByteChannel() = default;
  explicit ByteChannel(int descriptor) : descriptor_(descriptor) {}
  ~ByteChannel() { close(); }
  ByteChannel(const ByteChannel&) = delete;
  ByteChannel& operator=(const ByteChannel&) = delete;
  ByteChannel(ByteChannel&& other) noexcept { *this = std::move(other); }
  ByteChannel& operator=(ByteChannel&& other) noexcept;

  bool open() const { return descriptor_ >= 0; }
  void close();

  /// Sends all bytes. False when the other side is gone, or patience ends.
  bool send(std::span<const std::byte> bytes, const Patience& patience = {});
  bool send_line(const std::string& line, const Patience& patience = {});
  /// The next line without its newline; none at the end, when patience ends, or when the line is longer than
  /// `most_bytes`.
  std::optional<std::string> read_line(std::size_t most_bytes, const Patience& patience = {});
  /// A complete line that has arrived already; never waits.
  std::optional<std::string> line_at_hand();
  /// Fills `into` completely; false where `read_line` would return none.
  bool read(std::span<std::byte> into, const Patience& patience = {});

 private:
  enum class Wait { ready, over };
  Wait wait(short events, const Patience& patience);
  std::optional<std::string> take_line();
  bool receive(const Patience& patience);

  int descriptor_ = -1;
  std::string pending_;
  std::size_t taken_ = 0;     // bytes of pending_ that were returned already
  std::size_t searched_ = 0;  // bytes of pending_ behind `taken_` that are known to hold no newline
};

}  // namespace trl::runtime
