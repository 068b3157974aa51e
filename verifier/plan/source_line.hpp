#pragma once
// Maps a line of a kernel's TTIR to a line of the candidate's source.
#include <string_view>

namespace trl::runtime {

/// Returns the line of candidate.py that belongs to line `line` (from 1) of a TTIR text, according to the
/// debug locations in the text; 0 if they name no line. Any text is safe to pass.
int source_line(std::string_view ttir, int line);

}  // namespace trl::runtime
