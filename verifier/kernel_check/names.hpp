// Lists of headers and functions, which say whether a candidate may use them.
#pragma once
#include <string_view>
#include <vector>

namespace trl::kernel_check {

/// Returns the names of the headers for which the prelude has replacements.
const std::vector<std::string_view>& known_headers();
/// Returns the reason for which a candidate may not include a header; null when the candidate may include it.
const char* forbidden_header(std::string_view name);
/// Whether `name` is a header for device code that NVRTC may have although the prelude lacks it.
bool device_library(std::string_view name);
/// Whether `name` is a header of PyTorch. A declaration of such a header is in the prelude, or Clang reports
/// its use as an unknown name.
bool framework_header(std::string_view name);
/// Whether the function `name` does I/O or uses processes, libraries, network, threads or clocks of the host.
bool forbidden_function(std::string_view name);

}  // namespace trl::kernel_check
