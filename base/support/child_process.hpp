#pragma once
// Starts other programs and exchanges lines and bytes with them.
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/support/byte_channel.hpp"
#include "base/support/error.hpp"

namespace trl {

/// A program that can't be started.
struct StartError : UserError {
  /// `error_code` is the value of errno.
  StartError(const std::string& program, int error_code);
  int code;
};

/// How a child process is started. By default, this process exchanges messages with it over its standard
/// input and output.
struct ChildOptions {
  /// The whole standard input of the child. If absent, the child reads the bytes that `write_line` and
  /// `write_bytes` write.
  std::optional<std::string> input{};
  /// If not empty, a file to which the child's standard output and error are appended. Messages then go over
  /// a socket, which is the child's descriptor 3, and its standard input is empty.
  std::filesystem::path log{};
  /// The child's environment is this process's with these changes: "NAME=value" sets a variable, "NAME"
  /// removes it.
  std::vector<std::string> environment{};
  /// Whether the child gets its own process group and default signals: Ctrl-C at the terminal doesn't reach
  /// it, it ignores and blocks no signal, and the processes that it starts are killed with it.
  bool own_group = true;
  /// Whether the child is killed when the thread that starts it ends.
  bool dies_with_us = false;
};

/// A child process. The destructor kills it, with its process group if it has its own. Used by one thread at
/// a time.
class ChildProcess {
 public:
  /// The child's descriptor for messages if it has a log.
  static constexpr int channel_descriptor = 3;

  ChildProcess() = default;
  /// Starts `command` without a shell; a command[0] without a slash is searched for in PATH. Throws
  /// StartError, and DiskError when the log can't be written.
  explicit ChildProcess(const std::vector<std::string>& command, const ChildOptions& options = {});
  /// A program that another process started, at the other end of a socket. It has no process id here, its
  /// exit status is -1, and all that `stop` can do is to close the connection.
  explicit ChildProcess(ByteChannel socket) : channel_(std::move(socket)) {}
  ~ChildProcess() { stop(); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ChildProcess(ChildProcess&& other) noexcept { *this = std::move(other); }
  ChildProcess& operator=(ChildProcess&& other) noexcept;

  bool running() const { return pid_ > 0 || channel_.open(); }
  /// The child's process id; -1: no child was started here, or it has been reaped.
  pid_t pid() const { return pid_; }
  /// Returns whether the child still runs. A child that has ended is reaped.
  bool alive();

  /// Writes the line and a newline. Returns false when the child has ended or the wait limit is reached.
  bool write_line(const std::string& line, const WaitLimit& wait_limit = {}) {
    return channel_.send_line(line, wait_limit);
  }
  /// Writes bytes. Returns false when the child has ended.
  bool write_bytes(std::span<const std::byte> bytes) { return channel_.send(bytes); }
  /// Passes a file descriptor to the child, with one byte on its standard input. The descriptor stays open
  /// here, too. Returns false when the child has ended.
  bool hand_over(int descriptor) { return channel_.hand_over(descriptor); }
  /// Makes the child read an end of file; its output can still be read.
  void end_input() { channel_.close_for_writing(); }
  /// Returns the child's next line without its newline; nothing at the end of its output, when the wait limit
  /// is reached, or when the line is longer than `most_bytes`.
  std::optional<std::string> read_line(const WaitLimit& wait_limit,
                                       std::size_t most_bytes = std::size_t{64} << 20) {
    return channel_.read_line(most_bytes, wait_limit);
  }
  /// The descriptor from which the child's lines come, for poll(2).
  int descriptor() const { return channel_.descriptor(); }
  /// Returns the child's next line if it has arrived already; never waits. Only for a child with a log.
  std::optional<std::string> line_at_hand() { return channel_.line_at_hand(); }
  /// Returns whether the child's output is at its end. Only for a child with a log.
  bool at_end() const { return channel_.at_end(); }
  /// Reads exactly `count` bytes that follow a line. Returns nothing at the end of the child's output or when
  /// the wait limit is reached.
  std::optional<std::vector<std::byte>> read_bytes(std::size_t count, const WaitLimit& wait_limit);
  /// Returns the child's output until its end.
  std::string read_to_end() { return channel_.read_to_end(); }

  /// Kills the child and returns its exit status (128 + signal when a signal ended it); -1 when no child was
  /// running.
  int stop();
  /// Waits for the child to end, at most `time` if it is given, then kills the child and its group. Returns
  /// the exit status, as `stop` does.
  int wait(std::optional<std::chrono::milliseconds> time = {});
  /// Returns the first `most_bytes` bytes of the child's standard error, without newlines at the end.
  std::string errors(std::size_t most_bytes = 4096) const;

 private:
  pid_t pid_ = -1;
  bool group_ = false;
  int errors_ = -1;
  ByteChannel channel_;
};

/// Returns an exit status in words: "was killed by signal 11 (Segmentation fault)", "ended with exit status
/// 3".
std::string how_it_ended(int status);

}  // namespace trl
