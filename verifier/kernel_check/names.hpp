// Names of headers and functions, and whether a candidate may use them.
#pragma once
#include <string_view>
#include <vector>

namespace trl::kernel_check {

/// Headers that the prelude has replacements for.
const std::vector<std::string_view>& known_headers();
/// Why a header may not be included; null where it may.
const char* forbidden_header(std::string_view name);
/// Whether this is a header for device code that NVRTC may have although the prelude lacks it.
bool device_library(std::string_view name);
/// Whether this is a header of PyTorch. Its declarations are in the prelude, or unknown where they are used.
bool framework_header(std::string_view name);
/// Whether this function does I/O or uses processes, libraries, network, threads or clocks of the host.
bool forbidden_function(std::string_view name);

}  // namespace trl::kernel_check
