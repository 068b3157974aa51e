#pragma once
// What a cubin holds besides code, read without running it.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace trl::runner {

/// Why a cubin is refused: no ELF file for CUDA, damaged, or with global variables that a kernel may not
/// have. None when it is fine. Of Triton's kernels up to 4 KiB of initialised ones pass: libdevice brings
/// them (the text __CUDA_FTZ, tables of sin), and no operation of TTIR names them. Of CUDA's (`cuda`) 16 MiB:
/// before each run they get back what they held when they were loaded. Neither may use the heap, which
/// outlasts a launch.
std::optional<std::string> refusal(std::span<const std::byte> cubin, bool cuda);

/// A section of global variables, which lies in one piece on the GPU.
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
