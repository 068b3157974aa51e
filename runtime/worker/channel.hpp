// Newline-delimited JSON over a file descriptor.
#pragma once

#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace trl::runtime {

/// The worker's end of the protocol. `send` may be called from several threads.
class Channel {
 public:
  explicit Channel(int descriptor) : descriptor_(descriptor) {}

  /// Writes one line. Returns false when the other end is closed.
  bool send(const nlohmann::json& message);

  /// Waits until bytes arrive and adds them to the buffer that `next_line` reads. Returns false at the end of
  /// the file or on an error.
  bool receive();

  /// Returns the next complete line in the buffer, without its newline; nothing if there is none. Never
  /// waits.
  std::optional<std::string> next_line();

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
  std::mutex mutex_;
  std::string arrived_;
  std::size_t searched_ = 0;  // there is no newline in `arrived_` before this offset
};

}  // namespace trl::runtime
