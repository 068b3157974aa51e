// NVRTC, CUDA's compiler as a library, which comes with torch.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace trl::gpu {

/// The result of a compilation.
struct Compiled {
  std::string cubin;  // the machine code
  /// messages of the compiler and ptxas; with "--ptxas-options=-v" the registers of each kernel
  std::string log;
};

/// Loads libnvrtc, unless the process has loaded it already. `torch` is the folder of torch's Python package;
/// libnvrtc is searched for in NVIDIA's packages beside it, then in the system's folders. Later calls do
/// nothing. Throws std::runtime_error, which names the searched places.
void load_compiler(const std::filesystem::path& torch);

/// Compiles CUDA C++ to machine code for an architecture, such as "sm_90". `headers` maps the names in
/// `#include "NAME"` to texts. May be called from several threads, after load_compiler. Throws
/// std::runtime_error with the compiler's messages.
Compiled compile(const std::string& name, const std::string& text,
                 const std::map<std::string, std::string>& headers, const std::string& architecture,
                 const std::vector<std::string>& options);

}  // namespace trl::gpu
