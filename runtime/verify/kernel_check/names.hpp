// Names of headers and functions, and what they mean for a candidate.
#pragma once
#include <string_view>
#include <vector>

namespace trl::kernel_check {

/// Headers that the prelude stands for.
const std::vector<std::string_view>& known_headers();
/// Why a header may not be included, or null.
const char* forbidden_header(std::string_view name);
/// A header of device code that NVRTC may have and the prelude lacks.
bool device_library(std::string_view name);
/// PyTorch's: what it declares is in the prelude, or unknown where it is used.
bool framework_header(std::string_view name);
/// I/O, processes, libraries, network, threads and clocks of the host.
bool forbidden_function(std::string_view name);

}  // namespace trl::kernel_check
