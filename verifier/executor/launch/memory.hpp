#pragma once
// Buffers that a kernel may access. Buffers are isolated: no pointer arithmetic leads from one buffer to
// another. A kernel that converts an integer to a pointer reaches a buffer only if the integer is near the
// address that the caller gave the buffer; a caller can choose addresses that nobody can guess.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "verifier/executor/launch/pages.hpp"

namespace trl::executor {

struct Buffer {
  std::string name;  ///< the name in findings
  bool writable = true;
  std::vector<std::byte> bytes;
  /// One entry per byte: 1 when the byte is initialised. Empty when all bytes were initialised from the
  /// start.
  std::vector<std::uint8_t> written;
  /// The integer from which a kernel may make a pointer to the buffer's first byte; 0: no integer leads to
  /// the buffer.
  std::uint64_t address = 0;
  /// The touched pages of a buffer too large for `bytes`; `bytes` and `written` are then empty.
  std::shared_ptr<Pages> pages = nullptr;
};

class Memory {
 public:
  static constexpr std::size_t max_buffers = 30000;

  /// Adds a buffer with contents. Returns its number (from 0), or -1 when there are max_buffers already.
  int add_buffer(std::string name, std::span<const std::byte> contents, bool writable);
  /// Adds an uninitialised buffer, whose bytes are `poison`. A kernel that reads them before it writes them
  /// causes a finding. Returns the same as add_buffer.
  int add_unwritten(std::string name, std::size_t bytes, bool writable = true, std::uint8_t poison = 0xFF);

  /// Adds a buffer of which only touched pages are held. Returns the same as add_buffer. Launches on it run
  /// single programs (Options::only) and look for no races.
  int add_paged(std::string name, std::shared_ptr<Pages> pages, bool writable);

  int size() const { return static_cast<int>(buffers_.size()); }
  const Buffer& buffer(int index) const { return buffers_.at(static_cast<std::size_t>(index)); }
  Buffer& buffer(int index) { return buffers_.at(static_cast<std::size_t>(index)); }

  /// The minimum distance of buffers' addresses (Buffer::address) from each other and from 0.
  static constexpr std::uint64_t address_distance = std::uint64_t{1} << 42;

  /// Writes bytes, as a fill step of a launch plan does on the host. Returns false, and changes nothing, if
  /// the range is not inside the buffer.
  bool write(int buffer, std::int64_t offset, std::span<const std::byte> bytes);
  /// Copies bytes from buffer to buffer, as a launch plan's copy step does on the host. Copies of
  /// uninitialised bytes are uninitialised. Returns false when a range is not inside its buffer.
  bool copy(int to, std::int64_t to_offset, int from, std::int64_t from_offset, std::int64_t bytes);
  /// Whether every byte of the range is inside the buffer and initialised.
  bool all_written(int buffer, std::int64_t offset, std::int64_t bytes) const;

 private:
  std::vector<Buffer> buffers_;
};

}  // namespace trl::executor
