// Copies a model's weights from mapped files to the device.
#pragma once

#include "runtime/model/language_model.hpp"

namespace trl::runtime {

struct UploadSettings {
  int threads = 4;
  /// Each thread has two staging buffers of this many bytes.
  std::int64_t buffer = std::int64_t{32} << 20;
  /// Whether weights are copied through buffers to the CPU, too. Only tests use it: the code is the same as
  /// for a GPU except page-locked memory and streams.
  bool staged_on_cpu = false;
};

/// Returns the weights in `type` on `device`.
///
/// On the CPU, tensors that have the type already stay in the mapped file; tensors of another type are
/// converted. For an accelerator, several threads read pieces from the files (from the page cache, or the
/// disk) into page-locked buffers, from which each thread's stream copies asynchronously while the thread
/// fills its other buffer. Tensors of another type are converted on the device. Returns when all copies are
/// done.
Weights upload(const Weights& weights, const c10::Device& device, c10::ScalarType type,
               const UploadSettings& settings = {});

}  // namespace trl::runtime
