#pragma once
// What a cubin holds besides code, read without running it.
#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace trl::runner {

/// Why a cubin is refused: no ELF file for CUDA, damaged, or with global variables, in which a kernel could
/// keep something from one launch to the next. Up to 4 KiB of initialised ones pass: libdevice brings them
/// (the text
/// __CUDA_FTZ, tables of sin), and no operation of TTIR names them. None when it is fine.
std::optional<std::string> refusal(std::span<const std::byte> cubin);

}  // namespace trl::runner
