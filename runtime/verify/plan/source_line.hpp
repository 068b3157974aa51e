#pragma once
// From a line of a kernel's TTIR back to the candidate's own text.
#include <string_view>

namespace trl::runtime {

/// The line of candidate.py that line number `line` (from 1) of a TTIR text comes from, as its debug
/// locations say; 0 where they don't. Any text is safe to pass.
int source_line(std::string_view ttir, int line);

}  // namespace trl::runtime
