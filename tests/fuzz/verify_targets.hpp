// What must hold of whatever a candidate's process says. Each aborts where it doesn't, as fuzzers want it.
#pragma once
#include <string>
#include <string_view>

namespace trl::fuzz {

/// A kernel's text is refused or runs to an end, twice to the same one, on small memory and with small
/// limits.
void kernel_text(std::string_view ttir);
/// A recording is refused or read; what was read is written down, and read again as the same. Its kernels
/// run as its plans launch them.
void recording(std::string_view json);
/// Lines of a process as the tester's side reads them: none is taken for more than it is.
void answers(std::string_view bytes);

/// What a replay came to, as the process that executes kernels sends it: a line, and the bytes of its parts.
void replayed(std::string_view bytes);
/// A sound one, of which a fuzzer may begin.
std::string replayed_seed();

}  // namespace trl::fuzz
