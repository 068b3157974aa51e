// Facts about the machine on which this process runs, without libtorch and without asking a GPU.
#pragma once

#include <filesystem>
#include <string>

namespace trl {

/// Vector units for which the loops of sampling and training are compiled, one after the other: SSE4.2,
/// AVX2 with FMA, and AVX-512 with F, BW, VL and DQ. On CPUs that aren't x86-64 there is only the first.
enum class VectorLevel { v2, v3, v4 };

/// The highest level that this CPU has: the one that the loops use.
VectorLevel vector_level();
/// "x86-64-v2", "x86-64-v3", "x86-64-v4"; on other CPUs "baseline".
std::string vector_level_name();

/// The CPU's model name, as /proc/cpuinfo has it; "unknown" where it says none.
std::string cpu_model();

/// A version as CUDA counts it: 12080 is "12.8"; empty for 0, which says that there is none.
std::string cuda_version_text(long version);

/// The model of this machine's NVIDIA GPUs, as their driver lists them in this folder: "NVIDIA H200". Empty
/// where there are none, and where there are several models.
std::string gpu_model(const std::filesystem::path& listed = "/proc/driver/nvidia/gpus");

/// The version of the NVIDIA driver that the kernel has loaded: "570.86.15"; empty where there is none.
std::string gpu_driver_version();

}  // namespace trl
