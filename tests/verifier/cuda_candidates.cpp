#include "tests/verifier/cuda_candidates.hpp"

namespace trl::runtime::candidates {

using nlohmann::json;

const char* const relu_source = R"(#include <torch/extension.h>
#include <cuda_runtime.h>

template <typename T>
__global__ void relu(const T* __restrict__ x, T* __restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] > T(0) ? x[i] : T(0);
}
)";

json recorded_cuda(const std::string& source, const std::string& expression, int shared) {
  constexpr int n = 64 * 256;
  const json view = {
      {"buffer", 1}, {"offset", 0}, {"dtype", "f32"}, {"shape", {64, 256}}, {"strides", {256, 1}}};
  return {
      {"ok", true},
      {"kernels",
       {{{"name", expression},
         {"language", "cuda"},
         {"source", source},
         {"expression", expression},
         {"options", json::object()}}}},
      {"plans",
       {{{"label", "original"},
         {"buffers",
          {{{"bytes", 4 * n}, {"role", "input"}, {"input", 0}}, {{"bytes", 4 * n}, {"role", "temporary"}}}},
         {"steps",
          {{{"launch",
             {{"kernel", 0},
              {"grid", {64, 1, 1}},
              {"block", {256, 1, 1}},
              {"shared", shared},
              {"args", {{{"buffer", 0}, {"offset", 0}}, {{"buffer", 1}, {"offset", 0}}, {{"i32", n}}}},
              {"line", 9}}}}}},
         {"output", view}}}}};
}

}  // namespace trl::runtime::candidates
