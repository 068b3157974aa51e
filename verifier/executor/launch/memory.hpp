#pragma once
// Buffers that a kernel may access. They are isolated: no pointer arithmetic leads from one to another.
// Numbers lead to them only if they are near the address that the caller gave a buffer, so that addresses
// which nobody can guess are the only ones that work.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace trl::executor {

struct Buffer {
  std::string name;  ///< the name in findings
  bool writable = true;
  std::vector<std::byte> bytes;
  /// One entry per byte: 1 when it is initialised. Empty when all bytes were from the start.
  std::vector<std::uint8_t> written;
  /// The number that stands for its first byte where a kernel makes a pointer of an integer; 0: no number
  /// does.
  std::uint64_t address = 0;
};

class Memory {
 public:
  static constexpr std::size_t max_buffers = 30000;

  /// Adds a buffer with contents. Returns its number (from 0), or -1 when there are max_buffers already.
  int add_buffer(std::string name, std::span<const std::byte> contents, bool writable);
  /// Adds an uninitialised buffer; reading it is an error. Its bytes hold `poison`.
  int add_unwritten(std::string name, std::size_t bytes, bool writable = true, std::uint8_t poison = 0xFF);

  int size() const { return static_cast<int>(buffers_.size()); }
  const Buffer& buffer(int index) const { return buffers_.at(static_cast<std::size_t>(index)); }
  Buffer& buffer(int index) { return buffers_.at(static_cast<std::size_t>(index)); }

  /// The distance that buffers' addresses must have from each other at least, and from 0.
  static constexpr std::uint64_t address_distance = std::uint64_t{1} << 42;

  /// Writes bytes from the host (a plan's fill). Returns false without a change when they are outside the
  /// buffer.
  bool write(int buffer, std::int64_t offset, std::span<const std::byte> bytes);
  /// Copies bytes on the host (a plan's copy); uninitialised bytes stay uninitialised. Returns false when a
  /// range is outside its buffer.
  bool copy(int to, std::int64_t to_offset, int from, std::int64_t from_offset, std::int64_t bytes);
  /// Whether every byte of the range is inside the buffer and initialised.
  bool all_written(int buffer, std::int64_t offset, std::int64_t bytes) const;

 private:
  std::vector<Buffer> buffers_;
};

}  // namespace trl::executor
