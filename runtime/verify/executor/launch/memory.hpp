#pragma once
// Buffers that a kernel may touch, each on its own island: no arithmetic leads from one to another.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace trl::executor {

struct Buffer {
  std::string name;  ///< as findings call it
  bool writable = true;
  std::vector<std::byte> bytes;
  /// One entry a byte: 1 when it was written (or had contents). Empty when all were from the start.
  std::vector<std::uint8_t> written;
};

class Memory {
 public:
  static constexpr std::size_t max_buffers = 30000;

  /// Adds a buffer with contents; returns its number (from 0), or -1 when there are max_buffers already.
  int add_buffer(std::string name, std::span<const std::byte> contents, bool writable);
  /// Adds a buffer nobody has written yet; reading it is an error. Its bytes hold `poison`.
  int add_unwritten(std::string name, std::size_t bytes, bool writable = true, std::uint8_t poison = 0xFF);

  int size() const { return static_cast<int>(buffers_.size()); }
  const Buffer& buffer(int index) const { return buffers_.at(static_cast<std::size_t>(index)); }
  Buffer& buffer(int index) { return buffers_.at(static_cast<std::size_t>(index)); }

  /// Writes bytes from the host (a plan's fill). False when outside the buffer, which then stays as it was.
  bool write(int buffer, std::int64_t offset, std::span<const std::byte> bytes);
  /// Copies bytes on the host (a plan's copy); unwritten bytes stay unwritten. False when outside.
  bool copy(int to, std::int64_t to_offset, int from, std::int64_t from_offset, std::int64_t bytes);
  /// True when every byte of the range is inside and written.
  bool all_written(int buffer, std::int64_t offset, std::int64_t bytes) const;

 private:
  std::vector<Buffer> buffers_;
};

}  // namespace trl::executor
