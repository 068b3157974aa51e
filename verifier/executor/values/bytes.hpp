#pragma once
// Small helper functions for sizes and bytes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace trl::executor {

inline std::size_t as_size(std::int64_t value) { return static_cast<std::size_t>(value); }

/// Writes n copies of the element at `from`, which has `size` bytes, to `to`.
inline void spread_out(std::byte* to, const std::byte* from, std::int64_t size, std::int64_t n) {
  if (n == 0) return;
  std::memmove(to, from, as_size(size));
  std::int64_t done = size;
  const std::int64_t bytes = n * size;
  while (done < bytes) {
    const std::int64_t more = std::min(done, bytes - done);
    std::memcpy(to + done, to, as_size(more));
    done += more;
  }
}

}  // namespace trl::executor
