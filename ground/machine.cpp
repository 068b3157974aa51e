#include "ground/machine.hpp"

#include <fstream>
#include <sstream>

namespace trl {

VectorLevel vector_level() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
    return VectorLevel::v4;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return VectorLevel::v3;
#endif
  return VectorLevel::v2;
}

std::string vector_level_name() {
#if defined(__x86_64__)
  switch (vector_level()) {
    case VectorLevel::v4:
      return "x86-64-v4";
    case VectorLevel::v3:
      return "x86-64-v3";
    case VectorLevel::v2:
      break;
  }
  return "x86-64-v2";
#else
  return "baseline";
#endif
}

std::string cpu_model() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (const auto colon = line.find(": "); colon != std::string::npos && line.starts_with("model name"))
      return line.substr(colon + 2);
  return "unknown";
}

std::string cuda_version_text(long version) {
  return version > 0 ? std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10) : "";
}

std::string gpu_driver_version() {
  std::string version;
  if (std::ifstream("/sys/module/nvidia/version") >> version) return version;
  // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.86.15  Tue …"
  std::string line;
  std::ifstream in("/proc/driver/nvidia/version");
  std::getline(in, line);
  std::istringstream words(line);
  for (std::string word; words >> word;)
    if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos)
      return word;
  return {};
}

}  // namespace trl
