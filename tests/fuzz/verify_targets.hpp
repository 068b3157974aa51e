// Properties that must hold for everything that a candidate's process may send. A target aborts where its
// property fails, as fuzzers require.
#pragma once
#include <string>
#include <string_view>

namespace trl::fuzz {

/// A kernel's text is refused or runs to its end, on small memory and with small limits; a second run has the
/// same result.
void kernel_text(std::string_view ttir);
/// A recording is refused or read. What was read is serialised and read again with the same result, and its
/// kernels run as its plans launch them.
void recording(std::string_view json);
/// The lines that a process sends, as the verifier reads them: a malformed line is never accepted.
void answers(std::string_view bytes);

/// The result of a replay as trl-executor's child sends it: a line, and the bytes of its parts.
void replayed(std::string_view bytes);
/// A well-formed result, from which a fuzzer can start.
std::string replayed_seed();

}  // namespace trl::fuzz
