#include "verifier/corpus/cuda/reductions.hpp"

#include <fmt/format.h>

namespace trl::runtime::cuda {

const char* name_of(Combination combination) {
  return combination == Combination::sum ? "sum" : combination == Combination::max ? "max" : "min";
}

const char* first_of(Combination combination) {
  return combination == Combination::sum   ? "0.0f"
         : combination == Combination::max ? "-INFINITY"
                                           : "INFINITY";
}

std::string combined(Combination combination, const std::string& a, const std::string& b) {
  if (combination == Combination::sum) return fmt::format("{} + {}", a, b);
  return fmt::format("f{}f({}, {})", name_of(combination), a, b);
}

std::vector<std::string> warp_function(Combination combination) {
  return {fmt::format("__device__ float warp_{}(float v) {{", name_of(combination)),
          "    for (int d = 16; d > 0; d /= 2)",
          fmt::format("        v = {};", combined(combination, "v", "__shfl_xor_sync(0xffffffff, v, d)")),
          "    return v;", "}"};
}

std::vector<std::string> block_function(Combination combination, int threads, bool shuffles, bool barrier) {
  const std::string name = name_of(combination);
  std::vector<std::string> lines = {fmt::format("__device__ float block_{}(float v) {{", name)};
  const auto line = [&](const std::string& text) { lines.push_back("    " + text); };
  if (shuffles) {
    line("__shared__ float part[32];");
    line("int lane = threadIdx.x % 32;");
    line(fmt::format("v = warp_{}(v);", name));
    line("if (lane == 0) part[threadIdx.x / 32] = v;");
    if (barrier) line("__syncthreads();");
    line(fmt::format("v = warp_{}(lane < blockDim.x / 32 ? part[lane] : {});", name, first_of(combination)));
  } else {
    line(fmt::format("__shared__ float part[{}];", threads));
    line("part[threadIdx.x] = v;");
    if (barrier) line("__syncthreads();");
    line("for (int d = blockDim.x / 2; d > 0; d /= 2) {");
    line(fmt::format("    if (threadIdx.x < d) part[threadIdx.x] = {};",
                     combined(combination, "part[threadIdx.x]", "part[threadIdx.x + d]")));
    if (barrier) line("    __syncthreads();");
    line("}");
    line("v = part[0];");
  }
  line("__syncthreads();");
  line("return v;");
  lines.emplace_back("}");
  return lines;
}

}  // namespace trl::runtime::cuda
