#pragma once
// A child process that answers lines with lines.
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace trl::runtime {

/// A process in a process group of its own, with which the caller talks over its standard input and output.
/// The destructor kills the group. Used by one thread at a time.
class ChildProcess {
 public:
  ChildProcess() = default;
  /// Starts `command` (no shell; command[0] is a path). Throws std::system_error when it cannot be started.
  explicit ChildProcess(const std::vector<std::string>& command);
  ~ChildProcess() { stop(); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ChildProcess(ChildProcess&& other) noexcept { *this = std::move(other); }
  ChildProcess& operator=(ChildProcess&& other) noexcept;

  bool running() const { return pid_ > 0; }
  /// False once the child has ended; the child is then reaped.
  bool alive();
  /// Writes the line and a newline; false when the child is gone.
  bool write_line(const std::string& line);
  /// The child's next line without its newline. None at the child's end, after `time`, when the line exceeds
  /// `max_bytes`, or once `cancelled` (called ten times a second) returns true.
  std::optional<std::string> read_line(std::chrono::milliseconds time,
                                       const std::function<bool()>& cancelled = {},
                                       std::size_t max_bytes = std::size_t{64} << 20);
  /// Writes bytes; false when the child is gone.
  bool write_bytes(std::span<const std::byte> bytes);
  /// Passes a file descriptor to the child, with one byte on its standard input; the descriptor stays open
  /// here. False when the child is gone.
  bool hand_over(int descriptor);
  /// Reads exactly `count` bytes that follow a line; none where `read_line` would return none.
  std::optional<std::vector<std::byte>> read_bytes(std::size_t count, std::chrono::milliseconds time,
                                                   const std::function<bool()>& cancelled = {});
  /// Kills the child and returns its exit status (128 + signal when a signal ended it); -1 when none was
  /// running.
  int stop();
  /// Waits up to `time` for the child to end by itself, then kills it. Returns the exit status.
  int wait(std::chrono::milliseconds time);
  /// The first 4 KiB of what the child wrote to its standard error.
  std::string errors() const;

 private:
  bool read_more(std::chrono::steady_clock::time_point deadline, const std::function<bool()>& cancelled);

  pid_t pid_ = -1;
  int socket_ = -1;  // its standard input
  int output_ = -1;
  int errors_ = -1;
  std::string pending_;
};

}  // namespace trl::runtime
