// Facts about the machine on which this process runs, without libtorch and without asking a GPU.
#pragma once

#include <filesystem>
#include <string>

namespace trl {

/// The vector instruction sets for which the loops of sampling and training are compiled:
/// - v2: SSE4.2; also the only level of CPUs other than x86-64;
/// - v3: AVX2 with FMA;
/// - v4: AVX-512 with F, BW, VL and DQ.
enum class VectorLevel { v2, v3, v4 };

/// Returns the highest level that this CPU supports, which the loops use.
VectorLevel vector_level();
/// Returns the name of this CPU's level: "x86-64-v2", "x86-64-v3" or "x86-64-v4"; on other CPUs "baseline".
std::string vector_level_name();

/// Returns the CPU's model name in /proc/cpuinfo; "unknown" if there is none.
std::string cpu_model();

/// Returns a version number of CUDA as text: "12.8" for 12080; empty for 0, which means no CUDA.
std::string cuda_version_text(long version);

/// Returns the model of this machine's NVIDIA GPUs, such as "NVIDIA H200", from the driver's list in the
/// folder `listed`. Empty if there are no GPUs or several models.
std::string gpu_model(const std::filesystem::path& listed = "/proc/driver/nvidia/gpus");

/// Returns the version of the NVIDIA driver that the kernel has loaded, such as "570.86.15"; empty if there
/// is none.
std::string gpu_driver_version();

}  // namespace trl
