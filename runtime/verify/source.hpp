#pragma once
// The program in a model's answer.
#include <string>

namespace trl::runtime {

/// The answer itself, or the contents of its last fenced code block that defines ModelNew (else the last
/// one). Line numbers stay those of the answer: what comes before the block becomes empty lines.
std::string extract_source(const std::string& answer);

}  // namespace trl::runtime
