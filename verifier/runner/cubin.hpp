#pragma once
// Reads the contents of a cubin besides code, without running it.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace trl::runner {

/// Why a cubin is refused: it is no ELF file for CUDA, is damaged, or has global variables that a kernel may
/// not have. None when it is fine. A kernel of Triton may have up to 4 KiB of initialised variables, because
/// libdevice has some (the text __CUDA_FTZ, tables of sin), and no operation of TTIR can access them. A
/// kernel in CUDA (`cuda`) may have 16 MiB: before each run they are reset to their contents at load time.
/// Neither may use the device's heap, which outlasts a launch.
std::optional<std::string> refusal(std::span<const std::byte> cubin, bool cuda);

/// A section of global variables, which is contiguous on the GPU.
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
