// How much memory a stage takes.
#pragma once

#include <c10/core/Device.h>

#include <cstdint>

namespace trl::runtime {

/// Measures the largest amount of memory in use since this object was made: on a GPU the bytes of libtorch's
/// tensors, on a CPU the process's resident set. If the kernel can't reset its record of the resident set,
/// the largest since the process began is measured.
class PeakMemory {
 public:
  explicit PeakMemory(const c10::Device& device);
  /// The peak in bytes; 0 if the system doesn't report it.
  std::int64_t bytes() const;

 private:
  c10::Device device_;
};

}  // namespace trl::runtime
