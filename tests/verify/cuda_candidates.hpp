#pragma once
// What the recorder says of CUDA candidates for the relu task.
#include <nlohmann/json.hpp>
#include <string>

namespace trl::runtime::candidates {

extern const char* const relu_source;

/// Of a wrapper that launches the kernel of that name expression, (x, y, n), in 64 blocks of 256.
nlohmann::json recorded_cuda(const std::string& source = relu_source,
                             const std::string& expression = "relu<float>", int shared = 0);

}  // namespace trl::runtime::candidates
