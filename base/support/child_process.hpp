#pragma once
// Other programs, started and spoken to.
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/support/byte_channel.hpp"
#include "base/support/error.hpp"

namespace trl {

/// A program that can't be started.
struct StartError : UserError {
  /// `error_code` is errno's.
  StartError(const std::string& program, int error_code);
  int code;
};

/// How a child is started. As it stands: spoken to over its standard input and output.
struct ChildOptions {
  /// The whole of the child's standard input; without it the child reads the bytes that `send` writes.
  std::optional<std::string> input{};
  /// A file to which standard output and error are appended. The child is then spoken to over a socket that
  /// is its descriptor 3, and its standard input is empty.
  std::filesystem::path log{};
  /// Changes to this process's environment: "NAME=value" sets a variable, "NAME" takes it away.
  std::vector<std::string> environment{};
  /// A process group and signals of its own: Ctrl-C at the terminal doesn't reach it, and it ignores and
  /// blocks no signal. What it starts ends with it.
  bool own_group = true;
  /// Whether the child is killed when the thread that starts it ends.
  bool dies_with_us = false;
};

/// A process, killed with its group when this object goes. Used by one thread at a time.
class ChildProcess {
 public:
  /// The descriptor over which a child with a log is spoken to.
  static constexpr int channel_descriptor = 3;

  ChildProcess() = default;
  /// Starts `command` without a shell; a command[0] without a slash is sought in PATH. Throws StartError, and
  /// DiskError where the log can't be written.
  explicit ChildProcess(const std::vector<std::string>& command, const ChildOptions& options = {});
  ~ChildProcess() { stop(); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ChildProcess(ChildProcess&& other) noexcept { *this = std::move(other); }
  ChildProcess& operator=(ChildProcess&& other) noexcept;

  bool running() const { return pid_ > 0; }
  /// False once the child has ended; the child is then reaped.
  bool alive();

  /// Writes the line and a newline; false when the child is gone.
  bool write_line(const std::string& line) { return channel_.send_line(line); }
  /// Writes bytes; false when the child is gone.
  bool write_bytes(std::span<const std::byte> bytes) { return channel_.send(bytes); }
  /// Passes a file descriptor to the child, with one byte on its standard input; the descriptor stays open
  /// here. False when the child is gone.
  bool hand_over(int descriptor) { return channel_.hand_over(descriptor); }
  /// Makes the child read an end of file; its output can still be read.
  void end_input() { channel_.close_for_writing(); }
  /// The child's next line without its newline; none at its end, when the wait limit is reached, or past
  /// `most_bytes`.
  std::optional<std::string> read_line(const WaitLimit& wait_limit,
                                       std::size_t most_bytes = std::size_t{64} << 20) {
    return channel_.read_line(most_bytes, wait_limit);
  }
  /// Reads exactly `count` bytes that follow a line; none where `read_line` would return none.
  std::optional<std::vector<std::byte>> read_bytes(std::size_t count, const WaitLimit& wait_limit);
  /// All that it writes until it ends.
  std::string read_to_end() { return channel_.read_to_end(); }

  /// Kills the child and returns its exit status (128 + signal when a signal ended it); -1 when none was
  /// running.
  int stop();
  /// Waits up to `time` for the child to end by itself, without `time` for ever, then stops what is left of
  /// it. Returns the exit status, as `stop` does.
  int wait(std::optional<std::chrono::milliseconds> time = {});
  /// The first bytes of the child's standard error, without newlines at their end.
  std::string errors(std::size_t most_bytes = 4096) const;

 private:
  pid_t pid_ = -1;
  bool group_ = false;
  int errors_ = -1;
  ByteChannel channel_;
};

/// An exit status in words: "was killed by signal 11 (Segmentation fault)", "ended with exit status 3".
std::string how_it_ended(int status);

}  // namespace trl
