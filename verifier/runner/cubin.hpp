#pragma once
// Reads the sections and symbols of a cubin (CUDA's ELF file of compiled kernels) without running its code.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace trl::runner {

/// Returns the reason for which a cubin is refused; none when it is accepted. A cubin is refused when it is
/// no ELF file for CUDA, is damaged, calls functions that allocate on the device's heap (since the heap
/// outlasts a launch), or has more global variables than are allowed. A Triton kernel may have up to 4 KiB of
/// initialised global variables: libdevice has some (the text __CUDA_FTZ, tables of sin), and no operation of
/// TTIR can access them. A kernel in CUDA (`cuda`) may have 16 MiB of global variables, which are reset
/// before each run to their contents at load time.
std::optional<std::string> refusal(std::span<const std::byte> cubin, bool cuda);

/// A section of a cubin with global variables. The section is contiguous in the GPU's memory.
struct GlobalSection {
  struct Variable {
    std::string name;
    std::uint64_t offset = 0;
  };
  std::uint64_t bytes = 0;
  std::vector<Variable> variables;
};
std::vector<GlobalSection> global_sections(std::span<const std::byte> cubin);

}  // namespace trl::runner
