#pragma once
// Maps a line of a kernel's TTIR back to the candidate's own text.
#include <string_view>

namespace trl::runtime {

/// The line of candidate.py from which line number `line` (from 1) of a TTIR text was made, according to its
/// debug locations; 0 where they don't say. Any text is safe to pass.
int source_line(std::string_view ttir, int line);

}  // namespace trl::runtime
