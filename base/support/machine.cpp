#include "base/support/machine.hpp"

#include <fstream>
#include <sstream>

namespace trl {
namespace {

/// Returns the text behind `name` in the first line that begins with it, trimmed; empty if no line does.
std::string field_of(const std::filesystem::path& file, std::string_view name) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(name)) continue;
    const auto begin = line.find_first_not_of(" \t", name.size()), end = line.find_last_not_of(" \t");
    return begin == line.npos ? "" : line.substr(begin, end + 1 - begin);
  }
  return {};
}

}  // namespace

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
  auto model = field_of("/proc/cpuinfo", "model name\t:");
  return model.empty() ? "unknown" : model;
}

std::string cuda_version_text(long version) {
  return version > 0 ? std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10) : "";
}

std::string gpu_model(const std::filesystem::path& listed) {
  std::string model;
  std::error_code none;
  for (const auto& gpu : std::filesystem::directory_iterator(listed, none)) {
    // "Model: \t\t NVIDIA H100 80GB HBM3"
    std::string found = field_of(gpu.path() / "information", "Model:");
    if (!model.empty() && found != model) return {};
    model = std::move(found);
  }
  return model;
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
