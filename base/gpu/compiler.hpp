// NVRTC, CUDA's compiler as a library, which comes with torch.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace trl::gpu {

/// The result of a compilation.
struct Compiled {
  std::string cubin;  // machine code
  std::string
      log;  // messages of the compiler and ptxas; with "--ptxas-options=-v" the registers of each kernel
};

/// Loads libnvrtc: the one that is loaded already, or that of `torch`, the folder of torch's package, which
/// lies beside NVIDIA's packages. Later calls do nothing. Throws std::runtime_error, which says where it was
/// looked for.
void load_compiler(const std::filesystem::path& torch);

/// Compiles CUDA C++ to machine code, for example for "sm_90". `headers` are found by `#include "NAME"`. May
/// be called from several threads, after load_compiler. Throws std::runtime_error with the compiler's
/// messages.
Compiled compile(const std::string& name, const std::string& text,
                 const std::map<std::string, std::string>& headers, const std::string& architecture,
                 const std::vector<std::string>& options);

}  // namespace trl::gpu
