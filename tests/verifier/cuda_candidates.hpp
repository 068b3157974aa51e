#pragma once
// Recordings of CUDA candidates for the relu task.
#include <nlohmann/json.hpp>
#include <string>

namespace trl::runtime::candidates {

extern const char* const relu_source;

/// The recording of a wrapper that launches the kernel with this name expression, (x, y, n), in 64 blocks of
/// 256 threads.
nlohmann::json recorded_cuda(const std::string& source = relu_source,
                             const std::string& expression = "relu<float>", int shared = 0);

}  // namespace trl::runtime::candidates
