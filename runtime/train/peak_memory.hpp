// How much memory a stage takes.
#pragma once

#include <c10/core/Device.h>

#include <cstdint>

namespace trl::runtime {

/// Measures the largest amount of memory in use since it was made: on a GPU the bytes of libtorch's tensors,
/// on a CPU the process's resident set. Where a kernel doesn't let the latter be measured anew, it is the
/// largest since the process began.
class PeakMemory {
 public:
  explicit PeakMemory(const c10::Device& device);
  /// The peak in bytes; 0 where the system doesn't tell.
  std::int64_t bytes() const;

 private:
  c10::Device device_;
};

}  // namespace trl::runtime
