// The largest amount of memory that a stage uses.
#pragma once

#include <c10/core/Device.h>

#include <cstdint>

namespace trl::runtime {

/// Measures the largest amount of memory in use since this object was made. On a GPU these are the bytes of
/// libtorch's tensors, on a CPU the process's resident set. If the kernel can't reset the maximum of the
/// resident set, the maximum since the start of the process is measured.
class PeakMemory {
 public:
  explicit PeakMemory(const c10::Device& device);
  /// The peak in bytes; 0 if the system doesn't report it.
  std::int64_t bytes() const;

 private:
  c10::Device device_;
};

}  // namespace trl::runtime
